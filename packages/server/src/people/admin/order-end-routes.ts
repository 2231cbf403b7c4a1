/** Routes with which operators end open orders and delist symbols. docs/decisions/0069. */
import {
  type Command,
  type EngineView,
  type Event,
  fromScale,
  type MarketView,
  namedOrderId,
  orderNumberOf,
  type OrderRecord,
  priceInEffect,
} from "@pricetime/engine";
import { z } from "zod";
import { type Answer, badRequest, ok, Rejection } from "../http/answer.ts";
import { findAccount, findMarket, sentence } from "./parse.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";

/** The order as sent in answers. A price or quantity that the order does not have is 0. */
export function orderBody(view: EngineView, order: OrderRecord): object {
  const { spec, scale } = view.market(order.symbolId);
  const price = (ticks: number): string => fromScale(ticks, scale.priceDecimals);
  const quantity = (lots: number): string => fromScale(lots, scale.quantityDecimals);
  const { side, type, timeInForce, clientOrderId, orderListId, timeMs, status } = order;
  return {
    ...{ orderId: orderNumberOf(order.orderId), symbol: spec.symbol, side, type, timeInForce },
    ...{ price: price(priceInEffect(order)), stopPrice: price(order.stopTicks) },
    ...{ quantity: quantity(order.quantityLots), executed: quantity(order.executedLots) },
    icebergQuantity: quantity(order.icebergLots),
    ...{ clientOrderId, orderListId, timeMs, status },
  };
}

/** The reason, shown to operators but never to customers. */
const why = sentence;
const reasonSchema = z.strictObject({ why });
const accountSchema = z.strictObject({ why, symbol: z.string().max(20).exactOptional() });
const delistingSchema = z.strictObject({
  why,
  /** Milliseconds since 1970; must be in the future. */
  atMs: z.int().min(1),
});

/** The open order with this id and, in the command, what names it. */
function findOrder(
  view: EngineView,
  text: string,
  symbol: string | undefined,
): { readonly found: OrderRecord; readonly named: Pick<Command<"endOrder">, "orderId" | "symbol"> } {
  const isBySymbol = view.orderIds === "symbol";
  if (isBySymbol && symbol === undefined) throw badRequest("symbol is missing: each symbol numbers its orders");
  const market = symbol === undefined ? undefined : findMarket(view, symbol);
  const orderId = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  const found = view.openOrder(namedOrderId(view.orderIds, market?.symbolId ?? 0, orderId));
  if (found === undefined || (market !== undefined && found.symbolId !== market.symbolId))
    throw new Rejection(
      404,
      "UNKNOWN_ORDER",
      `No open order${symbol === undefined ? "" : ` of ${symbol}`} has the ID ${text}.`,
    );
  return { found, named: { orderId, ...(isBySymbol && market !== undefined && { symbol: market.spec.symbol }) } };
}

export function orderEndRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      endpoint: "POST /v1/orders/:order/end",
      needs: "customers",
      summary:
        "Ends an open order, together with its order list. The owner sees the status EXPIRED. If orders are numbered by " +
        "symbol, the body names the symbol.",
      answers: "The orders that were ended.",
      body: accountSchema,
      handle: async ({ path, body: { symbol, ...reason }, by }) => {
        const { found, named } = findOrder(view, path.order, symbol);
        const orders = endedBy(await carryOut(node, { type: "endOrder", ...named, ...reason, by }));
        return ok({ accountId: found.accountId, ended: orders.map((order) => orderBody(view, order)) });
      },
    }),
    route({
      endpoint: "POST /v1/accounts/:account/open-orders/end",
      needs: "customers",
      summary:
        "Ends all open orders of an account in one step, on one symbol or on all, whatever their number and the status of the " +
        "symbols. The account can place new orders afterwards; to prevent that, switch off its trading.",
      answers: "The number of orders that were ended: 0 if none was open.",
      body: accountSchema,
      handle: async ({ path, body: { symbol, ...reason }, by }) => {
        const { accountId } = findAccount(view, path.account);
        const on = symbol === undefined ? {} : { symbol: findMarket(view, symbol).spec.symbol };
        const events = await carryOut(node, { type: "endAccountOrders", accountId, ...on, ...reason, by });
        return ok({ accountId, ...on, ended: endedBy(events).length });
      },
    }),
    route({
      endpoint: "POST /v1/symbols/:symbol/open-orders/end",
      needs: "venue",
      summary:
        "Ends all open orders of a halted symbol, in steps of at most 1,000 that continue after a restart. The symbol cannot " +
        "trade again until no order is left.",
      answers: "The number of orders that were ended in the first step, and of those still open.",
      body: reasonSchema,
      handle: async ({ path, body, by }) => {
        const { symbol } = findMarket(view, path.symbol).spec;
        const events = await carryOut(node, { type: "endSymbolOrders", symbol, ...body, by });
        const ended = endedBy(events).length;
        return ok({ symbol, ended, ...endingBody(findMarket(view, symbol)) });
      },
    }),
    route({
      endpoint: "PUT /v1/symbols/:symbol/delisting",
      needs: "venue",
      summary:
        "Sets or moves the time at which a symbol is delisted, which exchangeInfo announces. From then on its status is " +
        "permanently BREAK: customers can cancel, nothing trades, and the open orders are ended in steps.",
      answers: "The delisting. It cannot be changed after its time.",
      body: delistingSchema,
      handle: ({ path, body, by }) => setDelisting(node, path.symbol, { ...body, by }),
    }),
    route({
      endpoint: "POST /v1/symbols/:symbol/delisting/withdraw",
      needs: "venue",
      summary: "Cancels the delisting of a symbol before its time.",
      answers: "The symbol; `delisting` is null.",
      body: reasonSchema,
      handle: ({ path, body, by }) => setDelisting(node, path.symbol, { ...body, atMs: null, by }),
    }),
  ];
}

async function setDelisting(
  node: AdminNode,
  name: string | undefined,
  fields: { readonly atMs: number | null; readonly why: string; readonly by: string },
): Promise<Answer> {
  const { symbol } = findMarket(node.view, name).spec;
  await carryOut(node, { type: "setDelisting", symbol, ...fields });
  return ok({ symbol, ...endingBody(findMarket(node.view, symbol)) });
}

/** The planned delisting of a symbol, and whether its open orders are being ended. */
export function endingBody({ delisting, isEndingOrders, openOrderCount }: MarketView): object {
  return { delisting, isEndingOrders, openOrders: openOrderCount };
}

const endedBy = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "orderEnded" ? [event.order] : []));
