/** Routes for money that operators pay in and out by hand. Each reference moves money once. */
import { type EngineView, formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { decimal, text } from "../config/listing-schema.ts";
import { created } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { accountName, findAsset, findHolder, VENUE_ACCOUNTS } from "./parse.ts";
import { type Route, route } from "./router.ts";

const moveSchema = z.strictObject({
  /** A customer's account, or one of the venue's own: `treasury`, `dust`, `fees`. */
  account: accountName,
  asset: text,
  amount: decimal,
  reference: text,
});

export function fundsRoutes(node: AdminNode): Route[] {
  const moves = (["deposit", "debit"] as const).map((type) =>
    route({
      method: "POST",
      pattern: `/v1/${type}s`,
      needs: "money",
      summary: `${type === "deposit" ? "Puts money into" : "Takes money from"} an account, once for each reference.`,
      status: 201,
      body: moveSchema,
      handle: async ({ body: { account, ...move }, by }) => {
        const accountId = findHolder(node.view, account);
        findAsset(node.view, move.asset);
        await carryOut(node, { type, accountId, ...move, by });
        return created({ accountId, ...move, free: freeOf(node.view, accountId, move.asset) });
      },
    }),
  );
  const venue = listRoute({
    pattern: "/v1/venue",
    summary: "What the venue's own accounts hold: fees, treasury, dust.",
    columns: ["account", "asset", "free"],
    page: () => ({ rows: venueBalances(node.view) }),
  });
  return [...moves, venue];
}

function freeOf(view: EngineView, accountId: number, name: string): string {
  const { assetId, spec } = findAsset(view, name);
  return formatDecimal(view.balance(accountId, assetId).free, spec.precision);
}

/** The balances of the venue's own accounts. With a treasury below zero the venue owes its customers. */
function venueBalances(view: EngineView): object[] {
  return Object.entries(VENUE_ACCOUNTS).flatMap(([account, accountId]) =>
    view.assets().flatMap(({ assetId, spec }) => {
      const { free } = view.balance(accountId, assetId);
      return free === 0n ? [] : [{ account, asset: spec.asset, free: formatDecimal(free, spec.precision) }];
    }),
  );
}
