/**
 * While `<data>/payments.held` exists, nothing is paid on any network. A restored folder contains it, because what its
 * journal still wants to pay may have been paid after the backup; the operator removes it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./private-file.ts";

const NAME = "payments.held";
const TEXT = `This data folder was restored from a backup. What was paid after the backup is not in its journal, and would be
paid once more: so no withdrawal is paid while this file is here. Compare what the networks' hot wallets sent since with
the withdrawals that the exchange wants to pay ("pricetime withdrawal list"), as the guide to backup and restore says;
then remove this file. The node notices by itself.
`;

export function heldPaymentsPath(dataFolder: string): string {
  return join(dataFolder, NAME);
}

export function holdPayments(dataFolder: string): void {
  writePrivateFile(heldPaymentsPath(dataFolder), TEXT);
}

/** Returns why nothing is paid, or "" when payments go out. */
export function whyPaymentsAreHeld(dataFolder: string): string {
  const path = heldPaymentsPath(dataFolder);
  return existsSync(path) ? `payments are held: ${path} says why` : "";
}
