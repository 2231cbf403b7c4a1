/** Routes of the whole venue: suspensions, maintenance, conversion of small balances, and dividends. */
import {
  type EngineView,
  formatDecimal,
  MAX_DISCOUNT_FACTOR_BPS,
  MAX_EXCLUDED_SYMBOLS,
  type StopRecord,
} from "@pricetime/engine";
import { z } from "zod";
import { type Answer, created, ok, Rejection } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut, requireRules } from "./node.ts";
import { findAsset, findMarket, sentence } from "./parse.ts";
import { type AdminRoute, route } from "./router.ts";
import { assetName, bps, decimal, symbolName, text } from "../../platform/config/listing-schema.ts";
import { type Booked, bookedAct, carryOutOnce } from "./once.ts";
import { commissionDiscount, configuration, suspensionRow } from "./answers.ts";

// Suspensions of the venue, an asset or a network.

const SCOPE = /^(trading|placing|withdrawals|(asset|network):.+)$/;
/** The prefix of an asset's scope: in the admin API, and in the journal. */
const [ASSET, STORED_ASSET] = ["asset:", "coin:"];

const stopSchema = z.strictObject({
  /** The reason, shown to operators but never to customers. */
  why: sentence,
  /** When the suspension ends, in milliseconds since 1970; null: it lasts until lifted. */
  untilMs: z.int().min(1).nullable().default(null),
});

export function stopRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/suspensions",
      summary: "Lists the suspensions in force, with author, reason and end.",
      row: suspensionRow,
      page: () => ({ rows: suspensions(view) }),
    }),
    route({
      endpoint: "PUT /v1/suspensions/:scope",
      needs: "any",
      summary: "Suspends trading, new orders, withdrawals, an asset or a network, with immediate effect.",
      answers:
        "The suspension. Scopes: `trading` (no orders, no cancels), `placing` (no new orders, cancels are accepted), " +
        "`withdrawals`, `asset:BTC` or `network:ETH` (no withdrawals; deposits stay pending). Setting a scope again replaces " +
        "reason and end; an earlier end requires the right to lift the suspension.",
      body: stopSchema,
      handle: async (request) => {
        const { body, by } = request;
        const scope = scopeOf(request);
        const events = await carryOut(node, { type: "setStop", scope, ...body, by });
        return ok(stopOf(events.find((event) => event.type === "stopChanged")));
      },
    }),
    route({
      endpoint: "DELETE /v1/suspensions/:scope",
      needs: "any",
      summary: "Lifts a suspension. Trading and new orders need the right `venue`, all others `money`.",
      answers: "The suspension that was lifted.",
      handle: async (request) => {
        const events = await carryOut(node, { type: "liftStop", scope: scopeOf(request), by: request.by });
        return ok(stopOf(events.find((event) => event.type === "stopChanged")));
      },
    }),
  ];
}

const suspensionOf = (stop: StopRecord): object => ({ ...stop, scope: shownScope(stop.scope) });

/** The current suspensions, as sent in answers. */
export const suspensions = (view: Pick<EngineView, "venue">): object[] => Array.from(view.venue.stops(), suspensionOf);

/** The scope as sent in answers. */
export const shownScope = (scope: string): string =>
  scope.startsWith(STORED_ASSET) ? `${ASSET}${scope.slice(STORED_ASSET.length)}` : scope;

const stopOf = (changed: { readonly stop: StopRecord; readonly isOn: boolean } | undefined): object =>
  changed === undefined ? {} : { ...suspensionOf(changed.stop), isOn: changed.isOn };

function scopeOf({ path: { scope } }: { readonly path: { readonly scope: string } }): string {
  if (SCOPE.test(scope)) return scope.startsWith(ASSET) ? `${STORED_ASSET}${scope.slice(ASSET.length)}` : scope;
  const message = `Unknown scope ${scope}. Use trading, placing, withdrawals, asset:ASSET or network:NETWORK.`;
  throw new Rejection(404, "UNKNOWN_SUSPENSION", message);
}

const maintenanceSchema = z.strictObject({ isOn: z.boolean() });
const MAX_PAUSE_MS = 365 * 86_400_000;
const dustSchema = z.strictObject({
  dustAsset: assetName,
  chargeBps: bps.default(200),
  limitAsset: assetName,
  limit: decimal,
  pauseMs: z.int().min(0).max(MAX_PAUSE_MS).default(86_400_000),
});
/** Interface S.12. */
const discountSchema = z.strictObject({
  /** The asset in which the discounted commission is paid. */
  asset: assetName,
  /** The part of the commission that remains, in basis points. */
  factorBps: z.int().min(1).max(MAX_DISCOUNT_FACTOR_BPS).default(7_500),
  /** Symbols without the discount. */
  excludedSymbols: z
    .array(symbolName)
    .max(MAX_EXCLUDED_SYMBOLS)
    .refine((symbols) => new Set(symbols).size === symbols.length, "names a symbol twice")
    .default([]),
});
const dividendSchema = z.strictObject({
  heldAsset: assetName,
  paidAsset: assetName,
  amount: decimal,
  info: text,
  /** Each reference can be paid once. */
  reference: text,
});

export function venueRoutes(node: AdminNode): AdminRoute[] {
  const { view, fees, outbox, invitationLifeMs, publicUrl } = node;
  return [
    route({
      endpoint: "GET /v1/configuration",
      needs: "view",
      summary: "Returns settings from the configuration that operator actions depend on.",
      answers:
        "`fees`: the rates of new accounts in basis points. `invitationLifeMs`: how long an invitation is valid. " +
        "`hasMailServer`: whether emails are sent, and not only stored. `publicUrl`: the address that customers use.",
      answer: configuration,
      handle: () => {
        const { makerBps, takerBps } = fees;
        const { hasMailServer } = outbox;
        return ok({ fees: { makerBps, takerBps }, invitationLifeMs, hasMailServer, publicUrl: publicUrl() });
      },
    }),
    route({
      endpoint: "GET /v1/maintenance",
      needs: "view",
      summary: "Returns whether the venue is in maintenance.",
      handle: () => ok({ isOn: view.isInMaintenance }),
    }),
    route({
      endpoint: "PUT /v1/maintenance",
      needs: "venue",
      summary: "Starts or ends maintenance. During maintenance orders are rejected and cancels are accepted.",
      body: maintenanceSchema,
      handle: async ({ body, by }) => {
        await carryOut(node, { type: "setMaintenance", ...body, by });
        return ok({ isOn: view.isInMaintenance });
      },
    }),
    route({
      endpoint: "GET /v1/dust-rules",
      needs: "view",
      summary: "Returns the rules for converting small balances (dust).",
      handle: () => {
        if (view.funds.dustRules === undefined) throw rejectionOf("DUST_NOT_OFFERED");
        return ok(view.funds.dustRules);
      },
    }),
    route({
      endpoint: "PUT /v1/dust-rules",
      needs: "money",
      summary: "Sets the rules for converting small balances (dust).",
      body: dustSchema,
      handle: async ({ body: rules, by }) => {
        for (const name of [rules.dustAsset, rules.limitAsset]) findAsset(view, name);
        await carryOut(node, { type: "setDustRules", rules, by });
        return ok(view.funds.dustRules);
      },
    }),
    ...discountRoutes(node),
    route({
      endpoint: "POST /v1/dividends",
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

/** The discount on commission that is paid in another asset. */
function discountRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      endpoint: "GET /v1/commission-discount",
      needs: "view",
      summary: "Returns the discount on commission that is paid in another asset.",
      answer: commissionDiscount,
      answers: "`discount`: null if the venue offers none.",
      handle: () => ok({ discount: view.commissionDiscount }),
    }),
    route({
      endpoint: "PUT /v1/commission-discount",
      needs: "venue",
      summary: "Sets the discount on commission that is paid in another asset, for accounts that switch it on.",
      answer: commissionDiscount,
      body: discountSchema,
      handle: async ({ body: discount, by }) => {
        requireRules(view, 5);
        findAsset(view, discount.asset);
        for (const symbol of discount.excludedSymbols) findMarket(view, symbol);
        await carryOut(node, { type: "setCommissionDiscount", discount, by });
        return ok({ discount: view.commissionDiscount });
      },
    }),
    route({
      endpoint: "DELETE /v1/commission-discount",
      needs: "venue",
      summary: "Removes the discount on commission. Accounts keep their choice.",
      answer: commissionDiscount,
      handle: async ({ by }) => {
        requireRules(view, 5);
        await carryOut(node, { type: "setCommissionDiscount", discount: null, by });
        return ok({ discount: view.commissionDiscount });
      },
    }),
  ];
}
