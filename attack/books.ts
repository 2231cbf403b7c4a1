/** Verifies the accounts in a data folder with the program's own command. */
import { pricetime } from "@pricetime/testkit/venue";

/**
 * `journal verify`: hash chain, states, and that all postings of each asset add up to zero. Null if there is no fault.
 */
export function faultOfBooks(folder: string): string | null {
  const { code, stdout, stderr } = pricetime("journal", "verify", "--data", folder);
  return code === 0 ? null : `${stdout}${stderr}`.trim().slice(-300);
}
