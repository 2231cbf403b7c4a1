/** Interface 6 and 10.3: every event of market and user streams, field by field, on the running program. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import { limit, type Market, ok, openMarket, place, SYMBOL, tradeABit } from "./market.ts";
import { assertShape, type Fields as Shape } from "./shape.ts";
import * as shapes from "./stream-shapes.ts";

/** What came, by stream or by type of event, and whoever waits for more. */
class Ear {
  readonly socket: WebSocket;
  readonly opened: Promise<unknown>;
  readonly #heard = new Map<string, unknown[]>();
  #more: () => void = () => {};

  constructor(address: string, nameOf: (message: never) => readonly [name: string, event: unknown]) {
    this.socket = new WebSocket(address);
    this.opened = once(this.socket, "open");
    this.socket.on("message", (text) => {
      const [name, event] = nameOf(JSON.parse(String(text)) as never);
      this.#heard.set(name, [...(this.#heard.get(name) ?? []), event]);
      this.#more();
    });
  }

  /** Each of one kind has the shape; there is at least one. */
  async hears(name: string, shape: Shape | readonly [Shape]): Promise<void> {
    while (!this.#heard.has(name)) await new Promise<void>((more) => (this.#more = more));
    for (const event of this.#heard.get(name) ?? []) assertShape(event, shape);
  }
}

const MARKET_STREAMS: Readonly<Record<string, Shape | readonly [Shape]>> = {
  "btcusdt@trade": shapes.STREAM_TRADE,
  "btcusdt@aggTrade": shapes.STREAM_AGG_TRADE,
  "btcusdt@kline_1m": shapes.STREAM_KLINE,
  "btcusdt@miniTicker": shapes.STREAM_MINI_TICKER,
  "btcusdt@ticker": shapes.STREAM_TICKER,
  "!miniTicker@arr": [shapes.STREAM_MINI_TICKER],
  "btcusdt@bookTicker": shapes.STREAM_BOOK_TICKER,
  "btcusdt@depth5@100ms": shapes.STREAM_LEVELS,
  "btcusdt@depth@100ms": shapes.STREAM_DEPTH,
};

let market: Market;
before(async () => {
  market = await openMarket();
});
after(() => market.close());

test("every stream of a market, and every event of an account", { timeout: 30_000 }, async () => {
  const { exchange, maker } = market;
  const address = `${exchange.ws}/stream?streams=${Object.keys(MARKET_STREAMS).join("/")}`;
  const ofMarket = new Ear(address, ({ stream, data }: { stream: string; data: unknown }) => [stream, data]);
  const { listenKey } = ok(await maker.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream"));
  const ofAccount = new Ear(`${exchange.ws}/ws/${listenKey}`, (event: { e: string }) => [event.e, event]);
  await Promise.all([ofMarket.opened, ofAccount.opened]);

  await tradeABit(market);
  await place(maker, limit("BUY", "0.1", "40000", { newOrderRespType: "ACK" }));
  const oco = { symbol: SYMBOL, side: "SELL", quantity: "0.1", price: "60000", stopPrice: "45000" };
  ok(await maker.signed("POST", "/api/v3/order/oco", oco));
  ok(await maker.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL }));
  // Nothing moves at once as surely as what stays within a family.
  const { email } = exchange.accounts[0]!;
  const transfer = { fromEmail: email, toEmail: "dave@demo.pricetime", asset: "BTC", amount: "0.5" };
  ok(await maker.signed("POST", "/wapi/v3/sub-account/transfer.html", transfer));

  for (const [stream, shape] of Object.entries(MARKET_STREAMS)) await ofMarket.hears(stream, shape);
  await ofAccount.hears("balanceUpdate", shapes.BALANCE_UPDATE);
  await ofAccount.hears("executionReport", shapes.EXECUTION_REPORT);
  await ofAccount.hears("listStatus", shapes.LIST_STATUS);
  await ofAccount.hears("outboundAccountInfo", shapes.ACCOUNT_INFO);
  await ofAccount.hears("outboundAccountPosition", shapes.ACCOUNT_POSITION);

  const closed = once(ofAccount.socket, "close");
  ok(await maker.keyed("DELETE", "/api/v3/userDataStream", { listenKey }));
  await ofAccount.hears("listenKeyExpired", shapes.LISTEN_KEY_EXPIRED);
  const [code, reason] = (await closed) as [number, Buffer];
  assert.deepEqual([code, String(reason)], [1000, "the listen key is over"]);
  ofMarket.socket.close();
});
