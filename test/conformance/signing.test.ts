/** Interface 5 and the styles of real clients: where parameters and signature may stand, and what is refused. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, encode, sign } from "@pricetime/testkit/client";
import { limit, type Market, ok, openMarket, refused } from "./market.ts";

let market: Market;
let apiKey: string;
let secretKey: string;
before(async () => {
  market = await openMarket();
  const account = market.exchange.accounts[1];
  assert.ok(account);
  ({ apiKey, secretKey } = account);
});
after(() => market.close());

const TEST = "/api/v3/order/test";
const order = (): string => encode({ ...limit("BUY", "0.1", "40000"), timestamp: Date.now() });
const post = (query: string | undefined, body: string | undefined, key = apiKey): Promise<Answer> =>
  market.taker.send("POST", TEST, {
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    headers: { "X-MBX-APIKEY": key },
  });

test("the published example vectors", () => {
  const secret = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j";
  const query = "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC";
  const body = "quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559";
  assert.equal(sign(secret, `${query}&${body}`), "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71");
  assert.equal(sign(secret, `${query}${body}`), "0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77");
});

test("everything in the query", async () => {
  const all = order();
  ok(await post(`${all}&signature=${sign(secretKey, all)}`, undefined));
  ok(await post(`${all}&signature=${sign(secretKey, all)}`, ""));
});

test("everything in the body", async () => {
  const all = order();
  ok(await post(undefined, `${all}&signature=${sign(secretKey, all)}`));
});

test("parameters in the body, the signature alone in the query", async () => {
  const all = order();
  ok(await post(`signature=${sign(secretKey, all)}`, all));
});

test("mixed: query and body are joined with nothing between", async () => {
  const [query, body] = [encode(limit("BUY", "0.1", "40000")), encode({ recvWindow: 5000, timestamp: Date.now() })];
  ok(await post(query, `${body}&signature=${sign(secretKey, query + body)}`));
  ok(await post(`${query}&signature=${sign(secretKey, query + body)}`, body));
  refused(
    await post(query, `${body}&signature=${sign(secretKey, `${query}&${body}`)}`),
    400,
    -1022,
    "Signature for this request is not valid.",
  );
});

test("the signature first, in the middle, in capitals", async () => {
  const all = order();
  const signature = sign(secretKey, all);
  ok(await post(`signature=${signature}&${all}`, undefined));
  const [first, ...rest] = all.split("&");
  ok(await post(`${first}&signature=${signature}&${rest.join("&")}`, undefined));
  ok(await post(`${all}&signature=${signature.toUpperCase()}`, undefined));
});

test("what is signed is the text as sent, percent signs and all", async () => {
  const all = order().replace("BTCUSDT", "BTC%55SDT");
  ok(await post(`${all}&signature=${sign(secretKey, all)}`, undefined));
});

test("signed as text, sent as a form: python-binance and php-binance-api", async () => {
  const form = order().replace("BTCUSDT&", "BTCUSDT&newClientOrderId=a%3Ab%2Fc&");
  const text = decodeURIComponent(form);
  ok(await post(undefined, `${form}&signature=${sign(secretKey, text)}`));
  ok(await post(`${form}&signature=${sign(secretKey, text)}`, undefined));
  const [query, body] = [form, encode({ recvWindow: 5000 })];
  ok(await post(query, `${body}&signature=${sign(secretKey, text + body)}`));
  // A text that says other parameters than those that were sent is no signature of them.
  const hidden = form.replace("side=BUY&", "side=BUY%26");
  const answer = await post(undefined, `${hidden}&signature=${sign(secretKey, order())}`);
  assert.notEqual(answer.status, 200);
});

test("the query wins where both name a parameter", async () => {
  const query = encode({ ...limit("BUY", "0.1", "40000"), timestamp: Date.now() });
  const body = encode({ price: "40000.001" });
  ok(await post(`${query}&signature=${sign(secretKey, query + body)}`, body));
});

test("a wrong signature, a wrong secret, a wrong key", async () => {
  const all = order();
  refused(
    await post(`${all}&signature=${sign("x", all)}`, undefined),
    400,
    -1022,
    "Signature for this request is not valid.",
  );
  const other = sign(market.exchange.accounts[0]?.secretKey ?? "", all);
  refused(await post(`${all}&signature=${other}`, undefined), 400, -1022, "Signature for this request is not valid.");
  const right = `${all}&signature=${sign(secretKey, all)}`;
  refused(await post(right, undefined, "A".repeat(64)), 401, -2015, "Invalid API-key, IP, or permissions for action.");
  refused(await post(right, undefined, "short"), 401, -2014, "API-key format invalid.");
  refused(await market.taker.send("POST", TEST, { query: right }), 401, -2014, "API-key format invalid.");
});

test("a missing signature, a missing timestamp, a repeated parameter", async () => {
  const mandatory = (name: string): string =>
    `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
  const all = order();
  refused(await post(all, undefined), 400, -1102, mandatory("signature"));
  const timeless = encode(limit("BUY", "0.1", "40000"));
  refused(
    await post(`${timeless}&signature=${sign(secretKey, timeless)}`, undefined),
    400,
    -1102,
    mandatory("timestamp"),
  );
  const twice = `${all}&side=BUY`;
  refused(
    await post(`${twice}&signature=${sign(secretKey, twice)}`, undefined),
    400,
    -1101,
    "Duplicate values for a parameter detected.",
  );
});

test("timing: within the window, before it, ahead of the server", async () => {
  const at = async (timestamp: number, recvWindow?: number): Promise<Answer> => {
    const all = encode({
      ...limit("BUY", "0.1", "40000"),
      ...(recvWindow === undefined ? {} : { recvWindow }),
      timestamp,
    });
    return post(`${all}&signature=${sign(secretKey, all)}`, undefined);
  };
  ok(await at(Date.now() - 2_000));
  ok(await at(Date.now() - 50_000, 60_000));
  ok(await at(Date.now() + 500));
  refused(await at(Date.now() - 5_500), 400, -1021, "Timestamp for this request is outside of the recvWindow.");
  refused(await at(Date.now() - 700, 500), 400, -1021, "Timestamp for this request is outside of the recvWindow.");
  refused(
    await at(Date.now() + 20_000),
    400,
    -1021,
    "Timestamp for this request was 1000ms ahead of the server's time.",
  );
});
