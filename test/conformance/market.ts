/** A running exchange with one market that has traded a little, for the conformance tests. */
import assert from "node:assert/strict";
import { type Answer, Client, type Parameters } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

export const SYMBOL = "BTCUSDT";
export const PRICE = "50000.00000000";

export interface Market {
  readonly exchange: Exchange;
  readonly maker: Client;
  readonly taker: Client;
  close(): Promise<void>;
}

export async function openMarket(args: readonly string[] = ["--limits", "off"]): Promise<Market> {
  const exchange = await startExchange({ args: ["--bots", "off", ...args] });
  const [first, second] = exchange.accounts;
  const maker = new Client(exchange.rest, first);
  const taker = new Client(exchange.rest, second);
  return {
    exchange,
    maker,
    taker,
    close: async () => {
      maker.close();
      taker.close();
      assert.equal(await exchange.stop(), 0, "the exchange did not stop as it should");
    },
  };
}

export const limit = (side: string, quantity: string, price: string, more: Parameters = {}): Parameters => ({
  symbol: SYMBOL,
  side,
  type: "LIMIT",
  timeInForce: "GTC",
  quantity,
  price,
  ...more,
});

export type Fields = Record<string, string & number & boolean>;

/** The body of an answer that must be a 200. */
export function ok<T = Fields>(answer: Answer<T>): T {
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

export async function place(client: Client, parameters: Parameters): Promise<Fields> {
  return ok(await client.signed<Fields>("POST", "/api/v3/order", parameters));
}

/** Asserts an error of the interface: HTTP status, code and message, and nothing else in the body. */
export function refused(answer: Answer<unknown>, status: number, code: number, msg: string): void {
  assert.deepEqual([answer.status, answer.json], [status, { code, msg }], answer.text);
  assert.match(String(answer.headers["content-type"]), /^application\/json;charset=utf-8$/i);
}

/** Four trades at three prices: the first two fill one taker order at one price (one aggregate trade). */
export async function tradeABit({ maker, taker }: Market): Promise<void> {
  await place(maker, limit("SELL", "0.1", "50000"));
  await place(maker, limit("SELL", "0.2", "50000"));
  await place(maker, limit("SELL", "0.3", "50010"));
  await place(maker, limit("SELL", "5", "50020"));
  await place(taker, limit("BUY", "0.7", "50020"));
  await place(taker, limit("BUY", "2", "49990"));
  await place(taker, limit("SELL", "0.5", "49990"));
}
