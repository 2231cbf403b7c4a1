/** The separators of numbers by locale, or as the user has chosen them. */
/** Digits are always 0 to 9 and in groups of three, because prices are compared across pages and other programs. */
export interface NumberStyle {
  readonly decimal: "." | ",";
  /** The separator of thousands. */
  readonly group: string;
}

/** The choices of the settings; `system` is the browser's locale. */
export const NUMBER_CHOICES = ["system", "point", "comma", "space"] as const;
export type NumberChoice = (typeof NUMBER_CHOICES)[number];

/** A narrow space at which lines do not break. */
const NARROW_SPACE = "\u202f";

const CHOSEN: Readonly<Record<Exclude<NumberChoice, "system">, NumberStyle>> = {
  point: { decimal: ".", group: "," },
  comma: { decimal: ",", group: "." },
  space: { decimal: ",", group: NARROW_SPACE },
};

/** The separators of a locale. Locales that Intl does not support are shown as English. */
export function localeStyle(locale: string): NumberStyle {
  try {
    const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1_234_567.8);
    const mark = (type: "decimal" | "group"): string => parts.find((part) => part.type === type)?.value ?? "";
    const decimal = mark("decimal") === "," ? "," : ".";
    const group = mark("group");
    if (group === decimal || group === "") return decimal === "," ? CHOSEN.space : CHOSEN.point;
    return { decimal, group: /\s/.test(group) ? NARROW_SPACE : group === "'" ? "’" : group };
  } catch {
    return CHOSEN.point;
  }
}

export const styleOf = (choice: NumberChoice, locale: string): NumberStyle =>
  choice === "system" ? localeStyle(locale) : CHOSEN[choice];

let current = (): NumberStyle => CHOSEN.point;

/** The style in which the page shows numbers and reads typed ones. */
export const numberStyle = {
  get value(): NumberStyle {
    return current();
  },
  set value(style: NumberStyle) {
    current = () => style;
  },
};

/** Makes the style follow a setting, which is read at each use. */
export function followStyle(setting: () => NumberStyle): void {
  current = setting;
}
