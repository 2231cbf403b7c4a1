/** Whether the books of a folder are right, by the program's own word. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "@pricetime/testkit/venue";

/** `journal verify`: chain, states, and that all postings of each asset add up to zero. Null: sound. */
export function faultOfBooks(folder: string): string | null {
  const program = join(ROOT, "packages/server/src/cli/pricetime.ts");
  const args = ["--disable-warning=ExperimentalWarning", program, "journal", "verify", "--data", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return status === 0 ? null : `${stdout}${stderr}`.trim().slice(-300);
}
