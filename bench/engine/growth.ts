/** How the engine's cost grows with resting orders and accounts, and the memory that each takes. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "@pricetime/testkit/quantile";

const RESTING = [1_000, 10_000, 100_000, 1_000_000];
const ACCOUNTS = [10, 1_000, 100_000];
const USUAL_ACCOUNTS = 200;
const USUAL_RESTING = 10_000;

/** The output of `growth-process.ts`. */
export interface Growth {
  /** One figure per round; the first round is a warm-up and left out. */
  readonly nsPerCommand: readonly number[];
  readonly bytesPerAccount: number;
  /** Without its client order ID. */
  readonly bytesPerOrder: number;
}

export function growth(): string[] {
  const byResting = RESTING.map((resting) => measure(resting, USUAL_ACCOUNTS));
  const byAccounts = ACCOUNTS.map((accounts) => measure(USUAL_RESTING, accounts));
  const list = (heads: readonly number[], all: readonly Growth[]): string =>
    heads.map((head, i) => `1e${Math.log10(head)}: ${median(all[i]?.nsPerCommand ?? []).toFixed(0)}`).join(", ");
  return [
    `mixed flow, ns/command by resting orders: ${list(RESTING, byResting)}`,
    `mixed flow, ns/command by accounts: ${list(ACCOUNTS, byAccounts)}`,
    `bytes per resting order beyond its client id: ${byResting.at(-1)?.bytesPerOrder.toFixed(0)}`,
    `bytes per account with two balances: ${byAccounts.at(-1)?.bytesPerAccount.toFixed(0)}`,
  ];
}

function measure(resting: number, accounts: number): Growth {
  const args = [fileURLToPath(new URL("./growth-process.ts", import.meta.url)), String(resting), String(accounts)];
  return JSON.parse(
    execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], { encoding: "utf8" }),
  );
}
