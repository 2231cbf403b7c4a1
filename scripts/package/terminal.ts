/** The terminal in the package, built for it, where `packages/server/src/web/assets.ts` looks for it. */
import { join, relative } from "node:path";
import { build } from "vite";
import { ROOT } from "../../test/tidy/source.ts";

const PACKAGE = join(ROOT, "packages/web");
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Writes it; returns the folders of the packages that are part of it, from the root of the repository. */
export async function buildTerminal(packageFolder: string): Promise<readonly string[]> {
  const outDir = join(packageFolder, "lib/web/terminal");
  const configFile = join(PACKAGE, "vite.config.ts");
  const made = await build({ root: PACKAGE, configFile, logLevel: "warn", build: { outDir } });
  const outputs = [made].flat().flatMap((one) => ("output" in one ? one.output : []));
  const modules = outputs.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  if (modules.length === 0) throw new Error("the build of the terminal told no modules");
  const paths = modules.map((id) => relative(ROOT, id).replaceAll("\\", "/"));
  return [...new Set(paths.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []))];
}
