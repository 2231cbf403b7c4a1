/** The configuration of the venue's name, logo, colors and support address, which pages and emails show. */
import { z } from "zod";
import { text } from "./listing-schema.ts";

const MAX_NAME_LENGTH = 40;
const MAX_SUPPORT_LENGTH = 200;
/** The least contrast of a text on its background (WCAG 2.2, level AA). */
const MIN_CONTRAST = 4.5;

type Color = readonly [red: number, green: number, blue: number];

export interface ThemeColors {
  /** The backgrounds on which the pages show texts in the accent color, as in `tokens.css`. */
  readonly grounds: readonly string[];
  /** The background of panels, which the soft accent is mixed into. */
  readonly panel: string;
  /** The share of the accent in the soft accent, which marks selected controls. */
  readonly softShare: number;
  /** The colors of texts on the accent, of which the one with more contrast is chosen. */
  readonly inks: readonly [string, string];
}

const INKS = ["#ffffff", "#04110f"] as const;

export const THEMES = {
  dark: { grounds: ["#080b0d", "#0e1214", "#161c1f"], panel: "#0e1214", softShare: 0.16, inks: INKS },
  light: { grounds: ["#eceeed", "#ffffff"], panel: "#ffffff", softShare: 0.1, inks: INKS },
} as const satisfies Record<string, ThemeColors>;

function colorOf(hex: string): Color {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** The relative luminance of sRGB (WCAG 2.2). */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrastOf(one: string, other: string): number {
  const [a, b] = [luminance(colorOf(one)), luminance(colorOf(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function mixed(accent: string, { panel, softShare }: ThemeColors): string {
  const [from, to] = [colorOf(panel), colorOf(accent)];
  const parts = from.map((part, index) => Math.round(part + ((to[index] ?? 0) - part) * softShare));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The colors that pages derive from an accent color. */
export function accentColors(accent: string, theme: ThemeColors): { readonly soft: string; readonly ink: string } {
  const [first, second] = theme.inks;
  const ink = contrastOf(accent, first) >= contrastOf(accent, second) ? first : second;
  return { soft: mixed(accent, theme), ink };
}

/** The least contrast of texts in the accent color with their backgrounds. */
export function leastContrast(accent: string, theme: ThemeColors): number {
  return Math.min(...[...theme.grounds, mixed(accent, theme)].map((ground) => contrastOf(accent, ground)));
}

function accentIn(name: keyof typeof THEMES) {
  const towards = name === "dark" ? "lighter" : "darker";
  return z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'a color such as "#0b6e6e"')
    .superRefine((accent, context) => {
      const contrast = leastContrast(accent, THEMES[name]);
      if (contrast >= MIN_CONTRAST) return;
      context.addIssue({
        code: "custom",
        message:
          `${accent} has a contrast of ${contrast.toFixed(1)} with the backgrounds of the ${name} theme; ` +
          `texts need ${MIN_CONTRAST}. Choose a ${towards} color`,
      });
    });
}

/** The languages of emails and account pages. */
export const EMAIL_LANGUAGES = ["en", "de"] as const;
export type EmailLanguage = (typeof EMAIL_LANGUAGES)[number];

export const brandingSchema = z.strictObject({
  /** The language of emails to customers who have not chosen one. Default: en. */
  language: z.enum(EMAIL_LANGUAGES).default("en"),
  /** Default: the pages show the name of the program, and emails the venue's URL. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(MAX_NAME_LENGTH)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "one line without control characters")
    .exactOptional(),
  /** The path of a PNG file. */
  logoFile: text.exactOptional(),
  accentLight: accentIn("light").exactOptional(),
  accentDark: accentIn("dark").exactOptional(),
  /** An email address or a URL. */
  support: z
    .string()
    .max(MAX_SUPPORT_LENGTH)
    .refine(
      (given) => z.email().safeParse(given).success || z.url({ protocol: /^https$/ }).safeParse(given).success,
      "must be an email address, or a URL that begins with https://",
    )
    .exactOptional(),
});
