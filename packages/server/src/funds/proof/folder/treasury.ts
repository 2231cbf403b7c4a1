/**
 * Recomputes assets and liabilities from the ledger. For every asset, the balances must equal inflow minus outflow.
 * Amounts are decimals of the asset.
 */
import { formatDecimal, OUTSIDE_ACCOUNT, type Posting, type PostingReason } from "@pricetime/engine";
import { HOUSE_NAMES, type HouseAccount, type Owed, owedIn } from "../statement.ts";
import type { AssetTreasury, Flows, Treasury } from "./port.ts";
import { positionOf, stateAt, type StateAtOptions } from "./state-at.ts";

/**
 * Computes assets and liabilities at a position. `withFlows`: also the flows, by replaying the journal from its first
 * row. Throws the errors of `stateAt`.
 */
export function treasuryAt(options: Omit<StateAtOptions, "visit">, withFlows: boolean): Treasury {
  const flows = new OutsideFlows();
  const visit = withFlows
    ? { visit: (_: unknown, __: unknown, { postings }: { postings: readonly Posting[] }) => flows.add(postings) }
    : {};
  const state = stateAt({ ...options, ...visit });
  let isBalanced = true;
  const assets = owedIn(state.engine).map((owed) => {
    const house = HOUSE_NAMES.reduce((sum, name) => sum + owed.house[name], 0n);
    const difference = owed.net - owed.total - house;
    const net = flows.netOf(owed.assetId);
    isBalanced &&= difference === 0n && (!withFlows || net === owed.net);
    return { ...told(owed, difference), ...(withFlows && { flows: flows.told(owed) }) };
  });
  return { ...positionOf(state), isBalanced, assets };
}

function told(
  { asset, decimals, holdings, total, locked, leaving, house, net }: Owed,
  difference: bigint,
): AssetTreasury {
  const decimal = (units: bigint): string => formatDecimal(units, decimals);
  const houseTold = Object.fromEntries(HOUSE_NAMES.map((name) => [name, decimal(house[name])]));
  return {
    ...{ asset, customers: decimal(total), locked: decimal(locked), leaving: decimal(leaving) },
    ...{ holders: holdings.accountIds.length, house: houseTold as Record<HouseAccount, string> },
    ...{ net: decimal(net), difference: decimal(difference) },
  };
}

type Sums = Map<PostingReason, bigint>;

/** Accumulates inflow and outflow by asset and reason. */
class OutsideFlows {
  readonly #in = new Map<number, Sums>();
  readonly #out = new Map<number, Sums>();

  add(postings: readonly Posting[]): void {
    for (const { assetId, amount, fromAccountId, toAccountId, reason } of postings) {
      if (fromAccountId === OUTSIDE_ACCOUNT) addTo(this.#in, assetId, reason, amount);
      if (toAccountId === OUTSIDE_ACCOUNT) addTo(this.#out, assetId, reason, amount);
    }
  }

  netOf(assetId: number): bigint {
    return totalOf(this.#in.get(assetId)) - totalOf(this.#out.get(assetId));
  }

  told({ assetId, decimals }: Owed): Flows {
    const net = formatDecimal(this.netOf(assetId), decimals);
    return { in: byReason(this.#in.get(assetId), decimals), out: byReason(this.#out.get(assetId), decimals), net };
  }
}

function addTo(flows: Map<number, Sums>, assetId: number, reason: PostingReason, amount: bigint): void {
  const sums: Sums = flows.get(assetId) ?? new Map();
  flows.set(assetId, sums.set(reason, (sums.get(reason) ?? 0n) + amount));
}

function totalOf(sums: Sums = new Map()): bigint {
  return [...sums.values()].reduce((total, sum) => total + sum, 0n);
}

function byReason(sums: Sums = new Map(), decimals: number): Record<string, string> {
  return Object.fromEntries([...sums].map(([reason, sum]) => [reason, formatDecimal(sum, decimals)]));
}
