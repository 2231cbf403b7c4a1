/** What concerns the whole venue: maintenance, dust and dividends. */
import { formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { assetName, bps, decimal, text } from "../config/listing-schema.ts";
import { type Answer, created, ok, refusalOf } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAsset, parseWith } from "./parse.ts";
import type { Route } from "./router.ts";

const maintenanceSchema = z.strictObject({ isOn: z.boolean() });
const MAX_PAUSE_MS = 365 * 86_400_000;
const dustSchema = z.strictObject({
  dustAsset: assetName,
  chargeBps: bps.default(200),
  limitAsset: assetName,
  limit: decimal,
  pauseMs: z.int().min(0).max(MAX_PAUSE_MS).default(86_400_000),
});
const dividendSchema = z.strictObject({
  heldAsset: assetName,
  paidAsset: assetName,
  amount: decimal,
  info: text,
  /** The same one pays once, however often it is sent. */
  reference: text,
});

export function venueRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    { method: "GET", pattern: "/v1/maintenance", handle: () => ok({ isOn: view.isInMaintenance }) },
    {
      method: "PUT",
      pattern: "/v1/maintenance",
      handle: async ({ body, by }) => {
        await carryOut(node, { type: "setMaintenance", ...parseWith(maintenanceSchema, body), by });
        return ok({ isOn: view.isInMaintenance });
      },
    },
    {
      method: "GET",
      pattern: "/v1/dust-rules",
      handle: () => {
        if (view.dustRules === undefined) throw refusalOf("DUST_NOT_OFFERED");
        return ok(view.dustRules);
      },
    },
    {
      method: "PUT",
      pattern: "/v1/dust-rules",
      handle: async ({ body, by }) => {
        const rules = parseWith(dustSchema, body);
        for (const name of [rules.dustAsset, rules.limitAsset]) findAsset(view, name);
        await carryOut(node, { type: "setDustRules", rules, by });
        return ok(view.dustRules);
      },
    },
    { method: "POST", pattern: "/v1/dividends", handle: ({ body, by }) => payDividend(node, body, by) },
  ];
}

async function payDividend(node: AdminNode, body: unknown, by: string): Promise<Answer> {
  const dividend = parseWith(dividendSchema, body);
  for (const name of [dividend.heldAsset, dividend.paidAsset]) findAsset(node.view, name);
  const events = await carryOut(node, { type: "distributeDividend", ...dividend, by });
  const paid = events.filter((event) => event.type === "dividendPaid");
  const { precision } = findAsset(node.view, dividend.paidAsset).spec;
  const total = paid.reduce((sum, { amount }) => sum + amount, 0n);
  return created({ ...dividend, tranId: paid[0]?.tranId, holders: paid.length, paid: formatDecimal(total, precision) });
}
