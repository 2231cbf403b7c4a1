/** Routes that concern the whole venue: suspensions, maintenance, dust and dividends. */
import { formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { assetName, bps, decimal, text } from "../../platform/config/listing-schema.ts";
import { type Answer, created, ok, refusalOf } from "./answer.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { type Booked, bookedAct, carryOutOnce } from "./once.ts";
import { findAsset } from "./parse.ts";
import { type Route, route } from "./router.ts";

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
  /** Each reference pays once, however often it is sent. */
  reference: text,
});

export function venueRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    route({
      method: "GET",
      pattern: "/v1/maintenance",
      needs: "view",
      summary: "Returns whether the venue is in maintenance.",
      handle: () => ok({ isOn: view.isInMaintenance }),
    }),
    route({
      method: "PUT",
      pattern: "/v1/maintenance",
      needs: "venue",
      summary: "Starts or ends maintenance. During maintenance orders are rejected and cancels are accepted.",
      body: maintenanceSchema,
      handle: async ({ body, by }) => {
        await carryOut(node, { type: "setMaintenance", ...body, by });
        return ok({ isOn: view.isInMaintenance });
      },
    }),
    route({
      method: "GET",
      pattern: "/v1/dust-rules",
      needs: "view",
      summary: "Returns the rules for converting small balances (dust).",
      handle: () => {
        if (view.funds.dustRules === undefined) throw refusalOf("DUST_NOT_OFFERED");
        return ok(view.funds.dustRules);
      },
    }),
    route({
      method: "PUT",
      pattern: "/v1/dust-rules",
      needs: "money",
      summary: "Sets the rules for converting small balances (dust).",
      body: dustSchema,
      handle: async ({ body: rules, by }) => {
        for (const name of [rules.dustAsset, rules.limitAsset]) findAsset(view, name);
        await carryOut(node, { type: "setDustRules", rules, by });
        return ok(view.funds.dustRules);
      },
    }),
    route({
      method: "POST",
      pattern: "/v1/dividends",
      needs: "money",
      summary:
        "Pays a dividend from the treasury to the holders of an asset, in proportion to their balances, once per reference.",
      answers:
        "The payment; for an equal repeat, the contents of the first request. 409 `REPEAT_DIFFERS` with `record`: the reference " +
        "was used for a different dividend.",
      status: 201,
      body: dividendSchema,
      handle: ({ body, by }) => payDividend(node, body, by),
    }),
  ];
}

async function payDividend(node: AdminNode, dividend: z.output<typeof dividendSchema>, by: string): Promise<Answer> {
  for (const name of [dividend.heldAsset, dividend.paidAsset]) findAsset(node.view, name);
  const { reference } = dividend;
  const booked = (): Promise<Booked> => bookedAct(node, node.view.funds.dividend(reference)?.seq);
  const events = await carryOutOnce(node, { type: "distributeDividend", ...dividend, by }, booked);
  if (events === null) return created({ ...(await booked()), tranId: node.view.funds.dividend(reference)?.tranId });
  const paid = events.filter((event) => event.type === "dividendPaid");
  const { precision } = findAsset(node.view, dividend.paidAsset).spec;
  const total = paid.reduce((sum, { amount }) => sum + amount, 0n);
  return created({ ...dividend, tranId: paid[0]?.tranId, holders: paid.length, paid: formatDecimal(total, precision) });
}
