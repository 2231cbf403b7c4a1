/** The commands that the gateway would make of what bots and agents send, for those who go past it. */
import assert from "node:assert/strict";
import type { Command, MarketView, PlaceOrder } from "@pricetime/engine";
import { whole } from "../exact.ts";
import type { Grid } from "./grid.ts";
import type { Quote, Side, TakerOrder } from "./orders.ts";

const NO_TERMS = { stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n } as const;

export class OrderCommands {
  readonly symbolId: number;
  /** The engine's ticks and lots in one of the grid. */
  readonly tick: number;
  readonly lot: number;

  constructor({ symbolId, scale }: MarketView, grid: Grid) {
    this.symbolId = symbolId;
    this.tick = scaleOf(scale.priceDecimals - grid.priceDecimals);
    this.lot = scaleOf(scale.quantityDecimals - grid.quantityDecimals);
  }

  /** `clientOrderId`: of the cancel. */
  cancel(accountId: number, orderId: number, clientOrderId: string): Command {
    const names = { origClientOrderId: "", newClientOrderId: clientOrderId };
    return { type: "cancelOrder", accountId, symbolId: this.symbolId, orderId, ...names };
  }

  quote(accountId: number, side: Side, { ticks, lots }: Quote, clientOrderId: string): PlaceOrder {
    return this.#place(accountId, side, { orderType: "LIMIT", timeInForce: "GTC" }, ticks, lots, clientOrderId);
  }

  take(accountId: number, { side, lots, limitTicks }: TakerOrder, clientOrderId: string): PlaceOrder {
    const kind =
      limitTicks === 0
        ? ({ orderType: "MARKET", timeInForce: "GTC" } as const)
        : ({ orderType: "LIMIT", timeInForce: "IOC" } as const);
    return this.#place(accountId, side, kind, limitTicks, lots, clientOrderId);
  }

  #place(
    accountId: number,
    side: Side,
    kind: Pick<PlaceOrder, "orderType" | "timeInForce">,
    ticks: number,
    lots: number,
    clientOrderId: string,
  ): PlaceOrder {
    return {
      type: "placeOrder",
      accountId,
      symbolId: this.symbolId,
      side,
      orderType: kind.orderType,
      timeInForce: kind.timeInForce,
      priceTicks: ticks * this.tick,
      quantityLots: lots * this.lot,
      ...NO_TERMS,
      clientOrderId,
    };
  }
}

/** The units of a symbol are fixed when it is listed, and its filters are never finer. */
function scaleOf(decimals: number): number {
  assert(decimals >= 0, "a filter is as fine as its symbol at most");
  return whole(10, decimals);
}
