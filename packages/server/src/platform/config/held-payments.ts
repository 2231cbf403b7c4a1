/**
 * While `<data>/payments.held` exists, the node makes no payments on any network. A restored folder contains this file,
 * because payments that are pending in it may have been made after the backup. The operator deletes it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./private-file.ts";

const NAME = "payments.held";
const TEXT = `This data folder was restored from a backup. Payments made after the backup are not in its journal, and would be
made again. No withdrawal is paid while this file exists. Compare the payments that the networks' hot wallets have sent
since the backup with the open withdrawals ("pricetime withdrawal list"), as described in docs/guides/backup-and-restore.md.
Then remove this file. You do not need to restart the node.
`;

export function heldPaymentsPath(dataFolder: string): string {
  return join(dataFolder, NAME);
}

export function holdPayments(dataFolder: string): void {
  writePrivateFile(heldPaymentsPath(dataFolder), TEXT);
}

/** Returns why payments are held, or "" if they are not. */
export function whyPaymentsAreHeld(dataFolder: string): string {
  const path = heldPaymentsPath(dataFolder);
  return existsSync(path) ? `payments are held until ${path} is removed; the file explains why` : "";
}
