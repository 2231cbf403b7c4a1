/** How the engine's cost grows with resting orders and accounts, and the memory that each takes. */
import { median } from "@pricetime/testkit/quantile";
import { measuredIn } from "../measure.ts";

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

export async function growth(): Promise<string[]> {
  const program = new URL("./growth-process.ts", import.meta.url);
  const measured = async (cases: readonly (readonly [resting: number, accounts: number])[]): Promise<Growth[]> => {
    const all: Growth[] = [];
    for (const each of cases) all.push(await measuredIn<Growth>(program, each.map(String)));
    return all;
  };
  const byResting = await measured(RESTING.map((resting) => [resting, USUAL_ACCOUNTS]));
  const byAccounts = await measured(ACCOUNTS.map((accounts) => [USUAL_RESTING, accounts]));
  const list = (heads: readonly number[], all: readonly Growth[]): string =>
    heads.map((head, i) => `1e${Math.log10(head)}: ${median(all[i]?.nsPerCommand ?? []).toFixed(0)}`).join(", ");
  return [
    `mixed flow, ns/command by resting orders: ${list(RESTING, byResting)}`,
    `mixed flow, ns/command by accounts: ${list(ACCOUNTS, byAccounts)}`,
    `bytes per resting order beyond its client id: ${byResting.at(-1)?.bytesPerOrder.toFixed(0)}`,
    `bytes per account with two balances: ${byAccounts.at(-1)?.bytesPerAccount.toFixed(0)}`,
  ];
}
