/**
 * Copies the files of pages to the places where `packages/server/src/api/web/assets.ts` looks for them in a package.
 */
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ASSET_FILES, ASSET_FOLDERS } from "../../packages/server/src/api/web/assets.ts";

/**
 * Packages whose files are served, as paths relative to the root of the repository. Their licenses are included. The
 * last one is the font.
 */
export const SERVED_PACKAGES = [
  "node_modules/swagger-ui-dist",
  "node_modules/@noble/hashes",
  "packages/web/src/style/inter",
];

export function copyAssets(packageFolder: string): void {
  for (const [folder, name] of ASSET_FILES) {
    const to = join(packageFolder, "lib/web", folder, name);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ASSET_FOLDERS[folder], name), to);
  }
}
