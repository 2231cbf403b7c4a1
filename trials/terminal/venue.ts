/** A demo node without bots, whose book is completely known, and clients for the demo's accounts. */
import type { OrderRecord } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { Client } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";

export const SYMBOL = "BTCUSDT";
/** The last price, and the best prices around it. */
const LAST = "20000.00";
export const BEST_BID = "19990.00";
export const BEST_ASK = "20010.00";
const LEVELS = 30;

export type Order = OrderRecord;

export interface People {
  readonly alice: Client;
  readonly bob: Client;
  readonly carol: Client;
}

export interface Venue extends People {
  readonly exchange: Exchange;
  stop(): Promise<void>;
}

const QUIET = ["--bots", "off", "--limits", "off"];

export function peopleOf({ rest, accounts }: Pick<Exchange, "rest" | "accounts">): People {
  const one = (name: string): Client => {
    const account = accounts.find((known) => known.name === name);
    assert.ok(account !== undefined, `the demo has no ${name}`);
    return new Client(rest, account);
  };
  return { alice: one("alice"), bob: one("bob"), carol: one("carol") };
}

export function startQuiet(dataFolder?: string, port = "0"): Promise<Exchange> {
  return startExchange({ args: [...QUIET, "--port", port], ...(dataFolder !== undefined && { dataFolder }) });
}

/** With a trade at `LAST`, and 30 levels of bob's on each side. */
export async function openVenue(dataFolder?: string): Promise<Venue> {
  const exchange = await startQuiet(dataFolder);
  const people = peopleOf(exchange);
  const { bob, carol } = people;
  // Prices rise and fall, so that the chart has some height.
  for (const price of ["19900.00", "20100.00", LAST]) {
    await place(carol, { ...RESTING, side: "SELL", quantity: "0.1", price });
    await place(bob, { ...RESTING, side: "BUY", quantity: "0.1", price });
  }
  for (let level = 0; level < LEVELS; level++) {
    const quantity = `0.5${String(level).padStart(2, "0")}`;
    await place(bob, { ...RESTING, side: "BUY", quantity, price: `${19990 - level * 10}.00` });
    await place(bob, { ...RESTING, side: "SELL", quantity, price: `${20010 + level * 10}.00` });
  }
  return {
    exchange,
    ...people,
    stop: async () => {
      for (const one of Object.values(people)) (one as Client).close();
      await exchange.stop();
    },
  };
}

const RESTING = { type: "LIMIT", timeInForce: "GTC" } as const;

/** Places the order; throws if the node rejects it. */
export async function place(who: Client, order: Readonly<Record<string, string>>): Promise<Order> {
  const { status, json, text } = await who.signed<Order>("POST", "/api/v3/order", { symbol: SYMBOL, ...order });
  assert.equal(status, 200, text);
  return json;
}

/** Sells at 20008, or at 19994 once the last price is 19995 or less; `changed` overrides fields. */
export async function placeOco(who: Client, change: Readonly<Record<string, string>> = {}): Promise<void> {
  const oco = { symbol: SYMBOL, side: "SELL", quantity: "0.02", price: "20008.00", stopPrice: "19995.00" };
  const stopLimit = { stopLimitPrice: "19994.00", stopLimitTimeInForce: "GTC" };
  const { status, text } = await who.signed("POST", "/api/v3/order/oco", { ...oco, ...stopLimit, ...change });
  assert.equal(status, 200, text);
}

/** The open orders of all markets, by id. */
export async function openOrders(who: Client): Promise<readonly Order[]> {
  const { json, status, text } = await who.signed<readonly Order[]>("GET", "/api/v3/openOrders");
  assert.equal(status, 200, text);
  return json.toSorted((one, other) => one.orderId - other.orderId);
}

export async function cancelEverything(who: Client): Promise<void> {
  for (const symbol of new Set((await openOrders(who)).map((order) => order.symbol))) {
    await who.signed("DELETE", "/api/v3/openOrders", { symbol });
  }
}

/** The account's newest order in the market, once it has this form. */
export function untilNewest(who: Client, what: string, isIt: (order: Order) => boolean): Promise<Order> {
  return untilAnswer(
    what,
    async () => {
      const { json } = await who.patient<readonly Order[]>("/api/v3/allOrders", { symbol: SYMBOL });
      return json.at(-1) as Order;
    },
    (order) => order !== undefined && isIt(order),
    { withinMs: 10_000, everyMs: 50 },
  );
}
