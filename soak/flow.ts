/**
 * Generates requests at random from a seed: orders that rest, trade and expire, cancels of orders that are open or
 * already closed, requests that must be rejected, and queries. The depth of the book stays constant, because an account
 * with enough orders on a symbol cancels before it places more.
 */
import { type DemoAccount } from "@pricetime/testkit/venue";
import { sign } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { clientIdOf, type Kind, responseTypeOf } from "./command-id.ts";
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

export interface Planned {
  /** 0 for a query, of which no record is stored. */
  readonly id: number;
  readonly kind: Kind | "read";
  readonly request: string;
  /** The account's orders on the symbol. */
  readonly desk: Desk;
}

interface Known {
  readonly orderId: number;
  readonly id: number;
}

/** One account on one symbol. */
interface Desk {
  readonly account: DemoAccount;
  readonly market: Market;
  readonly open: Known[];
  readonly filled: Known[];
}

export class Flow {
  readonly #host: string;
  readonly #random: Dice;
  readonly #desks: readonly Desk[];
  readonly #poor: readonly Desk[];
  readonly #moves = new Map<Market, number>();
  #sent = 0;

  /** The last account has no funds. */
  constructor(port: number, accounts: readonly DemoAccount[], seed: number) {
    this.#host = `127.0.0.1:${port}`;
    this.#random = new Dice(seed);
    const desk = (account: DemoAccount): Desk[] => MARKETS.map((market) => ({ account, market, open: [], filled: [] }));
    this.#desks = accounts.slice(0, -1).flatMap(desk);
    this.#poor = accounts.slice(-1).flatMap(desk);
  }

  /** The number of the last order or cancel. */
  get sent(): number {
    return this.#sent;
  }

  next(nowMs: number): Planned {
    const draw = this.#random.next();
    const desk = this.#random.pick(this.#desks);
    if (draw < 0.03) return this.#question(desk, draw < 0.015 ? "openOrders" : "account", nowMs);
    if (draw < 0.08) return this.#refused(desk, draw, nowMs);
    if (draw < 0.1 && desk.filled.length > 0) return this.#cancel(desk, desk.filled.shift() as Known, nowMs);
    if (desk.open.length >= MOST_OPEN || (desk.open.length > 0 && draw < 0.35)) {
      const at = this.#random.between(0, desk.open.length - 1);
      return this.#cancel(desk, desk.open.splice(at, 1)[0] as Known, nowMs);
    }
    return this.#place(desk, "place", this.#order(desk.market), nowMs);
  }

  /** Remembers the order, to be canceled later. */
  answered({ id, kind, desk }: Planned, status: number, body: string): void {
    if (kind !== "place" || status !== 200) return;
    const orderId = Number(/"orderId":(\d+)/.exec(body)?.[1]);
    const isOver = /"status":"(?:FILLED|EXPIRED)"/.test(body);
    if (!isOver) desk.open.push({ orderId, id });
    else if (desk.filled.length < MOST_FILLED) desk.filled.push({ orderId, id });
  }

  #order(market: Market): string {
    const random = this.#random;
    const side = random.next() < 0.5 ? "BUY" : "SELL";
    const { quantityDecimals, priceDecimals, fewestLots, mostLots, midTicks, stepTicks } = market;
    const quantity = decimal(random.between(fewestLots, mostLots), quantityDecimals);
    const draw = random.next();
    if (draw < 0.04) return `side=${side}&type=MARKET&quantity=${quantity}`;
    if (draw < 0.07) {
      const worth = (Number(quantity) * midTicks) / 10 ** priceDecimals;
      return `side=${side}&type=MARKET&quoteOrderQty=${worth.toFixed(4)}`;
    }
    const away = random.between(-LEVELS_ACROSS, LEVELS_BEHIND) * (side === "BUY" ? -1 : 1);
    const price = decimal(midTicks + (this.#move(market) + away) * stepTicks, priceDecimals);
    const limit = `side=${side}&quantity=${quantity}&price=${price}`;
    if (draw < 0.1) return `${limit}&type=LIMIT_MAKER`;
    const timeInForce = draw < 0.14 ? "IOC" : draw < 0.16 ? "FOK" : "GTC";
    return `${limit}&type=LIMIT&timeInForce=${timeInForce}`;
  }

  #move(market: Market): number {
    const before = this.#moves.get(market) ?? 0;
    if (this.#random.next() > 1 / ORDERS_A_MOVE) return before;
    const after = Math.max(-MOST_MOVES, Math.min(MOST_MOVES, before + (this.#random.next() < 0.5 ? -1 : 1)));
    this.#moves.set(market, after);
    return after;
  }

  /** A request that the engine rejects (price, quantity, notional, balance), or that never becomes a command. */
  #refused(desk: Desk, draw: number, nowMs: number): Planned {
    const { midTicks, priceDecimals, quantityDecimals, fewestLots } = desk.market;
    const price = decimal(midTicks, priceDecimals);
    const quantity = decimal(fewestLots, quantityDecimals);
    const order = (q: string, p: string): string => `side=BUY&type=LIMIT&timeInForce=GTC&quantity=${q}&price=${p}`;
    switch (Math.floor(draw * 1000) % 7) {
      case 0:
        return this.#place(desk, "place", order(quantity, `${price}5`), nowMs);
      case 1:
        return this.#place(desk, "place", order(`${quantity}5`, price), nowMs);
      case 2:
        return this.#place(desk, "place", order(decimal(1, quantityDecimals), decimal(midTicks, priceDecimals)), nowMs);
      case 3:
        return this.#place(this.#random.pick(this.#poor), "place", order(quantity, price), nowMs);
      case 4:
        return this.#place(desk, "precision", order(`${quantity}0000000001`, price), nowMs);
      case 5:
        return this.#place(desk, "missing", `side=BUY&type=LIMIT&timeInForce=GTC&price=${price}`, nowMs);
      default:
        return this.#place(desk, "signature", order(quantity, price), nowMs);
    }
  }

  #place(desk: Desk, kind: Kind, order: string, nowMs: number): Planned {
    const id = ++this.#sent;
    const payload =
      `symbol=${desk.market.symbol}&${order}&newClientOrderId=${clientIdOf(id)}` +
      `&newOrderRespType=${responseTypeOf(id)}&recvWindow=60000&timestamp=${nowMs}`;
    // The signature of another text.
    const body = this.#signed(desk, payload, kind === "signature" ? `${payload}0` : payload);
    const request =
      `POST /api/v3/order HTTP/1.1\r\nHost: ${this.#host}\r\nX-MBX-APIKEY: ${desk.account.apiKey}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    return { id, kind, request, desk };
  }

  #cancel(desk: Desk, known: Known, nowMs: number): Planned {
    const id = ++this.#sent;
    const name = id % 2 === 0 ? `orderId=${known.orderId}` : `origClientOrderId=${clientIdOf(known.id)}`;
    const payload =
      `symbol=${desk.market.symbol}&${name}&newClientOrderId=${clientIdOf(id)}` +
      `&recvWindow=60000&timestamp=${nowMs}`;
    return { id, kind: "cancel", request: this.#query("DELETE", "order", desk, payload), desk };
  }

  #question(desk: Desk, what: "openOrders" | "account", nowMs: number): Planned {
    const symbol = what === "openOrders" ? `symbol=${desk.market.symbol}&` : "";
    const request = this.#query("GET", what, desk, `${symbol}recvWindow=60000&timestamp=${nowMs}`);
    return { id: 0, kind: "read", request, desk };
  }

  /** Queries an order's history or the account's trades: the response comes from history. */
  pastQuestion(nowMs: number): string {
    const desk = this.#random.pick(this.#desks);
    const known = this.#random.pick(desk.filled) ?? this.#random.pick(desk.open);
    const common = `symbol=${desk.market.symbol}&recvWindow=60000&timestamp=${nowMs}`;
    if (known === undefined) return this.#query("GET", "myTrades", desk, `limit=10&${common}`);
    return this.#query("GET", "order", desk, `orderId=${known.orderId}&${common}`);
  }

  #query(method: string, endpoint: string, desk: Desk, payload: string): string {
    return (
      `${method} /api/v3/${endpoint}?${this.#signed(desk, payload, payload)} HTTP/1.1\r\nHost: ${this.#host}\r\n` +
      `X-MBX-APIKEY: ${desk.account.apiKey}\r\n\r\n`
    );
  }

  #signed({ account }: Desk, payload: string, signedText: string): string {
    return `${payload}&signature=${sign(account.secretKey, signedText)}`;
  }
}
