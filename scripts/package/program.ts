/** Builds the program with all its data files: the package without its documents. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { ROOT } from "../../test/tidy/source.ts";
import { copyAssets } from "./assets.ts";
import { bundle } from "./bundle.ts";
import { copyFiles } from "./places.ts";

/** Writes it into `folder`; returns which sources are part of it. The pages are built separately: see `terminal.ts`. */
export async function makeProgram(folder: string): Promise<Metafile> {
  const { metafile, places } = await bundle(folder);
  copyFiles(places, folder);
  copyAssets(folder);
  cpSync(join(ROOT, "packages/lab/python"), join(folder, "python"), {
    recursive: true,
    filter: (path) => !path.includes("__pycache__"),
  });
  return metafile;
}
