/** A signed-in customer at the REST endpoints and the user data stream. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { AccountVenue, type Browser, HOST, type PageAnswer, PASSWORD, refusal } from "./account-venue.ts";

const EMAIL = "ann@example.com";
const ORDER = "symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=1&quantity=20";

async function trader(venue: AccountVenue): Promise<{ browser: Browser; accountId: number }> {
  const browser = await venue.customer(EMAIL);
  const { accountId } = venue.engine.accountByEmail(EMAIL) ?? assert.fail();
  venue.give(accountId, "USDT", "100000");
  venue.give(accountId, "BTC", "10");
  return { browser, accountId };
}

test("a session trades without key, timestamp and signature, only for its own account", async () => {
  const venue = await AccountVenue.start();
  const { browser, accountId } = await trader(venue);
  const placed = await browser.send("POST", `/api/v3/order?${ORDER}`);
  assert.equal(placed.status, 200, placed.text);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const second = await browser.send("POST", "/api/v3/order", ORDER, form);
  assert.equal(second.status, 200, second.text);
  const open = (await browser.send("GET", "/api/v3/openOrders?symbol=BTCUSDT")).json;
  assert.equal(open.length, 2);
  assert.equal((await browser.send("GET", "/api/v3/account")).json.accountType, "SPOT");
  assert.equal([...venue.engine.openOrders(accountId, undefined)].length, 2);
  const cancelled = await browser.send("DELETE", `/api/v3/order?symbol=BTCUSDT&orderId=${placed.json.orderId}`);
  assert.equal(cancelled.json.status, "CANCELED");
  const listenKey = await browser.send("POST", "/api/v3/userDataStream");
  assert.match(listenKey.json.listenKey, /^[A-Za-z0-9]{64}$/);
  const wallet = await browser.send("GET", "/sapi/v1/capital/config/getall");
  assert.equal(wallet.status, 200, wallet.text);
});

test("parameter errors are the usual ones, and without a session the request is rejected", async () => {
  const venue = await AccountVenue.start();
  const { browser } = await trader(venue);
  const without = await browser.send("POST", "/api/v3/order?symbol=BTCUSDT&side=BUY");
  assert.deepEqual([without.status, without.json.code], [400, -1102]);
  const stranger = await venue.browser().send("POST", `/api/v3/order?${ORDER}`);
  assert.deepEqual([stranger.status, stranger.json.code], [401, -2015]);
  const program = await venue
    .browser()
    .send("POST", `/api/v3/order?${ORDER}`, undefined, { "x-pricetime-page": undefined });
  assert.deepEqual([program.status, program.json.code], [401, -2014]);
});

test("a request with an API key belongs to the key's account, whatever session the browser has", async () => {
  const venue = await AccountVenue.start();
  const { browser } = await trader(venue);
  const answer = await browser.send("POST", `/api/v3/order?${ORDER}`, undefined, {
    "x-mbx-apikey": venue.trader.apiKey,
  });
  assert.equal(answer.json.code, -1102, "it wants a timestamp");
});

test("request weights and order limits apply equally", async () => {
  const venue = await AccountVenue.start({ limits: DEFAULT_LIMITS });
  const { browser } = await trader(venue);
  const answers: PageAnswer[] = [];
  for (let i = 0; i < 12; i++) answers.push(await browser.send("POST", `/api/v3/order?${ORDER}`));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array.from({ length: 10 }, () => 200), 429, 429],
  );
  assert.equal(answers[3]?.headers["x-mbx-order-count-1s"], "4");
  assert.equal(answers[10]?.json.code, -1015);
  assert.ok(Number(answers[9]?.headers["x-mbx-used-weight-1m"]) >= 10);
});

test("a withdrawal by a session waits for the emailed link, and needs a code if the account has codes", async () => {
  const venue = await AccountVenue.start();
  const { browser, accountId } = await trader(venue);
  const withdraw = (more = ""): Promise<PageAnswer> =>
    browser.send("POST", `/sapi/v1/capital/withdraw/apply?coin=BTC&address=bc1q0test&amount=1${more}`);
  const first = await withdraw();
  assert.equal(first.status, 200, first.text);
  assert.equal(venue.engine.funds.withdrawal(first.json.id)?.status, "emailSent");
  const { secret, pending } = (await browser.post("totp", { password: PASSWORD })).json;
  await browser.post("totp/confirm", { pending, code: venue.code(secret) });
  assert.notEqual(venue.engine.account(accountId)?.sealedTotp, null);
  assert.notEqual((await withdraw()).status, 200, "without a code");
});

interface Heard {
  readonly socket: WebSocket;
  readonly events: { readonly e: string }[];
  readonly closed: Promise<string>;
}

function listen(venue: AccountVenue, ticket: string, headers: Record<string, string> = {}): Heard {
  const socket = new WebSocket(`ws://${HOST}:${venue.port}/account/stream?ticket=${ticket}`, { headers });
  const events: { e: string }[] = [];
  socket.on("message", (data) => events.push(JSON.parse(String(data)) as { e: string }));
  socket.on("error", () => {});
  return { socket, events, closed: once(socket, "close").then(([code]) => String(code)) };
}

const ticketOf = async (browser: Browser): Promise<string> => (await browser.post("ticket")).json.ticket as string;

test("a ticket opens one socket within 30 seconds, with the events of a listen key", {
  timeout: 30_000,
}, async () => {
  const venue = await AccountVenue.start();
  const { browser } = await trader(venue);
  const ticket = await ticketOf(browser);
  const heard = listen(venue, ticket, { origin: venue.origin });
  await once(heard.socket, "open");
  await browser.send("POST", `/api/v3/order?${ORDER}`);
  await until("the events of an order", () => heard.events.length >= 3);
  assert.deepEqual(heard.events.map(({ e }) => e).sort(), [
    ...["executionReport", "outboundAccountInfo", "outboundAccountPosition"],
  ]);
  assert.equal(await listen(venue, ticket, { origin: venue.origin }).closed, "1008", "used");
  assert.equal(await listen(venue, "A".repeat(43), { origin: venue.origin }).closed, "1008", "made up");
  const late = await ticketOf(browser);
  venue.nowMs += 30_001;
  assert.equal(await listen(venue, late, { origin: venue.origin }).closed, "1008", "too old");
});

test("pages of other origins get no user data socket, with or without a ticket", {
  timeout: 30_000,
}, async () => {
  const venue = await AccountVenue.start();
  const { browser } = await trader(venue);
  for (const origin of ["https://evil.example.com", "https://app.example.com", "http://127.0.0.1:1", "null"]) {
    const { socket, closed } = listen(venue, await ticketOf(browser), { origin });
    const [request, response] = (await once(socket, "unexpected-response")) as [
      { destroy(): void },
      { statusCode: number },
    ];
    assert.equal(response.statusCode, 403, origin);
    request.destroy();
    void closed;
  }
});

test("the socket closes when its session ends", { timeout: 30_000 }, async () => {
  const venue = await AccountVenue.start({ accounts: { sessionLifeMs: 3_600_000 } });
  const { browser, accountId } = await trader(venue);
  const open = async (): Promise<Heard> => {
    const heard = listen(venue, await ticketOf(browser), { origin: venue.origin });
    await once(heard.socket, "open");
    return heard;
  };
  const first = await open();
  await browser.post("sign-out");
  assert.equal(await first.closed, "1008");
  await browser.post("sign-in", { email: EMAIL, password: PASSWORD });
  const second = await open();
  venue.act({ type: "freezeAccount", accountId, by: "test" });
  assert.equal(await second.closed, "1008");
  await browser.post("sign-in", { email: EMAIL, password: PASSWORD });
  const third = await open();
  venue.nowMs += 3_600_000;
  venue.give(accountId, "BTC", "1");
  assert.equal(await third.closed, "1008");
  assert.deepEqual(third.events, []);
  assert.deepEqual(refusal(await browser.post("ticket")), [401, "NO_SESSION"]);
});

test("a ticket is invalid once its session has ended", { timeout: 30_000 }, async () => {
  const venue = await AccountVenue.start();
  const { browser } = await trader(venue);
  const ticket = await ticketOf(browser);
  await browser.post("sign-out");
  assert.equal(await listen(venue, ticket, { origin: venue.origin }).closed, "1008");
});
