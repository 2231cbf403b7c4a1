/** The user's preferences, stored in localStorage as one versioned document of limited size. */
import { computed, effect, type Signal, signal } from "@preact/signals";
import { followStyle, NUMBER_CHOICES, type NumberChoice, styleOf } from "./exact/number-style.ts";

export type Theme = "system" | "dark" | "light";
export type Colours = "default" | "swapped" | "colour-blind";
export type TimeZone = "utc" | "local";

/** localStorage or a substitute. Both methods may throw, for example if the browser forbids storage. */
export type PreferenceStore = Pick<Storage, "getItem" | "setItem">;

/** The sizes of the panes on a desktop, in pixels. */
export interface Layout {
  readonly bookWidthPx: number;
  readonly formWidthPx: number;
  readonly tablesHeightPx: number;
  readonly printsHeightPx: number;
}

export interface Preferences {
  readonly theme: Signal<Theme>;
  readonly colours: Signal<Colours>;
  readonly timeZone: Signal<TimeZone>;
  /** The separators of numbers, both shown and typed. */
  readonly numbers: Signal<NumberChoice>;
  /** Whether a tone is played when an order of the account is filled. */
  readonly sounds: Signal<boolean>;
  /** Whether an order must be confirmed before it is sent. */
  readonly confirms: Signal<boolean>;
  /** Limits of warnings about orders, as the node writes numbers: "" is the default, "0" is off. */
  readonly warnPrice: Signal<string>;
  readonly warnValue: Signal<string>;
  readonly warnBook: Signal<string>;
  readonly favourites: Signal<readonly string[]>;
  /** The last selected market; "" if none. */
  readonly symbol: Signal<string>;
  readonly layout: Signal<Layout>;
  /** A signal whose value is stored under a name. Stored values that are not `isValid` are ignored. */
  remember<Value>(
    name: string,
    first: Value,
    isValid: (value: unknown) => value is Value,
    options?: RememberOptions,
  ): Signal<Value>;
  /** Reads the shared values again, after another tab may have changed them. */
  reread(): void;
}

interface RememberOptions {
  /** Whether tabs that are open share the value. Others keep theirs until they are loaded again. */
  readonly isShared?: boolean;
}

export const FIRST_LAYOUT: Layout = { bookWidthPx: 312, formWidthPx: 312, tablesHeightPx: 212, printsHeightPx: 2000 };

/**
 * The storage key, which contains the format version. A new format gets a new key, and the old document stays
 * unchanged.
 */
const NAME = "pricetime.terminal.1";
/** Maximum length of the document in characters. Changes that exceed it are not stored. */
const LENGTH_MAX = 32_768;
const FAVOURITES_MAX = 200;

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 64;

/** Returns a function that checks whether a value is one of these words. */
export function oneOf<Word extends string>(...words: readonly Word[]): (value: unknown) => value is Word {
  return (value): value is Word => words.some((word) => word === value);
}

function isFavourites(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= FAVOURITES_MAX && value.every(isText);
}

function isLayout(value: unknown): value is Layout {
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(FIRST_LAYOUT).every((name) => {
    const size: unknown = Reflect.get(value, name);
    return typeof size === "number" && size >= 0 && size <= 10_000;
  });
}

function readDocument(store: PreferenceStore | null): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(store?.getItem(NAME) ?? "{}");
    return typeof document === "object" && document !== null && !Array.isArray(document) ? { ...document } : {};
  } catch {
    return {};
  }
}

/**
 * Opens the preferences. Never throws. If the browser forbids storage (`store` is null), all preferences have their
 * defaults.
 */
export function openPreferences(store: PreferenceStore | null): Preferences {
  let document = readDocument(store);
  const shared: (() => void)[] = [];

  function save(name: string, value: unknown): void {
    // Another tab may have stored other values in the meantime.
    document = { ...document, ...readDocument(store), [name]: value };
    const text = JSON.stringify(document);
    if (text.length > LENGTH_MAX) return;
    try {
      store?.setItem(NAME, text);
    } catch {
      // If the storage is full or forbidden, the value lasts until the page is left.
    }
  }

  function remember<Value>(
    name: string,
    first: Value,
    isValid: (value: unknown) => value is Value,
    { isShared = false }: RememberOptions = {},
  ): Signal<Value> {
    const stored = document[name];
    const value = signal(isValid(stored) ? stored : first);
    let isFirst = true;
    effect(() => {
      const now = value.value;
      if (!isFirst) save(name, now);
      isFirst = false;
    });
    if (isShared) {
      shared.push(() => {
        const now = readDocument(store)[name];
        if (isValid(now) && JSON.stringify(now) !== JSON.stringify(value.peek())) value.value = now;
      });
    }
    return value;
  }

  return {
    theme: remember("theme", "system", oneOf("system", "dark", "light")),
    colours: remember("colours", "default", oneOf("default", "swapped", "colour-blind")),
    timeZone: remember("timeZone", "local", oneOf("utc", "local")),
    numbers: remember("numbers", "system", oneOf(...NUMBER_CHOICES)),
    sounds: remember("sounds", false, isBoolean),
    confirms: remember("confirms", true, isBoolean),
    warnPrice: remember("warnPrice", "", isText),
    warnValue: remember("warnValue", "", isText),
    warnBook: remember("warnBook", "", isText),
    favourites: remember("favourites", [], isFavourites),
    symbol: remember("symbol", "", isText),
    layout: remember("layout", FIRST_LAYOUT, isLayout),
    remember,
    reread: () => shared.forEach((one) => one()),
  };
}

// Sets the selected theme on the root element for the style sheets.

/** Applies the theme setting, and the system's theme if the setting is "system". */
export function keepTheme({ theme, colours }: Preferences): void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const isLight = signal(light.matches);
  light.addEventListener("change", () => {
    isLight.value = light.matches;
  });
  effect(() => {
    const { dataset } = document.documentElement;
    dataset.theme = theme.value === "system" ? (isLight.value ? "light" : "dark") : theme.value;
    dataset.colours = colours.value;
  });
}

/** Applies the number setting, and the locale, by default the browser's, if the setting is "system". */
export function keepNumbers({ numbers }: Pick<Preferences, "numbers">, locale = () => navigator.language): void {
  const style = computed(() => styleOf(numbers.value, locale()));
  followStyle(() => style.value);
}
