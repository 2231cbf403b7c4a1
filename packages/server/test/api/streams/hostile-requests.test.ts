/**
 * Requests of every method with every kind of value, correctly signed, while all streams have subscribers: each is
 * answered, none reveals a bug, and none causes an exception in stream messages.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KLINE_INTERVALS, METHODS } from "@pricetime/protocol";
import { Dice } from "@pricetime/testkit/dice";
import { until } from "@pricetime/testkit/waiting";
import { hmacKey, payloadOf } from "@pricetime/testkit/client";
import { SocketVenue } from "./socket-venue.ts";
import type { Message } from "./user-venue.ts";

const REQUESTS = 2000;
const AT_A_TIME = 50;
const PLACING = METHODS.filter(({ id }) => id === "order.place" || id === "order.cancelReplace");
const KINDS = ["trade", "aggTrade", "bookTicker", "ticker", "miniTicker", "depth@100ms", "depth5@100ms", "depth20"];
const VALUES: readonly unknown[] = [
  ...["", " ", "0", "-1", "1e-7", "1e999", "NaN", "Infinity", "0x10", "١", "null", "__proto__", "\ud800", "\0", "é"],
  ...["A".repeat(500), "9".repeat(400), `0.${"0".repeat(300)}1`, '"', "\\", '","e":"', "{}", "[]", '["BTCUSDT",null]'],
  ...[0, -0, 1.5, 1e21, 2 ** 53, -(2 ** 63), null, true, [], {}, [[1]], { a: 1 }],
];
const SENSIBLE: Readonly<Record<string, readonly unknown[]>> = {
  symbol: ["BTCUSDT"],
  side: ["BUY", "SELL"],
  type: ["LIMIT", "LIMIT", "LIMIT", "LIMIT_MAKER", "MARKET"],
  timeInForce: ["GTC", "IOC", "FOK"],
  quantity: ["0.5", "1"],
  price: ["100", "99", "101"],
  orderId: [1, 2, 3, 10, 100],
  cancelOrderId: [1, 2, 3, 10, 100],
  cancelReplaceMode: ["STOP_ON_FAILURE", "ALLOW_FAILURE"],
  interval: KLINE_INTERVALS,
};

test(`${REQUESTS} requests`, { timeout: 240_000 }, async () => {
  const venue = await SocketVenue.start({ limitsRates: false });
  const random = new Dice(2019);
  const listening = await venue.dial("/stream");
  const names = [...KINDS, ...KLINE_INTERVALS.map((interval) => `kline_${interval}`)].map((kind) => `btcusdt@${kind}`);
  const params = [...names, "!bookTicker", "!ticker@arr", "!miniTicker@arr", await venue.openListenKey()];
  await listening.ask({ method: "SUBSCRIBE", params, id: 1 });
  const socket = await venue.dial("/ws-api/v3");
  const key = hmacKey(venue.trader);
  for (let sent = 1; sent <= REQUESTS; sent++) {
    const method = random.pick(random.next() < 0.5 ? METHODS : PLACING);
    assert.ok(method !== undefined);
    const asked: Record<string, unknown> = { apiKey: key.apiKey, timestamp: venue.nowMs };
    for (const { name } of method.parameters) {
      const draw = random.next();
      const sensible = SENSIBLE[name];
      if (draw < 0.03 || (sensible === undefined && draw < 0.9)) continue;
      asked[name] = draw < 0.95 && sensible !== undefined ? random.pick(sensible) : random.pick(VALUES);
    }
    const signature = key.sign(payloadOf(asked));
    socket.say({ id: sent, method: method.id, params: { ...asked, signature } });
    if (sent % AT_A_TIME === 0) await socket.until(answers(socket.messages, sent));
  }
  const said = socket.messages.filter((message) => "id" in message);
  assert.deepEqual(venue.bugs, []);
  assert.deepEqual(
    said.filter(({ status }) => status >= 500),
    [],
  );
  assert.ok(said.filter(({ status }) => status === 200).length > REQUESTS / 10, "some were right");
  const isTrade = ({ data }: Message): boolean => data?.e === "executionReport" && data.x === "TRADE";
  await until("trades were told", () => listening.messages.some(isTrade));
});

/** The messages up to this many responses, including events in between. */
function answers(messages: readonly object[], count: number): number {
  return count + messages.filter((message) => !("id" in message)).length;
}
