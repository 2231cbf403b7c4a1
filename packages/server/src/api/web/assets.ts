/**
 * Finds the files of the pages. In a clone, they are in the repository and in node_modules. In the package that users
 * install (`scripts/package`), they are in folders of the same names under `web`, next to the program.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brandedPage, type PageBranding } from "./branding.ts";
import { contentTypeOf, webFile, type WebFile } from "./file.ts";
import { createRequire } from "node:module";

// A page built from `packages/web`: the terminal, the account pages, or the operators' console. A node also runs
// without these pages: the sources may be missing or not built yet.

/** Paths of the files that each page loads. The build in `packages/web` names each file by a hash of its content. */
export const TERMINAL_FILES = "/terminal/";
export const CONSOLE_FILES = "/console/";
export const ACCOUNT_FILES = "/account/files/";

export interface BuiltPage {
  readonly page: WebFile;
  /** Files by path. */
  readonly files: ReadonlyMap<string, WebFile>;
}

/**
 * Scripts and styles are loaded only from the node, and Trusted Types without any policy prevent text from becoming
 * markup or code. `'self'` includes the page's own streams; a scheme alone (`wss:`) would allow sockets to every host.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: readonly string[] = [
  ...["Content-Security-Policy", POLICY],
  ...["Cross-Origin-Opener-Policy", "same-origin"],
  ...["Referrer-Policy", "no-referrer"],
  // Other programs get a different response at the same path.
  ...["Vary", "Accept"],
];

export interface BuiltPageOptions {
  /** The path of the files that the page loads, such as `/terminal/`. Its last segment is their folder in the build. */
  readonly filesAt: string;
  readonly branding: PageBranding;
  /** The relative URL of the node from the page. */
  readonly up?: string;
  readonly keeping?: WebFile["keeping"];
}

/** Reads the build in `folder`; null if there is none. Throws disk errors. */
export function readBuiltPage(
  folder: string,
  { filesAt, branding, up = "./", keeping = "until changed" }: BuiltPageOptions,
): BuiltPage | null {
  const page = join(folder, "index.html");
  if (!existsSync(page)) return null;
  const files = new Map<string, WebFile>();
  const loaded = join(folder, basename(filesAt));
  for (const name of existsSync(loaded) ? readdirSync(loaded) : []) {
    const bytes = readFileSync(join(loaded, name));
    files.set(filesAt + name, webFile(bytes, { contentType: contentTypeOf(name), keeping: "for good" }));
  }
  const bytes = brandedPage(readFileSync(page), branding, up);
  return { page: webFile(bytes, { contentType: contentTypeOf(page), headers: HEADERS, keeping }), files };
}

/** The addresses of a built page, which are relative to it. */
const RELATIVE = /\b(href|src)="(?:\.\/)?(?![a-z]+:|\/|#)/g;

/** The same page for a path that is one level deeper: its files are found from there. */
export function oneLevelDeeper({ bytes, ...file }: WebFile): WebFile {
  return webFile(Buffer.from(bytes.toString().replace(RELATIVE, '$1="../')), file);
}

/** The folders that contain the pages' files. */
export interface AssetFolders {
  /** The folder of our own scripts, styles and images. */
  readonly browser: string;
  /** The folder of the documentation, structured as in the repository. */
  readonly docs: string;
  /** The folder of `swagger-ui-bundle.js` and `swagger-ui.css`. */
  readonly swagger: string;
  /** The folder of `hmac.js`, `sha2.js` and their imports. */
  readonly hashes: string;
  /** The folder of the Python program that customers use to check proofs of liabilities. */
  readonly proof: string;
  /**
   * The folder with the builds of the terminal, the console and the account pages; missing if they have not been built.
   */
  readonly terminal: string;
}

const HERE = import.meta.dirname;
const PACKED = join(HERE, "web");

export const ASSET_FOLDERS: AssetFolders = existsSync(join(PACKED, "browser")) ? packed() : inClone();

function packed(): AssetFolders {
  return {
    browser: join(PACKED, "browser"),
    docs: join(HERE, "../docs"),
    swagger: join(PACKED, "swagger"),
    hashes: join(PACKED, "hashes"),
    proof: join(PACKED, "proof"),
    terminal: join(PACKED, "terminal"),
  };
}

function inClone(): AssetFolders {
  const require = createRequire(import.meta.url);
  return {
    browser: join(HERE, "browser"),
    docs: join(HERE, "../../../../../docs"),
    swagger: dirname(require.resolve("swagger-ui-dist/swagger-ui.css")),
    hashes: dirname(require.resolve("@noble/hashes/sha2.js")),
    proof: join(HERE, "../../../../../examples/proof"),
    terminal: join(HERE, "../../../../web/dist"),
  };
}

/** The folders of the console and the account pages in the terminal's build folder. */
export const CONSOLE_FOLDER = "console";
export const ACCOUNT_FOLDER = "account";

/** Files that pages load, by name, with the folder of each. Their paths are `/assets/` followed by the name. */
const ASSETS: Readonly<Record<string, keyof AssetFolders>> = {
  "style.css": "browser",
  "reference.css": "browser",
  "page.js": "browser",
  "start.js": "browser",
  "docs-search.js": "browser",
  "docs-tabs.js": "browser",
  "reference.js": "browser",
  "swagger.js": "browser",
  "admin-reference.js": "browser",
  "swagger-ui-bundle.js": "swagger",
  "swagger-ui.css": "swagger",
  "hmac.js": "hashes",
  "sha2.js": "hashes",
  "_md.js": "hashes",
  "_u64.js": "hashes",
  "utils.js": "hashes",
  "proof_check.py": "proof",
};

/** Files at the root of the site, where browsers look for them. */
const ROOT_ASSETS: readonly string[] = ["favicon.ico", "favicon.svg"];

/** The files that a package must contain, except documents: the folder and name of each. */
export const ASSET_FILES: readonly (readonly [folder: keyof AssetFolders, name: string])[] = [
  ...ROOT_ASSETS.map((name) => ["browser", name] as const),
  ...Object.entries(ASSETS).map(([name, folder]) => [folder, name] as const),
];

const FILES: ReadonlyMap<string, string> = new Map([
  ...ROOT_ASSETS.map((name) => [`/${name}`, join(ASSET_FOLDERS.browser, name)] as const),
  ...Object.entries(ASSETS).map(([name, folder]) => [`/assets/${name}`, join(ASSET_FOLDERS[folder], name)] as const),
]);

export function isAsset(path: string): boolean {
  return FILES.has(path);
}

/** All assets by path. Throws disk errors. */
export function readAssets(): Map<string, WebFile> {
  return new Map(
    [...FILES].map(([path, file]) => [path, webFile(readFileSync(file), { contentType: contentTypeOf(file) })]),
  );
}
