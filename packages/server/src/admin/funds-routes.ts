/** Money that comes and goes by an operator's hand. Each reference moves money once. */
import { type EngineView, formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { decimal, text } from "../config/listing-schema.ts";
import { created, ok } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { accountName, findAsset, findHolder, parseWith, VENUE_ACCOUNTS } from "./parse.ts";
import type { Route } from "./router.ts";

const moveSchema = z.strictObject({
  /** Or `treasury`, `dust`, `fees`: the venue's own. */
  account: accountName,
  asset: text,
  amount: decimal,
  reference: text,
});

export function fundsRoutes(node: AdminNode): Route[] {
  const moves = (["deposit", "debit"] as const).map(
    (type): Route => ({
      method: "POST",
      pattern: `/v1/${type}s`,
      handle: async ({ body, by }) => {
        const { account, ...move } = parseWith(moveSchema, body);
        const accountId = findHolder(node.view, account);
        findAsset(node.view, move.asset);
        await carryOut(node, { type, accountId, ...move, by });
        return created({ accountId, ...move, free: freeOf(node.view, accountId, move.asset) });
      },
    }),
  );
  return [...moves, { method: "GET", pattern: "/v1/venue", handle: () => ok(venueBalances(node.view)) }];
}

function freeOf(view: EngineView, accountId: number, name: string): string {
  const { assetId, spec } = findAsset(view, name);
  return formatDecimal(view.balance(accountId, assetId).free, spec.precision);
}

/** What the venue's own accounts hold. A treasury below zero: the venue owes its customers. */
function venueBalances(view: EngineView): object[] {
  return Object.entries(VENUE_ACCOUNTS).flatMap(([account, accountId]) =>
    view.assets().flatMap(({ assetId, spec }) => {
      const { free } = view.balance(accountId, assetId);
      return free === 0n ? [] : [{ account, asset: spec.asset, free: formatDecimal(free, spec.precision) }];
    }),
  );
}
