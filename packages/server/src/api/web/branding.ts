/** The venue's name, logo, colors and support address in the pages: the files, and their links in the built pages. */
import { readFileSync, statSync } from "node:fs";
import type { Config } from "../../platform/config/config.ts";
import { accentColors, type EmailLanguage, THEMES } from "../../platform/config/branding-schema.ts";
import { ConfigError } from "../../platform/config/faults.ts";
import { webFile, type WebFile } from "./file.ts";
import { escaped } from "./html.ts";

/** The path of the branding's files on both ports. Their names contain a hash of their content. */
export const BRANDING_FILES = "/branding/";

const MAX_LOGO_BYTES = 262_144;
const MIN_LOGO_PIXELS = 16;
const MAX_LOGO_PIXELS = 1024;

/** What built pages need to link to the branding. All paths are relative to the node's URL, without a leading slash. */
export interface PageBranding {
  readonly name: string | null;
  readonly support: string | null;
  readonly logo: string | null;
  readonly colors: string | null;
}

export interface Branding {
  readonly page: PageBranding;
  readonly files: ReadonlyMap<string, WebFile>;
  /** The logo's PNG, for emails; null if there is none. */
  readonly logo: Buffer | null;
}

export const NO_BRANDING: Branding = {
  page: { name: null, support: null, logo: null, colors: null },
  files: new Map(),
  logo: null,
};

/** The branding of pages that emails link to. */
export interface EmailedPageBranding {
  readonly page: PageBranding;
  /** The language for customers who have chosen none. */
  readonly language: EmailLanguage;
}

export const UNBRANDED: EmailedPageBranding = { page: NO_BRANDING.page, language: "en" };

/** The settings of pages. */
type PageSettings = Omit<Config["branding"], "language">;

/** Reads the logo and makes the style sheet. Throws `ConfigError` if the logo is not within its limits. */
export function readBranding(settings: PageSettings): Branding {
  const { name = null, support = null, logoFile } = settings;
  const logo = logoFile === undefined ? null : readLogo(logoFile);
  const files = new Map<string, WebFile>();
  const add = (prefix: "logo" | "colors", bytes: Buffer, extension: string, contentType: string): string => {
    const file = webFile(bytes, { contentType, keeping: "for good" });
    const path = `${BRANDING_FILES}${prefix}-${file.tag}.${extension}`;
    files.set(path, file);
    return path.slice(1);
  };
  const css = styleOf(settings);
  const logoPath = logo === null ? null : add("logo", logo, "png", "image/png");
  const colors = css === "" ? null : add("colors", Buffer.from(css), "css", "text/css;charset=UTF-8");
  return { page: { name, support, logo: logoPath, colors }, files, logo };
}

/** How emails name the venue, and their language if the customer has chosen none. */
export function emailVenueOf(
  { page: { name, support } }: Branding,
  { language }: Pick<Config["branding"], "language">,
) {
  return { name, support, language } as const;
}

/** The branding of emails, which are shown on white. */
export function emailBrandingOf(
  { page: { name }, logo }: Branding,
  { accentLight }: PageSettings,
): { readonly name: string | null; readonly accent: string | null; readonly logo: Buffer | null } {
  return { name, accent: accentLight ?? null, logo };
}

function styleOf({ accentLight, accentDark }: PageSettings): string {
  const rule = (theme: keyof typeof THEMES, accent: string | undefined): string => {
    if (accent === undefined) return "";
    const { soft, ink } = accentColors(accent, THEMES[theme]);
    return `:root[data-theme="${theme}"]{--accent:${accent};--accent-ink:${ink};--accent-soft:${soft}}\n`;
  };
  return rule("dark", accentDark) + rule("light", accentLight);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The offset of the image's width: after the signature, and the length and the name of the first chunk. */
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

function readLogo(path: string): Buffer {
  const fault = (what: string): ConfigError => new ConfigError(`branding.logoFile: ${path}: ${what}`);
  let bytes: Buffer;
  try {
    const { size } = statSync(path);
    if (size > MAX_LOGO_BYTES) throw fault(`the logo has ${size} bytes; the maximum is ${MAX_LOGO_BYTES}`);
    bytes = readFileSync(path);
  } catch (error) {
    throw error instanceof ConfigError ? error : fault(`the file cannot be read: ${(error as Error).message}`);
  }
  const isPng = bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) && bytes.toString("latin1", 12, 16) === "IHDR";
  if (!isPng || bytes.length < HEIGHT_AT + 4) throw fault("this is not a PNG file. Convert the logo to PNG");
  const [width, height] = [bytes.readUInt32BE(WIDTH_AT), bytes.readUInt32BE(HEIGHT_AT)];
  const isFit = (side: number): boolean => side >= MIN_LOGO_PIXELS && side <= MAX_LOGO_PIXELS;
  if (!isFit(width) || !isFit(height)) {
    throw fault(
      `the logo is ${width} x ${height} pixels; each side must be ${MIN_LOGO_PIXELS} to ${MAX_LOGO_PIXELS} pixels`,
    );
  }
  return bytes;
}

/** The name of the program in built pages, which the venue's name replaces. */
const PROGRAM = "Pricetime";

/** Adds the branding to a built page. `up`: the relative URL of the node from the page, such as `../`. */
export function brandedPage(page: Buffer, { name, support, logo, colors }: PageBranding, up: string): Buffer {
  const links = [
    ...(name === null && support === null
      ? []
      : [`<meta name="venue" content="${escaped(JSON.stringify({ name, support }))}" />`]),
    ...(logo === null ? [] : [`<link rel="icon" data-logo href="${up}${logo}" type="image/png" />`]),
    ...(colors === null ? [] : [`<link rel="stylesheet" href="${up}${colors}" />`]),
  ];
  if (links.length === 0) return page;
  const html = page.toString("utf8");
  const named = html.replace(/<title>[^<]*<\/title>/, (title) =>
    title.replace(PROGRAM, () => escaped(name ?? PROGRAM)),
  );
  const iconless = logo === null ? named : named.replace(/<link rel="icon"[^>]*>/g, "");
  return Buffer.from(iconless.replace("</head>", () => `  ${links.join("\n    ")}\n  </head>`));
}
