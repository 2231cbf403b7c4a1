/** What the calls of a client need: an account, a market that has traded, and an open order and list of its own. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, operate } from "@pricetime/testkit/venue";
import type { Own } from "./calls.ts";

const symbol = "BTCUSDT";
const LIMIT = { symbol, type: "LIMIT", timeInForce: "GTC", quantity: "0.01" };
const SELL = { ...LIMIT, side: "SELL", price: "50000" };
const OCO = { symbol, side: "SELL", quantity: "0.01", price: "60000", stopPrice: "45000" };

export class Ground {
  readonly account: DemoAccount;
  readonly #client: Client;
  readonly #taker: Client;

  private constructor(account: DemoAccount, client: Client, taker: Client) {
    this.account = account;
    this.#client = client;
    this.#taker = taker;
  }

  /** Trades once, and prevents a trade of the account with itself. */
  static async open(exchange: Exchange): Promise<Ground> {
    const { accounts, rest } = exchange;
    const [account, other] = accounts;
    assert.ok(account && other);
    // A symbol has a reference price only with a price range.
    await operate(exchange, "PUT", `/v1/symbols/${symbol}/price-range`, { bidLimitMultUp: "5" });
    const ground = new Ground(account, new Client(rest, account), new Client(rest, other));
    await ground.trade();
    await ground.#place("order", SELL);
    await ground.#place("order", { ...SELL, side: "BUY", selfTradePreventionMode: "EXPIRE_BOTH" });
    return ground;
  }

  close(): void {
    this.#client.close();
    this.#taker.close();
  }

  /** The account sells to another one. */
  async trade(): Promise<void> {
    await this.#place("order", SELL);
    const { status, text } = await this.#taker.signed("POST", "/api/v3/order", { ...SELL, side: "BUY" });
    assert.equal(status, 200, text);
  }

  async #place(path: string, parameters: Parameters): Promise<Own> {
    const { status, text, json } = await this.#client.signed<Own>("POST", `/api/v3/${path}`, parameters);
    assert.equal(status, 200, text);
    return json;
  }

  /** Ends all orders of the account, and places an order and a list. */
  async prepare(): Promise<Own> {
    await this.#client.signed("DELETE", "/api/v3/openOrders", { symbol });
    const { orderId } = await this.#place("order", { ...LIMIT, side: "BUY", price: "40000" });
    const { orderListId } = await this.#place("order/oco", OCO);
    return { orderId, orderListId };
  }

  /** Runs a call, which must succeed unless a refusal is expected: then its error must contain the code or its text. */
  async expects(refusal: { readonly code: number } | undefined, call: () => Promise<unknown>): Promise<void> {
    if (refusal === undefined) {
      await call();
      return;
    }
    await assert.rejects(call, (error: unknown) => {
      const told = inspect(error, { depth: 4 });
      assert.ok(told.includes(String(refusal.code)) || told.includes(TEXTS[refusal.code] ?? "?"), told);
      return true;
    });
  }
}

/** The texts of the expected errors: some clients report only those. */
const TEXTS: Readonly<Record<number, string>> = {
  [-1099]: "Not found, authenticated, or authorized",
  [-2043]: "This symbol doesn't have a reference price.",
};

/** The names of an object's methods, those of its classes included. */
export function methodsOf(found: object): string[] {
  const names = new Set<string>();
  for (let each = found; each !== Object.prototype; each = Object.getPrototypeOf(each) as object) {
    for (const name of Object.getOwnPropertyNames(each)) {
      if (typeof (found as Record<string, unknown>)[name] === "function") names.add(name);
    }
  }
  return [...names];
}
