/** Requests from other sites, other local ports or over plain HTTP cannot sign in or use a session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AccountVenue, type Browser, type PageAnswer, PASSWORD, refusal, SESSION } from "./account-venue.ts";

const EMAIL = "ann@example.com";
const FORM = "application/x-www-form-urlencoded";
const signIn = { email: EMAIL, password: PASSWORD };

type Headers = Record<string, string | undefined>;

/** Headers of requests from other origins, and the expected error. */
function attempts(port: number): readonly (readonly [what: string, headers: Headers, word: string])[] {
  return [
    ["a form of another site has no header", { "x-pricetime-page": undefined }, "PAGE_HEADER_MISSING"],
    ["or another one", { "x-pricetime-page": "console" }, "PAGE_HEADER_MISSING"],
    ["another site", { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" }, "FOREIGN_ORIGIN"],
    [
      "whose browser says no more than the origin",
      { origin: "https://evil.example.com", "sec-fetch-site": undefined },
      "FOREIGN_ORIGIN",
    ],
    ["or only where it comes from", { origin: undefined, "sec-fetch-site": "cross-site" }, "FOREIGN_ORIGIN"],
    [
      "another port of this machine is the same site",
      { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
      "FOREIGN_ORIGIN",
    ],
    ["a sandboxed frame", { origin: "null" }, "FOREIGN_ORIGIN"],
    ["typed into the address bar", { origin: undefined, "sec-fetch-site": "none" }, "FOREIGN_ORIGIN"],
    ["the same host with another scheme", { origin: `https://127.0.0.1:${port}` }, "FOREIGN_ORIGIN"],
    ["an origin that the operator allows for sockets", { origin: "https://app.example.com" }, "FOREIGN_ORIGIN"],
    ["a name that leads here for a while", { host: "evil.example.com", origin: "http://evil.example.com" }, "INSECURE"],
    ["a proxy that nobody trusts", { "x-forwarded-proto": "https" }, "INSECURE"],
    [
      "and one that tells for whom it asks",
      { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https" },
      "INSECURE",
    ],
  ];
}

test("POST requests of other sites are rejected with and without a cookie, by both parsers", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const before = venue.commands.length;
  for (const lane of [{}, { te: "trailers" }]) {
    for (const [what, headers, word] of attempts(venue.port)) {
      for (const path of ["sign-in", "sign-out", "sessions/close-others", "ticket", "password-reset"]) {
        const answer = await browser.post(path, signIn, { ...headers, ...lane });
        assert.deepEqual(refusal(answer), [403, word], `${what}: ${path}`);
        assert.deepEqual(answer.setCookies, [], what);
      }
    }
  }
  assert.equal(venue.commands.length, before, "nothing was journaled");
  assert.equal((await browser.get("session")).status, 200);
});

test("REST endpoints reject them too, even with the cookie", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const order = "/api/v3/order?symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=1&quantity=20";
  for (const [what, headers] of attempts(venue.port)) {
    const answer = await browser.send("POST", order, undefined, headers);
    assert.ok(answer.status >= 400 && answer.json.code < 0, `${what}: ${answer.text}`);
    const isWithoutHeader = headers["x-pricetime-page"] === undefined && "x-pricetime-page" in headers;
    assert.equal(answer.json.code, isWithoutHeader ? -2014 : -1002, what);
  }
  assert.ok(venue.commands.every(({ type }) => type !== "placeOrder"));
});

test("a preflight request from another origin is rejected", async () => {
  const venue = await AccountVenue.start();
  const asks = { "access-control-request-method": "POST", "access-control-request-headers": "x-pricetime-page" };
  const answer = await venue.browser().send("OPTIONS", "/account/v1/sign-in", undefined, asks);
  assert.equal(answer.headers["access-control-allow-credentials"], undefined);
  assert.doesNotMatch(String(answer.headers["access-control-allow-headers"]), /pricetime-page/i);
});

test("only JSON bodies are read, which forms cannot send", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const post = (type: string | undefined, body: string): Promise<PageAnswer> =>
    browser.send("POST", "/account/v1/sign-in", body, { "content-type": type });
  for (const type of [
    FORM,
    "text/plain",
    "multipart/form-data; boundary=x",
    undefined,
    "application/json, text/plain",
  ]) {
    assert.deepEqual(refusal(await post(type, JSON.stringify(signIn))), [415, "NOT_JSON"], type);
  }
  assert.deepEqual(refusal(await post("application/json", "{")), [400, "BAD_REQUEST"]);
  assert.deepEqual(refusal(await post("application/json", JSON.stringify({ ...signIn, more: 1 }))), [
    400,
    "BAD_REQUEST",
  ]);
  const long = JSON.stringify({ ...signIn, password: "x".repeat(9000) });
  assert.deepEqual(refusal(await post("application/json", long)), [413, "TOO_LARGE"]);
  assert.equal((await post("application/json; charset=utf-8", JSON.stringify(signIn))).status, 200);
});

test("behind a trusted proxy, the proxy's TLS counts", async () => {
  const venue = await AccountVenue.start({ trustedProxies: ["127.0.0.1"] });
  const link = { ...venue.invite(EMAIL), password: PASSWORD };
  const host = { host: "exchange.example.com", "x-forwarded-for": "192.0.2.1" };
  const https = { ...host, "x-forwarded-proto": "https", origin: "https://exchange.example.com" };
  const accept = (headers: Headers): Promise<PageAnswer> => venue.browser().post("invitation/accept", link, headers);
  const clear = await accept({ ...https, "x-forwarded-proto": "http", origin: "http://exchange.example.com" });
  assert.deepEqual(refusal(clear), [403, "INSECURE"]);
  assert.match(clear.json.message, /TLS.*X-Forwarded-Proto/);
  assert.deepEqual(refusal(await accept({ ...https, "x-forwarded-proto": undefined })), [403, "INSECURE"]);
  assert.deepEqual(refusal(await accept({ ...https, origin: "https://evil.example.com" })), [403, "FOREIGN_ORIGIN"]);
  assert.equal((await accept(https)).status, 200);
  const renamed = { ...https, host: "10.0.0.7:8080", "x-forwarded-host": "exchange.example.com" };
  assert.equal((await venue.browser().post("sign-in", signIn, renamed)).status, 200);
});

test("a duplicate cookie is ignored", async () => {
  const venue = await AccountVenue.start();
  const browser: Browser = await venue.customer(EMAIL);
  const own = `${SESSION}=${browser.cookies.get(SESSION)}`;
  assert.equal((await browser.get("session", { cookie: `a=b; ${own}; c=d` })).status, 200);
  assert.equal((await browser.get("session", { cookie: `${SESSION}=x; ${own}` })).status, 401);
});
