/**
 * The program as the package has it, for tests, which start it hundreds of times: from the sources it takes twice as long to start.
 * Documents and the pages' builds are those of the repository.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../test/tidy/source.ts";
import { makeProgram } from "./package/program.ts";

/** Builds it into a folder of its own, which goes with this process. Resolves to the folder. */
export async function buildProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-built-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await makeProgram(folder);
  // Where `packages/server/src/api/web/assets.ts` looks for them in a package. A build may come later: the link waits for it.
  symlinkSync(join(ROOT, "docs"), join(folder, "docs"), "junction");
  symlinkSync(join(ROOT, "packages/web/dist"), join(folder, "lib/web/terminal"), "junction");
  return folder;
}
