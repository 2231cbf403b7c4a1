/**
 * Requests that two readers of HTTP would cut at different places. Whatever a proxy in front makes of them: what
 * hides in a body is never carried out, and a request whose end is in doubt ends its connection.
 */
import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { encode, sign } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { clientOf, exchangeBytes, statuses } from "./rig.ts";

/** A whole, valid order: if it were read as a request it would be carried out. */
function hiddenOrder({ accounts }: Exchange, id: string): string {
  const { apiKey, secretKey } = accounts[0]!;
  const order = {
    symbol: "BTCUSDT",
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    price: "20000",
    quantity: "0.001",
  };
  const payload = encode({ ...order, newClientOrderId: id, timestamp: Date.now(), recvWindow: 60_000 });
  const query = `${payload}&signature=${sign(secretKey, payload)}`;
  return `POST /api/v3/order?${query} HTTP/1.1\r\nHost: x\r\nX-MBX-APIKEY: ${apiKey}\r\nContent-Length: 0\r\n\r\n`;
}

const head = (...headers: string[]): string =>
  ["GET /api/v3/ping HTTP/1.1", "Host: x", ...headers, "", ""].join("\r\n");

/** The bytes around the hidden request, by what is doubtful about them. */
const DOUBTFUL: Readonly<Record<string, (hidden: string) => string>> = {
  "length and chunks": (hidden) =>
    head(`Content-Length: ${hidden.length + 5}`, "Transfer-Encoding: chunked") + `0\r\n\r\n${hidden}`,
  "chunks and length": (hidden) => head("Transfer-Encoding: chunked", `Content-Length: 5`) + `0\r\n\r\n${hidden}`,
  "two lengths that differ": (hidden) => head("Content-Length: 0", `Content-Length: ${hidden.length}`) + hidden,
  "two lengths that are the same": (hidden) => head(`Content-Length: 0`, "Content-Length: 0") + hidden,
  "a list of lengths": (hidden) => head(`Content-Length: 0, ${hidden.length}`) + hidden,
  "a length with a sign": (hidden) => head("Content-Length: +0") + hidden,
  "a length in hex": (hidden) => head("Content-Length: 0x0") + hidden,
  "a length beyond all": (hidden) => head("Content-Length: 18446744073709551616") + hidden,
  "a space before the colon": (hidden) => head(`Content-Length : ${hidden.length}`) + hidden,
  "a folded header": (hidden) => head("X-A: b", `\tContent-Length: 0`) + hidden,
  "a folded length": (hidden) => head("Content-Length:", " 0") + hidden,
  "an encoding that nobody knows": (hidden) => head("Transfer-Encoding: xchunked") + `0\r\n\r\n${hidden}`,
  "two encodings": (hidden) => head("Transfer-Encoding: chunked", "Transfer-Encoding: identity") + `0\r\n\r\n${hidden}`,
  "chunked is not the last encoding": (hidden) => head("Transfer-Encoding: chunked, identity") + `0\r\n\r\n${hidden}`,
  "an encoding after a vertical tab": (hidden) => head("Transfer-Encoding:\u000bchunked") + `0\r\n\r\n${hidden}`,
  "a chunk longer than any": (hidden) => head("Transfer-Encoding: chunked") + `FFFFFFFFFFFFFFFFF\r\n${hidden}`,
  "a chunk's length that is none": (hidden) => head("Transfer-Encoding: chunked") + `0x0\r\n\r\n${hidden}`,
  "a chunk that ends elsewhere": (hidden) => head("Transfer-Encoding: chunked") + `1\r\nAB\r\n0\r\n\r\n${hidden}`,
  "lines that end in line feeds": (hidden) => head("Content-Length: 0").replaceAll("\r\n", "\n") + hidden,
  "a lone return": (hidden) => head(`X-A: b\rContent-Length: ${hidden.length}`) + hidden,
  "a byte that is zero": (hidden) => head("X-A: b\u0000", "Content-Length: 0") + hidden,
};

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
});
after(() => exchange.kill());

for (const [what, around] of Object.entries(DOUBTFUL)) {
  test(`in doubt: ${what}`, async (t) => {
    const received = await exchangeBytes(exchange.rest, [around(hiddenOrder(exchange, "hidden"))]);
    const all = statuses(received);
    assert.ok(all.length >= 1 && all.length <= 2, `${all.length} answers: ${received.slice(0, 500)}`);
    assert.equal(all.at(-1), 400, `the last answer is no refusal: ${all}`);
    assert.deepEqual((await openIds(t)).includes("hidden"), false, "what was hidden was carried out");
  });
}

test("not in doubt: the same order behind a whole request is carried out, so the tests above could fail", async (t) => {
  const received = await exchangeBytes(exchange.rest, [head("Content-Length: 0") + hiddenOrder(exchange, "pipelined")]);
  assert.deepEqual(statuses(received), [200, 200], received);
  assert.deepEqual(await openIds(t), ["pipelined"]);
});

async function openIds(t: TestContext): Promise<string[]> {
  const { json } = await clientOf(t, exchange).signed<{ clientOrderId: string }[]>("GET", "/api/v3/openOrders");
  return json.map(({ clientOrderId }) => clientOrderId);
}
