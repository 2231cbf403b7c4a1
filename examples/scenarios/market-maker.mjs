// A small market maker without any code for a lab: one bid and one ask around the price, replaced when they are filled or
// too far from their target. It handles an exchange's bad day: without an answer it queries the order, it pauses when
// rate limited, it requests a new snapshot when its book has a gap, and it does not trade on outdated prices.
//
//   pricetime lab run-scenario flash-crash -- node examples/scenarios/market-maker.mjs [--symbol BTCUSDT] [--quantity 0.01]
//     [--spread 0.2] [--most 0.05] [--every 2000]
//
// --spread: distance between bid and ask in percent. --most: the largest net position in the base asset. --every: the
// pause between two rounds in ms.
import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { LocalBook } from "./local-book.mjs";

const { PRICETIME_REST: rest, PRICETIME_WS: ws, PRICETIME_API_KEY: apiKey, PRICETIME_API_SECRET: secret } = process.env;
const option = (text) => ({ type: "string", default: text });
const { values } = parseArgs({
  options: {
    ...{ symbol: option("BTCUSDT"), quantity: option("0.01"), spread: option("0.2") },
    ...{ most: option("0.05"), every: option("2000") },
  },
});
const { symbol } = values;
const [quantity, spread, most, everyMs] = [values.quantity, values.spread, values.most, values.every].map(Number);
/** Timeout of an answer, and the number of attempts. */
const TIMEOUT_MS = 5000;
const TRIES = 10;
const QUESTION_TRIES = 4;
const PAUSE_MS = 1000;
/** How often it queries open orders and balances, whatever the streams sent. */
const RECONCILE_MS = 10_000;
/** Prices older than this are queried. */
const LATE_MS = 2500;
/** A quote is moved when it is further from its target than this part of the spread. */
const SLACK = 0.25;
const UNKNOWN_ORDER = -2013;
const TOO_MANY = [418, 429];

let offsetMs = 0;
let silentUntilMs = 0;
let ids = 0;

/** The outcome of the request is unknown. */
class NoAnswer extends Error {}
/** The exchange rejected the request. */
class Refused extends Error {
  constructor(status, { code, msg }) {
    super(`${status} ${code} ${msg}`);
    Object.assign(this, { status, code });
  }
}

async function call(method, path, parameters = {}, isSigned = true) {
  if (Date.now() < silentUntilMs) throw new Refused(429, { code: -1003, msg: "silent for a while" });
  const query = new URLSearchParams(parameters);
  if (isSigned) {
    query.set("recvWindow", "10000");
    query.set("timestamp", String(Date.now() + offsetMs));
    query.set("signature", createHmac("sha256", secret).update(query.toString()).digest("hex"));
  }
  const patience = new AbortController();
  const late = setTimeout(() => patience.abort(), TIMEOUT_MS);
  let answer;
  let body;
  try {
    answer = await fetch(`${rest}${path}?${query}`, {
      method,
      headers: { "X-MBX-APIKEY": apiKey },
      signal: patience.signal,
    });
    body = JSON.parse(await answer.text());
  } catch (error) {
    if (answer !== undefined && answer.status >= 400 && answer.status < 500) throw new Refused(answer.status, {});
    throw new NoAnswer(`${method} ${path}: ${error.message}`);
  } finally {
    clearTimeout(late);
  }
  if (TOO_MANY.includes(answer.status)) {
    silentUntilMs = Date.now() + 1000 * Number(answer.headers.get("retry-after") ?? 1);
  }
  if (answer.status >= 500) throw new NoAnswer(`${method} ${path}: ${answer.status} ${body.code}`);
  if (!answer.ok) throw new Refused(answer.status, body);
  return body;
}

/** Sends a query, which changes nothing and is therefore repeated if there is no answer. */
async function ask(path, parameters, isSigned) {
  for (let tries = 1; ; tries++) {
    try {
      return await call("GET", path, parameters, isSigned);
    } catch (error) {
      if (!(error instanceof NoAnswer) || tries === QUESTION_TRIES) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** The exchange's time, because either clock may be wrong. */
async function measureTime() {
  const sentMs = Date.now();
  const { serverTime } = await call("GET", "/api/v3/time", {}, false);
  offsetMs = serverTime - Math.round((sentMs + Date.now()) / 2);
}

/** Our order on each side, and whether its state is known. */
const quotes = { BUY: null, SELL: null };
let rules;
let startBase;
let base = 0;
let reconciledMs = Number.NEGATIVE_INFINITY;

const decimals = (step) => Math.max(0, (step.replace(/0+$/, "").split(".")[1] ?? "").length);

async function learnRules() {
  const { symbols } = await ask("/api/v3/exchangeInfo", { symbol }, false);
  const filter = (type) => symbols[0].filters.find(({ filterType }) => filterType === type);
  rules = {
    base: symbols[0].baseAsset,
    status: symbols[0].status,
    price: decimals(filter("PRICE_FILTER").tickSize),
    quantity: decimals(filter("LOT_SIZE").stepSize),
  };
}

async function place(side, price) {
  // Place no new orders while canceling.
  if (over.signal.aborted) return;
  const quote = { id: `mm-${++ids}-${Date.now().toString(36)}`, price: Number(price), isKnown: false };
  quotes[side] = quote;
  const order = { symbol, side, type: "LIMIT_MAKER", quantity: quantity.toFixed(rules.quantity), price };
  try {
    await call("POST", "/api/v3/order", { ...order, newClientOrderId: quote.id });
    quote.isKnown = true;
  } catch (error) {
    // A rejection is final. Otherwise query the order later.
    if (error instanceof Refused) quotes[side] = null;
    throw error;
  }
}

/** Queries an order whose state is unknown, and cancels one that is no longer wanted. */
async function settle(side, { isUnwanted = false } = {}) {
  const { id } = quotes[side];
  try {
    const path = "/api/v3/order";
    const named = { symbol, origClientOrderId: id };
    const { status } = await (isUnwanted ? call("DELETE", path, named) : ask(path, named));
    if (status === "NEW" || status === "PARTIALLY_FILLED") quotes[side].isKnown = true;
    else quotes[side] = null;
  } catch (error) {
    const isGone = error.code === UNKNOWN_ORDER || error.code === -2011;
    if (isGone) quotes[side] = null;
    else if (quotes[side] !== null) quotes[side].isKnown = false;
    if (!isGone) throw error;
  }
}

/** Compares with the exchange's answers now and then, because streams can lose messages. */
async function reconcile() {
  const open = await ask("/api/v3/openOrders", { symbol });
  const { balances } = await ask("/api/v3/account");
  const { free = "0", locked = "0" } = balances.find(({ asset }) => asset === rules.base) ?? {};
  base = Number(free) + Number(locked);
  startBase ??= base;
  for (const side of ["BUY", "SELL"]) {
    const isOpen = open.some(({ clientOrderId }) => clientOrderId === quotes[side]?.id);
    if (quotes[side]?.isKnown === true && !isOpen) quotes[side] = null;
  }
  const ours = new Set([quotes.BUY?.id, quotes.SELL?.id]);
  for (const { clientOrderId } of open) {
    if (!ours.has(clientOrderId)) await call("DELETE", "/api/v3/order", { symbol, origClientOrderId: clientOrderId });
  }
  reconciledMs = Date.now();
}

const book = new LocalBook();
/** Time of the last book change, and its delay. */
let heardMs = Number.NEGATIVE_INFINITY;
let lateMs = 0;

/** The best prices from the book if it is valid and recent, otherwise from a query; undefined for an empty side. */
async function bestPrices() {
  if (bookSocket !== undefined && !book.isWhole) {
    const isWhole = book.snapshot(await ask("/api/v3/depth", { symbol, limit: 1000 }, false));
    if (book.holes > 0) console.log(`${new Date().toISOString()} book: ${isWhole ? "valid again" : "still a gap"}`);
  }
  if (book.isWhole && lateMs < LATE_MS && Date.now() - heardMs < LATE_MS) return book.best;
  const { bidPrice, askPrice } = await ask("/api/v3/ticker/bookTicker", { symbol }, false);
  return { bid: Number(bidPrice) || undefined, ask: Number(askPrice) || undefined };
}

async function quote() {
  if (rules === undefined) await learnRules();
  for (const side of ["BUY", "SELL"]) if (quotes[side]?.isKnown === false) await settle(side);
  if (Date.now() - reconciledMs >= RECONCILE_MS) await reconcile();
  const { bid, ask: offer } = await bestPrices();
  // A side without orders has no price, and guessing one would lose money.
  if (bid === undefined || offer === undefined) return;
  const middle = (bid + offer) / 2;
  const half = (middle * spread) / 200;
  const position = base - startBase;
  for (const [side, price] of [
    ["BUY", middle - half],
    ["SELL", middle + half],
  ]) {
    const isTooMuch = side === "BUY" ? position + quantity > most : position - quantity < -most;
    const own = quotes[side];
    if (own !== null && (isTooMuch || Math.abs(own.price - price) > half * 2 * SLACK))
      await settle(side, { isUnwanted: true });
    if (quotes[side] === null && !isTooMuch) await place(side, price.toFixed(rules.price));
  }
}

/** Aborted when the bot stops. */
const over = new AbortController();
let socket;
let listenKey;
let bookSocket;
let lastTradeId = -1;

/** Applies the depth stream to the book; messages of a closed stream are ignored. */
function listenToBook() {
  const opened = new WebSocket(`${ws}/ws/${symbol.toLowerCase()}@depth`);
  bookSocket = opened;
  opened.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    heardMs = Date.now();
    const isLate = lateMs >= LATE_MS;
    lateMs = heardMs + offsetMs - event.E;
    if (lateMs >= LATE_MS && !isLate) console.log(`${new Date().toISOString()} book: ${lateMs} ms late`);
    if (!book.change(event)) console.log(`${new Date().toISOString()} book: a gap before ${event.U}`);
  };
  opened.onclose = () => {
    bookSocket = undefined;
    book.forget();
  };
  opened.onerror = () => {};
}

/** Receives fills on the user data stream; reconnects when it breaks, and queries what was missed. */
async function listen() {
  ({ listenKey } = await call("POST", "/api/v3/userDataStream", {}, false));
  socket = new WebSocket(`${ws}/ws/${listenKey}`);
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.e === "listenKeyExpired") socket.close();
    if (event.e !== "executionReport" || event.s !== symbol || event.x !== "TRADE") return;
    // Count each fill once, even if it is reported again.
    if (event.t <= lastTradeId) return;
    lastTradeId = event.t;
    base += event.S === "BUY" ? Number(event.l) : -Number(event.l);
    if (event.X === "FILLED" && quotes[event.S]?.id === event.c) quotes[event.S] = null;
  };
  socket.onclose = () => {
    socket = undefined;
    reconciledMs = Number.NEGATIVE_INFINITY;
  };
  socket.onerror = () => {};
}

/** Runs a step that may fail: errors of the exchange are logged, and the step is tried again in the next round. */
async function surely(what, act) {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof Refused)) throw error;
    console.log(`${new Date().toISOString()} ${what}: ${error.message}`);
    if (error.code === -1021) await surely("time", measureTime);
    return false;
  }
}

async function takeBack() {
  over.abort();
  silentUntilMs = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const isDone = await surely("take back", async () => {
      const open = await call("GET", "/api/v3/openOrders", { symbol });
      for (const { orderId } of open) await call("DELETE", "/api/v3/order", { symbol, orderId });
    });
    if (isDone) break;
    await wait(PAUSE_MS / 4);
  }
  socket?.close();
  bookSocket?.close();
  process.exit(0);
}
process.once("SIGTERM", () => void takeBack());
process.once("SIGINT", () => void takeBack());

while (!over.signal.aborted) {
  if (socket === undefined) await surely("stream", listen);
  if (bookSocket === undefined) listenToBook();
  await surely("quote", quote);
  await wait(everyMs);
}
