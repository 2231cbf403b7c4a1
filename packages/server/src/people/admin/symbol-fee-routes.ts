/** What a symbol costs: the rates that new accounts get, and the accounts whose rates differ. */
import type { EngineView } from "@pricetime/engine";
import { z } from "zod";
import { findMarket } from "./find-market.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import type { Route } from "./router.ts";

const MAX_ACCOUNTS = 500;
const feesQuery = z.strictObject({
  /** The account after which the page begins. */
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(MAX_ACCOUNTS).default(100),
});

interface Rates {
  readonly makerBps: number;
  readonly takerBps: number;
}

interface OtherRates extends Rates {
  readonly accountId: number;
  readonly email: string;
  /** Whether they are of this symbol alone, and override the account's own. */
  readonly isOfSymbol: boolean;
}

export function symbolFeeRoute({ view, fees }: AdminNode): Route {
  return listRoute({
    pattern: "/v1/symbols/:symbol/fees",
    summary: "Returns the default fee rates, and the accounts that have other rates on the symbol.",
    answers: "Rates in basis points. Send `next` as `after` for the next page; null: this is the last page.",
    query: feesQuery,
    columns: ["accountId", "email", "makerBps", "takerBps", "isOfSymbol"],
    filePage: { limit: MAX_ACCOUNTS },
    page: ({ path, asked: { after, limit } }) => {
      const { symbolId, spec } = findMarket(view, path["symbol"]);
      const { makerBps, takerBps } = fees;
      const accounts = othersOn(view, symbolId, { fees, after, limit });
      const next = accounts.length < limit ? undefined : accounts.at(-1)?.accountId;
      return {
        rows: accounts,
        body: { symbol: spec.symbol, makerBps, takerBps, accounts, next: next ?? null },
        next: next === undefined ? undefined : { after: next },
      };
    },
  });
}

function othersOn(
  view: EngineView,
  symbolId: number,
  { fees, after, limit }: { readonly fees: Rates; readonly after: number; readonly limit: number },
): OtherRates[] {
  const others: OtherRates[] = [];
  for (const account of view.accounts()) {
    const { accountId, email } = account;
    if (accountId <= after) continue;
    const rates = view.fees(accountId, symbolId);
    if (isSame(rates, fees)) continue;
    const { makerBps, takerBps } = rates;
    others.push({ accountId, email, makerBps, takerBps, isOfSymbol: !isSame(rates, account) });
    if (others.length === limit) break;
  }
  return others;
}

const isSame = (one: Rates, other: Rates): boolean =>
  one.makerBps === other.makerBps && one.takerBps === other.takerBps;
