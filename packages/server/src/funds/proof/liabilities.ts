/** What a venue owes, read from the state at one position. Pure. */
import {
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  type EngineView,
  FEE_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import type { Holdings } from "./sum-tree.ts";

/** The venue's own accounts, by the names under which they are shown. */
export const HOUSE_ACCOUNTS = {
  fees: FEE_ACCOUNT,
  treasury: TREASURY_ACCOUNT,
  dust: DUST_ACCOUNT,
  /** Coins that a chain has shown and that are nobody's yet. */
  arriving: DEPOSITS_ACCOUNT,
} as const;
export type HouseAccount = keyof typeof HOUSE_ACCOUNTS;
export const HOUSE_NAMES = Object.keys(HOUSE_ACCOUNTS) as readonly HouseAccount[];

/** One asset of the ledger, in its units. */
export interface Owed {
  readonly asset: string;
  readonly assetId: number;
  readonly decimals: number;
  readonly holdings: Holdings;
  /** What customers have, free and locked. */
  readonly total: bigint;
  /** The part of it that is locked by orders and withdrawals. */
  readonly locked: bigint;
  /** The part of it that withdrawals will take out once they are paid, fees included. */
  readonly leaving: bigint;
  /** Below zero only in the treasury: then the venue owes what it does not have. */
  readonly house: Readonly<Record<HouseAccount, bigint>>;
  /** What came in less what went out. `total` and the house together, unless the ledger is wrong. */
  readonly net: bigint;
}

/** Walks all accounts. A customer who has none of an asset is no holder of it. */
export function owedIn(view: EngineView): Owed[] {
  const accountIds = Array.from(view.accounts(), ({ accountId }) => accountId).toSorted((a, b) => a - b);
  const leaving = new Map<number, bigint>();
  for (const { assetId, amount } of view.funds.openWithdrawals()) {
    leaving.set(assetId, (leaving.get(assetId) ?? 0n) + amount);
  }
  return view.assets().map(({ assetId, spec }) => {
    const holdings = { accountIds: [] as number[], amounts: [] as bigint[] };
    const sums = { total: 0n, locked: 0n };
    for (const accountId of accountIds) {
      const { free, locked } = view.balance(accountId, assetId);
      const amount = free + locked;
      if (amount === 0n) continue;
      holdings.accountIds.push(accountId);
      holdings.amounts.push(amount);
      sums.total += amount;
      sums.locked += locked;
    }
    const { asset, precision: decimals } = spec;
    const about = { asset, assetId, decimals, leaving: leaving.get(assetId) ?? 0n };
    return { ...about, ...sums, holdings, house: houseOf(view, assetId), net: -heldBy(view, OUTSIDE_ACCOUNT, assetId) };
  });
}

function houseOf(view: EngineView, assetId: number): Record<HouseAccount, bigint> {
  const held = HOUSE_NAMES.map((name) => [name, heldBy(view, HOUSE_ACCOUNTS[name], assetId)]);
  return Object.fromEntries(held) as Record<HouseAccount, bigint>;
}

function heldBy(view: EngineView, accountId: number, assetId: number): bigint {
  const { free, locked } = view.balance(accountId, assetId);
  return free + locked;
}
