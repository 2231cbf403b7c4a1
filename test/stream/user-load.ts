/** Orders of every kind, cancels of every kind, and money that comes and goes: random, from a seed. */
import type { Client, Parameters } from "@pricetime/testkit/client";
import type { DemoAccount, Exchange } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { moveMoney } from "./user-ear.ts";

export interface Market {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** In ticks, and what a tick and a lot of this load are. */
  readonly mid: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** In lots. */
  readonly mostLots: number;
}

export const MARKETS: readonly Market[] = [
  {
    symbol: "BTCUSDT",
    base: "BTC",
    quote: "USDT",
    mid: 5_000_000,
    priceDecimals: 2,
    quantityDecimals: 6,
    mostLots: 50_000,
  },
  { symbol: "ETHBTC", base: "ETH", quote: "BTC", mid: 5_000, priceDecimals: 5, quantityDecimals: 3, mostLots: 5_000 },
  {
    symbol: "USDCUSDT",
    base: "USDC",
    quote: "USDT",
    mid: 10_000,
    priceDecimals: 4,
    quantityDecimals: 2,
    mostLots: 500_000,
  },
];

const SPREAD = 12;

/** One account's way of trading. `accepted` counts what was answered 200, by kind. */
export class UserLoad {
  readonly #exchange: Exchange;
  readonly #account: DemoAccount;
  readonly #client: Client;
  readonly #random: Dice;
  readonly accepted: Map<string, number>;

  constructor(exchange: Exchange, account: DemoAccount, client: Client, random: Dice, accepted: Map<string, number>) {
    this.#exchange = exchange;
    this.#account = account;
    this.#client = client;
    this.#random = random;
    this.accepted = accepted;
  }

  /** One action, answered. */
  async act(): Promise<void> {
    const market = this.#random.pick(MARKETS);
    const draw = this.#random.next();
    if (draw < 0.62) await this.#place(market);
    else if (draw < 0.72) await this.#oco(market);
    else if (draw < 0.86) await this.#cancelOne(market);
    else if (draw < 0.93) await this.#replace(market);
    else if (draw < 0.96) await this.#cancelList(market);
    else if (draw < 0.98) await this.#send("cancelAll", "DELETE", "/api/v3/openOrders", { symbol: market.symbol });
    else await this.#move(market);
  }

  async #send(kind: string, method: string, path: string, parameters: Parameters): Promise<void> {
    const { status } = await this.#client.signed(method, path, parameters);
    if (status === 200) this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1);
  }

  #place(market: Market): Promise<void> {
    const order = this.#order(market);
    const kind = `${order["type"]} ${order["timeInForce"] ?? ""}${"icebergQty" in order ? " iceberg" : ""}${
      "quoteOrderQty" in order ? " by quote" : ""
    }`;
    return this.#send(kind, "POST", "/api/v3/order", order);
  }

  #order(market: Market): Parameters {
    const random = this.#random;
    const side = random.next() < 0.5 ? "BUY" : "SELL";
    const { symbol } = market;
    const lots = random.between(Math.ceil(market.mostLots / 5), market.mostLots);
    const quantity = decimal(lots, market.quantityDecimals);
    // Most rest a little away, some cross.
    const away = random.between(-SPREAD / 2, SPREAD) * (side === "BUY" ? -1 : 1);
    const price = decimal(market.mid + away, market.priceDecimals);
    const common = { symbol, side };
    const stopPrice = decimal(market.mid + random.between(-SPREAD, SPREAD), market.priceDecimals);
    const draw = random.next();
    if (draw < 0.45) return { ...common, type: "LIMIT", timeInForce: "GTC", quantity, price };
    if (draw < 0.52) return { ...common, type: "LIMIT", timeInForce: "IOC", quantity, price };
    if (draw < 0.58) return { ...common, type: "LIMIT", timeInForce: "FOK", quantity, price };
    if (draw < 0.64) return { ...common, type: "LIMIT_MAKER", quantity, price };
    if (draw < 0.72) {
      const icebergQty = decimal(Math.ceil(lots / 4), market.quantityDecimals);
      return { ...common, type: "LIMIT", timeInForce: "GTC", quantity, price, icebergQty };
    }
    if (draw < 0.78) return { ...common, type: "MARKET", quantity };
    if (draw < 0.82) {
      const worth = (market.mid * lots) / 10 ** (market.priceDecimals + market.quantityDecimals);
      return { ...common, type: "MARKET", quoteOrderQty: worth.toFixed(4) };
    }
    const type = random.pick(["STOP_LOSS", "TAKE_PROFIT", "STOP_LOSS_LIMIT", "TAKE_PROFIT_LIMIT"]);
    if (!type.endsWith("LIMIT")) return { ...common, type, quantity, stopPrice };
    const timeInForce = random.pick(["GTC", "GTC", "IOC"]);
    return { ...common, type, timeInForce, quantity, price, stopPrice };
  }

  #oco(market: Market): Promise<void> {
    const random = this.#random;
    const isSale = random.next() < 0.5;
    const sign = isSale ? 1 : -1;
    const at = (ticks: number): string => decimal(market.mid + sign * ticks, market.priceDecimals);
    const stop = -random.between(2, SPREAD);
    return this.#send("oco", "POST", "/api/v3/order/oco", {
      symbol: market.symbol,
      side: isSale ? "SELL" : "BUY",
      quantity: decimal(random.between(Math.ceil(market.mostLots / 5), market.mostLots), market.quantityDecimals),
      price: at(random.between(2, SPREAD)),
      stopPrice: at(stop),
      ...(random.next() < 0.5 ? {} : { stopLimitPrice: at(stop - 1), stopLimitTimeInForce: "GTC" }),
    });
  }

  async #anOpenOrder({ symbol }: Market): Promise<number | undefined> {
    const { json } = await this.#client.signed<{ orderId: number }[]>("GET", "/api/v3/openOrders", { symbol });
    return this.#random.pick(json)?.orderId;
  }

  async #cancelOne(market: Market): Promise<void> {
    const orderId = await this.#anOpenOrder(market);
    if (orderId === undefined) return;
    await this.#send("cancel", "DELETE", "/api/v3/order", { symbol: market.symbol, orderId });
  }

  async #replace(market: Market): Promise<void> {
    const cancelOrderId = await this.#anOpenOrder(market);
    if (cancelOrderId === undefined) return;
    await this.#send("cancelReplace", "POST", "/api/v3/order/cancelReplace", {
      ...this.#order(market),
      cancelReplaceMode: this.#random.next() < 0.5 ? "STOP_ON_FAILURE" : "ALLOW_FAILURE",
      cancelOrderId,
    });
  }

  async #cancelList(market: Market): Promise<void> {
    type List = { orderListId: number; symbol: string };
    const { json } = await this.#client.signed<List[]>("GET", "/api/v3/openOrderList");
    const list = this.#random.pick(json.filter(({ symbol }) => symbol === market.symbol));
    if (list === undefined) return;
    const { symbol, orderListId } = list;
    await this.#send("cancelList", "DELETE", "/api/v3/orderList", { symbol, orderListId });
  }

  async #move({ base }: Market): Promise<void> {
    const kind = this.#random.next() < 0.5 ? "deposits" : "debits";
    const reference = `${this.#account.name} ${this.#random.next()}`;
    await moveMoney(this.#exchange, kind, { account: this.#account.email, asset: base, amount: "0.25", reference });
    this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1);
  }
}

function decimal(units: number, decimals: number): string {
  return (units / 10 ** decimals).toFixed(decimals);
}
