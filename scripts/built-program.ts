/**
 * Builds the program as in the package, for tests, which start it hundreds of times: from the sources a start takes
 * twice as long. Documents and the built pages are those of the repository.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../test/tidy/source.ts";
import { makeProgram } from "./package/program.ts";

/** Builds it into a folder that is removed when this process exits. Resolves to the folder. */
export async function buildProgram(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-built-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await makeProgram(folder);
  // The places where `packages/server/src/api/web/assets.ts` looks for them in a package. The link may be created
  // before the pages are built.
  symlinkSync(join(ROOT, "docs"), join(folder, "docs"), "junction");
  symlinkSync(join(ROOT, "packages/web/dist"), join(folder, "lib/web/terminal"), "junction");
  return folder;
}
