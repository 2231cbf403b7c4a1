/** Whether the books of a folder are right, by the program's own word. */
import { pricetime } from "@pricetime/testkit/venue";

/** `journal verify`: chain, states, and that all postings of each asset add up to zero. Null: sound. */
export function faultOfBooks(folder: string): string | null {
  const { code, stdout, stderr } = pricetime("journal", "verify", "--data", folder);
  return code === 0 ? null : `${stdout}${stderr}`.trim().slice(-300);
}
