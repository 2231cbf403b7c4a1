/** Money that comes and goes by an operator's hand. Each reference moves money once. */
import { type EngineView, formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { decimal, text } from "../config/listing-schema.ts";
import { created, refusalOf } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAccount, parseWith } from "./parse.ts";
import type { Route } from "./router.ts";

const moveSchema = z.strictObject({
  /** Number or mail address. */
  account: z.union([text, z.int().min(1).transform(String)]),
  asset: text,
  amount: decimal,
  reference: text,
});

export function fundsRoutes(node: AdminNode): Route[] {
  return (["deposit", "debit"] as const).map((type) => ({
    method: "POST",
    pattern: `/v1/${type}s`,
    handle: async ({ body, by }) => {
      const { account, ...move } = parseWith(moveSchema, body);
      const { accountId } = findAccount(node.view, account);
      await carryOut(node, { type, accountId, ...move, by });
      return created({ accountId, ...move, free: freeOf(node.view, accountId, move.asset) });
    },
  }));
}

function freeOf(view: EngineView, accountId: number, name: string): string {
  const asset = view.assets().find(({ spec }) => spec.asset === name);
  if (asset === undefined) throw refusalOf("UNKNOWN_ASSET");
  return formatDecimal(view.balance(accountId, asset.assetId).free, asset.spec.precision);
}
