/**
 * Finds the files that pages are made of. In a clone they are in the repository and in node_modules; in the package
 * that users install (`scripts/package`), in folders of the same names under `web`, beside the program.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { contentTypeOf } from "./content-types.ts";
import { webFile } from "./file.ts";
import type { WebFile } from "./port.ts";

/** The folders, with what each contains. */
export interface AssetFolders {
  /** Our own scripts, styles and pictures. */
  readonly browser: string;
  /** The guides, as in the repository. */
  readonly docs: string;
  /** The folder of `swagger-ui-bundle.js` and `swagger-ui.css`. */
  readonly swagger: string;
  /** The folder of `hmac.js`, `sha2.js` and their imports. */
  readonly hashes: string;
  /** The checker of proofs in Python, for customers to take along. */
  readonly proof: string;
  /** What the builds of the terminal, the console and the customers' pages made; absent where they were not built. */
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

/** The folders of the console's build and of the customers' pages in that of the terminal's. */
export const CONSOLE_FOLDER = "console";
export const ACCOUNT_FOLDER = "account";

/** Files that pages load, by name, with their folder: the address is `/assets/` and the name. */
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

/** Files at the root of the site, where browsers look for them unasked. */
const ROOT_ASSETS: readonly string[] = ["favicon.ico", "favicon.svg"];

/** The files that a package must contain, without documents: the folder, and the name of the file in it. */
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

/** Returns all assets by address. Throws errors of the disk. */
export function readAssets(): Map<string, WebFile> {
  return new Map(
    [...FILES].map(([path, file]) => [path, webFile(readFileSync(file), { contentType: contentTypeOf(file) })]),
  );
}
