/**
 * Builds the terminal, the console and the customer pages for the package, in the place where
 * `packages/server/src/api/web/assets.ts` looks for them.
 */
import { join, relative } from "node:path";
import { build } from "vite";
import { ACCOUNT_FOLDER, CONSOLE_FOLDER } from "../../packages/server/src/api/web/assets.ts";
import { ROOT } from "../../test/tidy/source.ts";

const PACKAGE = join(ROOT, "packages/web");
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Writes them; returns the folders of the bundled packages, relative to the root of the repository. */
export async function buildTerminal(packageFolder: string): Promise<readonly string[]> {
  const outDir = join(packageFolder, "lib/web/terminal");
  const made = [
    await build({ root: PACKAGE, configFile: join(PACKAGE, "vite.config.ts"), logLevel: "warn", build: { outDir } }),
    // Runs after the terminal's build, which empties the folder.
    await build({
      configFile: join(PACKAGE, "vite.console.config.ts"),
      logLevel: "warn",
      build: { outDir: join(outDir, CONSOLE_FOLDER) },
    }),
    await build({
      configFile: join(PACKAGE, "vite.account.config.ts"),
      logLevel: "warn",
      build: { outDir: join(outDir, ACCOUNT_FOLDER) },
    }),
  ];
  const outputs = made.flat().flatMap((one) => ("output" in one ? one.output : []));
  const modules = outputs.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  if (modules.length === 0) throw new Error("the builds of the pages told no modules");
  const paths = modules.map((id) => relative(ROOT, id).replaceAll("\\", "/"));
  return [...new Set(paths.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []))];
}
