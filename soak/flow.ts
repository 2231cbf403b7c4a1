/**
 * Generates requests at random from a seed: orders that rest, trade and expire, cancels of orders that are open or
 * already closed, requests that must be rejected, and queries. The depth of the book stays constant, because an account
 * with enough orders on a symbol cancels before it places more.
 */
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { Parameters } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { signedRawRequest } from "@pricetime/testkit/raw-http";
import { clientIdOf, type Kind, legIdOf, responseTypeOf } from "./command-id.ts";
import { decimal, type Market, MARKETS } from "./markets.ts";

/** The most open orders of one account on one symbol. */
const MOST_OPEN = 8;
/** The most filled orders of one account on one symbol that are remembered, to be canceled without success. */
const MOST_FILLED = 4;
const LEVELS_BEHIND = 20;
const LEVELS_ACROSS = 4;
/** The price moves by one level after so many orders, within a limited range around its start. */
const ORDERS_A_MOVE = 500;
const MOST_MOVES = 200;
const ORDER = "/api/v3/order";
/** Requests may wait for a free connection. */
const RECV_WINDOW_MS = 60_000;

export interface Planned {
  /** 0 for a query, because queries are not recorded. */
  readonly id: number;
  readonly kind: Kind | "read";
  readonly request: string;
  /** The account's orders on the symbol. */
  readonly position: Position;
}

interface Known {
  readonly orderId: number;
  readonly clientOrderId: string;
}

/** One account on one symbol. */
interface Position {
  readonly account: DemoAccount;
  readonly market: Market;
  readonly open: Known[];
  readonly filled: Known[];
}

export class Flow {
  readonly #random: Dice;
  readonly #positions: readonly Position[];
  readonly #poor: readonly Position[];
  readonly #moves = new Map<Market, number>();
  #sent = 0;

  /** The last account has no funds. */
  constructor(accounts: readonly DemoAccount[], seed: number) {
    this.#random = new Dice(seed);
    const positionsOf = (account: DemoAccount): Position[] =>
      MARKETS.map((market) => ({ account, market, open: [], filled: [] }));
    this.#positions = accounts.slice(0, -1).flatMap(positionsOf);
    this.#poor = accounts.slice(-1).flatMap(positionsOf);
  }

  /** The number of the last order or cancel. */
  get sent(): number {
    return this.#sent;
  }

  next(): Planned {
    const draw = this.#random.next();
    const position = this.#random.pick(this.#positions);
    if (draw < 0.03)
      return { id: 0, kind: "read", request: query(position, draw < 0.015 ? "openOrders" : "account"), position };
    if (draw < 0.08) return this.#rejected(position, draw);
    if (draw < 0.12) return this.#list(position);
    if (draw < 0.15 && position.open.length > 0) return this.#amend(position);
    if (draw < 0.17 && position.filled.length > 0) return this.#cancel(position, position.filled.shift() as Known);
    if (position.open.length >= MOST_OPEN || (position.open.length > 0 && draw < 0.4)) {
      const at = this.#random.between(0, position.open.length - 1);
      return this.#cancel(position, position.open.splice(at, 1)[0] as Known);
    }
    return this.#place(position, "place", this.#order(position.market));
  }

  /** Remembers the order, to be canceled later. */
  answered({ id, kind, position }: Planned, status: number, body: string): void {
    if (status !== 200) return;
    if (kind === "list") {
      const [working, pending] = [...body.matchAll(/"orderId":(\d+)/g)].map(([, orderId]) => Number(orderId));
      position.open.push({ orderId: working ?? 0, clientOrderId: legIdOf(id, "working") });
      position.open.push({ orderId: pending ?? 0, clientOrderId: legIdOf(id, "pending") });
    }
    if (kind !== "place" && kind !== "amend") return;
    const orderId = Number(/"orderId":(\d+)/.exec(body)?.[1]);
    const isOver = /"status":"(?:FILLED|EXPIRED)"/.test(body);
    const known = { orderId, clientOrderId: clientIdOf(id) };
    if (!isOver) position.open.push(known);
    else if (position.filled.length < MOST_FILLED) position.filled.push(known);
  }

  #order(market: Market): Parameters {
    const random = this.#random;
    const side = random.next() < 0.5 ? "BUY" : "SELL";
    const { quantityDecimals, priceDecimals, fewestLots, mostLots, midTicks, stepTicks } = market;
    const quantity = decimal(random.between(fewestLots, mostLots), quantityDecimals);
    const draw = random.next();
    if (draw < 0.04) return { side, type: "MARKET", quantity };
    if (draw < 0.07) {
      const value = (Number(quantity) * midTicks) / 10 ** priceDecimals;
      return { side, type: "MARKET", quoteOrderQty: value.toFixed(4) };
    }
    const away = random.between(-LEVELS_ACROSS, LEVELS_BEHIND) * (side === "BUY" ? -1 : 1);
    const price = decimal(midTicks + (this.#move(market) + away) * stepTicks, priceDecimals);
    if (draw < 0.1) return { side, quantity, price, type: "LIMIT_MAKER" };
    if (draw >= 0.8) return { side, quantity, price, timeInForce: "GTC", ...this.#stop(market, side) };
    const timeInForce = draw < 0.14 ? "IOC" : draw < 0.16 ? "FOK" : "GTC";
    return { side, quantity, price, type: "LIMIT", timeInForce };
  }

  /** A stop price that is rarely reached already, or a distance from the price in basis points. */
  #stop(market: Market, side: "BUY" | "SELL"): Parameters {
    const random = this.#random;
    const isLoss = random.next() < 0.5;
    const type = isLoss ? "STOP_LOSS_LIMIT" : "TAKE_PROFIT_LIMIT";
    if (random.next() < 0.3) return { type, trailingDelta: random.between(10, 100) };
    const away = random.between(1, LEVELS_ACROSS * 2) * (isLoss === (side === "BUY") ? 1 : -1);
    return { type, stopPrice: this.#price(market, away) };
  }

  #price(market: Market, away: number): string {
    return decimal(market.midTicks + ((this.#moves.get(market) ?? 0) + away) * market.stepTicks, market.priceDecimals);
  }

  /** An order that buys, and one that sells what it bought: at a higher price, or below a stop price. */
  #list({ account, market, ...position }: Position): Planned {
    const id = ++this.#sent;
    const random = this.#random;
    const quantity = decimal(random.between(market.fewestLots, market.mostLots), market.quantityDecimals);
    const below = this.#price(market, -random.between(1, LEVELS_BEHIND));
    const pending: Parameters =
      random.next() < 0.5
        ? { pendingType: "LIMIT", pendingPrice: this.#price(market, random.between(0, LEVELS_BEHIND)) }
        : { pendingType: "STOP_LOSS_LIMIT", pendingPrice: below, pendingStopPrice: below };
    const parameters = {
      ...{ symbol: market.symbol, listClientOrderId: clientIdOf(id), newOrderRespType: responseTypeOf(id) },
      ...{ workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingQuantity: quantity },
      ...{ workingPrice: this.#price(market, random.between(-4, LEVELS_ACROSS)), pendingSide: "SELL" },
      ...{ ...pending, pendingTimeInForce: "GTC", pendingQuantity: quantity, recvWindow: RECV_WINDOW_MS },
      ...{ workingClientOrderId: legIdOf(id, "working"), pendingClientOrderId: legIdOf(id, "pending") },
    };
    const request = signedRawRequest(account, { method: "POST", path: "/api/v3/orderList/oto", parameters });
    return { id, kind: "list", request, position: { account, market, ...position } };
  }

  /** To a quantity that most orders exceed. The order has another client order ID from then on. */
  #amend(position: Position): Planned {
    const id = ++this.#sent;
    const { fewestLots, mostLots, quantityDecimals } = position.market;
    const at = this.#random.between(0, position.open.length - 1);
    const { orderId } = position.open.splice(at, 1)[0] as Known;
    const newQty = decimal(this.#random.between(fewestLots, (fewestLots + mostLots) / 2), quantityDecimals);
    const request = query(
      position,
      "order/amend/keepPriority",
      { orderId, newClientOrderId: clientIdOf(id), newQty },
      "PUT",
    );
    return { id, kind: "amend", request, position };
  }

  #move(market: Market): number {
    const before = this.#moves.get(market) ?? 0;
    if (this.#random.next() > 1 / ORDERS_A_MOVE) return before;
    const after = Math.max(-MOST_MOVES, Math.min(MOST_MOVES, before + (this.#random.next() < 0.5 ? -1 : 1)));
    this.#moves.set(market, after);
    return after;
  }

  /** A request that the engine rejects (price, quantity, notional, balance), or that never becomes a command. */
  #rejected(position: Position, draw: number): Planned {
    const { midTicks, priceDecimals, quantityDecimals, fewestLots } = position.market;
    const order = {
      ...{ side: "BUY", type: "LIMIT", timeInForce: "GTC" },
      quantity: decimal(fewestLots, quantityDecimals),
      price: decimal(midTicks, priceDecimals),
    };
    const { quantity, ...withoutQuantity } = order;
    switch (Math.floor(draw * 1000) % 7) {
      case 0:
        return this.#place(position, "place", { ...order, price: `${order.price}5` });
      case 1:
        return this.#place(position, "place", { ...order, quantity: `${quantity}5` });
      case 2:
        return this.#place(position, "place", { ...order, quantity: decimal(1, quantityDecimals) });
      case 3:
        return this.#place(this.#random.pick(this.#poor), "place", order);
      case 4:
        return this.#place(position, "precision", { ...order, quantity: `${quantity}0000000001` });
      case 5:
        return this.#place(position, "missing", withoutQuantity);
      default:
        return this.#place(position, "signature", order);
    }
  }

  #place(position: Position, kind: Kind, order: Parameters): Planned {
    const id = ++this.#sent;
    const { account, market } = position;
    const ids = { newClientOrderId: clientIdOf(id), newOrderRespType: responseTypeOf(id) };
    const parameters = { symbol: market.symbol, ...order, ...ids, recvWindow: RECV_WINDOW_MS };
    const forged = kind === "signature";
    return {
      id,
      kind,
      request: signedRawRequest(account, { method: "POST", path: ORDER, parameters, forged }),
      position,
    };
  }

  #cancel(position: Position, known: Known): Planned {
    const id = ++this.#sent;
    const name = id % 2 === 0 ? { orderId: known.orderId } : { origClientOrderId: known.clientOrderId };
    const request = query(position, "order", { ...name, newClientOrderId: clientIdOf(id) }, "DELETE");
    return { id, kind: "cancel", request, position };
  }

  /** Queries an order's history or the account's trades: the response comes from history. */
  historyQuery(): string {
    const position = this.#random.pick(this.#positions);
    const known = this.#random.pick(position.filled) ?? this.#random.pick(position.open);
    if (known === undefined) return query(position, "myTrades", { limit: 10 });
    return query(position, "order", { orderId: known.orderId });
  }
}

function query(
  { account, market }: Position,
  endpoint: string,
  more: Parameters = {},
  method: "GET" | "PUT" | "DELETE" = "GET",
): string {
  const symbol: Parameters = endpoint === "account" ? {} : { symbol: market.symbol };
  const parameters = { ...symbol, ...more, recvWindow: RECV_WINDOW_MS };
  return signedRawRequest(account, { method, path: `/api/v3/${endpoint}`, parameters });
}
