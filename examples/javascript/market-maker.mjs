// A market maker: keeps one bid and one ask around the price of a symbol and moves them with it.
//
//   node examples/javascript/market-maker.mjs [--symbol LTCUSDT] [--spread 0.2] [--quantity 1] [--most 5] [--seconds 60]
//
// --spread: distance between bid and ask in percent. --quantity: size of each order. --most: the largest net position.
// --seconds: time until it stops (or press Ctrl-C). It maintains a local order book from the depth stream, receives its
// fills on the user data stream, reconnects when a stream breaks, never has more than two open orders, and cancels them
// when it stops. Set EXCHANGE, API_KEY and SECRET_KEY to use another exchange than the demo of data/demo.json.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { WebSocket } from "ws";

const { EXCHANGE, API_KEY, SECRET_KEY, DEMO_JSON = "data/demo.json" } = process.env;
const demo = API_KEY ? null : JSON.parse(readFileSync(DEMO_JSON, "utf8"));
const rest = EXCHANGE ?? demo?.rest ?? "http://127.0.0.1:8080";
const apiKey = API_KEY ?? demo.accounts[0].apiKey;
const secret = SECRET_KEY ?? demo.accounts[0].secretKey;
const ws = rest.replace(/^http/, "ws");

const { values: said } = parseArgs({
  options: {
    symbol: { type: "string", default: "LTCUSDT" },
    spread: { type: "string", default: "0.2" },
    quantity: { type: "string", default: "1" },
    most: { type: "string", default: "5" },
    seconds: { type: "string", default: "Infinity" },
  },
});
const { symbol } = said;
const spread = Number(said.spread) / 100;
const quantity = Number(said.quantity);
const most = Number(said.most);
/** A quote is moved when it is further from its target than this part of the spread. */
const SLACK = 0.2;
const REFRESH_MS = 500;
const RECONNECT_MS = 1000;
/** Time for canceling the last orders. */
const MOST_TRIES = 10;
/** Prefix of our client order ids, by which orders of an earlier run are found, too. */
const PREFIX = "mm-";

// ---- requests

class Refusal extends Error {
  constructor(status, { code, msg }, retryAfter) {
    super(`${status} ${code} ${msg}`);
    this.status = status;
    this.code = code;
    this.waitMs = retryAfter === null ? 0 : Number(retryAfter) * 1000;
  }
}

const sign = (text) => createHmac("sha256", secret).update(text).digest("hex");

async function call(method, path, parameters = {}, isSigned = true) {
  const query = new URLSearchParams(parameters);
  if (isSigned) {
    query.set("timestamp", Date.now());
    query.set("signature", sign(query.toString()));
  }
  const answer = await fetch(`${rest}${path}?${query}`, { method, headers: { "X-MBX-APIKEY": apiKey } });
  const body = await answer.json();
  if (!answer.ok) throw new Refusal(answer.status, body, answer.headers.get("retry-after"));
  return body;
}

// ---- the order book: a snapshot over REST, then the changes of the stream

const book = { bids: new Map(), asks: new Map(), lastUpdateId: 0, isInSync: false };

function put(side, levels) {
  for (const [price, size] of levels) {
    if (Number(size) === 0) side.delete(price);
    else side.set(price, Number(size));
  }
}

/** Applies one event of the depth stream. Returns false if an event before it is missing. */
function applyChange({ U: first, u: last, b: bids, a: asks }) {
  if (last <= book.lastUpdateId) return true; // the snapshot knows it already
  if (first > book.lastUpdateId + 1) return false;
  put(book.bids, bids);
  put(book.asks, asks);
  book.lastUpdateId = last;
  return true;
}

/** Events that arrive before the snapshot are kept until it is there. */
async function takeSnapshot(waiting) {
  const snapshot = await call("GET", "/api/v3/depth", { symbol, limit: 1000 }, false);
  book.bids.clear();
  book.asks.clear();
  put(book.bids, snapshot.bids);
  put(book.asks, snapshot.asks);
  book.lastUpdateId = snapshot.lastUpdateId;
  book.isInSync = waiting.splice(0).every(applyChange);
  console.log(book.isInSync ? `the book is in sync at ${book.lastUpdateId}` : "the snapshot is too old");
  return book.isInSync;
}

/** The best price, ignoring levels that hold only our own order. `pick`: Math.max for bids, Math.min for asks. */
function best(side, own, pick) {
  let found;
  for (const [text, size] of side) {
    const price = Number(text);
    const isOurs = price === own?.price && size <= own.quantity;
    if (!isOurs) found = found === undefined ? price : pick(found, price);
  }
  return found;
}

// ---- streams that reconnect when they break

const over = new AbortController();
const sockets = new Set();

/** `listen` gets the socket before it is open. */
function keepOpen(name, address, listen) {
  const socket = new WebSocket(address);
  sockets.add(socket);
  socket.on("error", (error) => console.log(`${name}: ${error.message}`));
  socket.on("close", () => {
    sockets.delete(socket);
    if (over.signal.aborted) return;
    console.log(`${name}: closed, reconnecting`);
    setTimeout(() => over.signal.aborted || keepOpen(name, address, listen), RECONNECT_MS);
  });
  listen(socket);
}

function listenToBook(socket) {
  const waiting = [];
  let hasSnapshot = false;
  book.isInSync = false;
  socket.on("message", (message) => {
    const event = JSON.parse(message);
    if (!hasSnapshot) waiting.push(event);
    else if (!applyChange(event)) socket.close(); // begins again
  });
  socket.on("open", async () => {
    try {
      hasSnapshot = await takeSnapshot(waiting);
    } catch (error) {
      console.log(`depth: ${error.message}`);
    }
    if (!hasSnapshot) socket.close();
  });
  socket.on("close", () => (book.isInSync = false));
}

/** Our open orders by side: { clientOrderId, price, quantity }. */
const orders = new Map();
/** Net quantity bought since the start. */
let position = 0;
let hearsReports = false;
let wake = () => {};

/** The user data stream over the WebSocket API: one signed request, no key to renew. */
function listenToAccount(socket) {
  socket.on("open", () => {
    const parameters = new URLSearchParams({ apiKey, timestamp: Date.now() }); // sorted by name
    const params = { ...Object.fromEntries(parameters), signature: sign(parameters.toString()) };
    socket.send(JSON.stringify({ id: 1, method: "userDataStream.subscribe.signature", params }));
  });
  socket.on("message", async (message) => {
    const { id, status, error, event } = JSON.parse(message);
    if (event?.e === "executionReport") readReport(event);
    if (id !== 1) return;
    if (status !== 200) {
      console.log(`user stream: ${error.msg}`);
      return socket.close();
    }
    try {
      // Events of the time without a connection are not repeated: cancel our orders and read the balance.
      await cancelOurs();
      await takePosition();
      hearsReports = socket.readyState === WebSocket.OPEN;
    } catch (refused) {
      console.log(`user stream: ${refused.message}`);
      socket.close();
    }
  });
  socket.on("close", () => (hearsReports = false));
}

let startedWith;

/** Reads the position from the balance, while none of our orders is open. */
async function takePosition() {
  const { balances } = await call("GET", "/api/v3/account");
  const { free, locked } = balances.find(({ asset }) => asset === baseAsset) ?? { free: 0, locked: 0 };
  startedWith ??= Number(free) + Number(locked);
  position = Number(free) + Number(locked) - startedWith;
}

function readReport({ s, c, C, S: side, X: status, x: kind, l: lastQuantity, L: lastPrice }) {
  const clientOrderId = kind === "CANCELED" && C ? C : c;
  if (s !== symbol || !clientOrderId.startsWith(PREFIX)) return;
  if (kind === "TRADE") {
    position += (side === "BUY" ? 1 : -1) * Number(lastQuantity);
    console.log(`filled: ${side} ${lastQuantity} at ${lastPrice}; position ${position.toFixed(8)}`);
  }
  const isGone = !["NEW", "PARTIALLY_FILLED"].includes(status);
  if (isGone && orders.get(side)?.clientOrderId === clientOrderId) orders.delete(side);
  if (kind === "TRADE") wake();
}

// ---- quoting

const { symbols } = await call("GET", "/api/v3/exchangeInfo", { symbol }, false);
const { baseAsset, filters } = symbols[0];
const { tickSize } = filters.find(({ filterType }) => filterType === "PRICE_FILTER");
const tick = Number(tickSize);
const decimals = Math.max(0, tickSize.indexOf("1") - 1);
let counter = 0;

/** The target price of a side; undefined: no order on this side. */
function wanted(side) {
  const bid = best(book.bids, orders.get("BUY"), Math.max);
  const ask = best(book.asks, orders.get("SELL"), Math.min);
  if (bid === undefined || ask === undefined) return undefined;
  if (side === "BUY" ? position + quantity > most : position - quantity < -most) return undefined;
  // With a long position both quotes move down, so that it is sold, and the reverse.
  const middle = ((bid + ask) / 2) * (1 - (spread / 2) * (position / most));
  if (side === "BUY")
    return Math.min(Math.floor((middle * (1 - spread / 2)) / tick), Math.round(ask / tick) - 1) * tick;
  return Math.max(Math.ceil((middle * (1 + spread / 2)) / tick), Math.round(bid / tick) + 1) * tick;
}

async function quote(side) {
  const order = orders.get(side);
  const price = wanted(side);
  const isRight = order !== undefined && price !== undefined && Math.abs(order.price - price) <= price * spread * SLACK;
  if (isRight) return;
  if (order !== undefined) await cancel(order.clientOrderId);
  if (price === undefined) return;
  counter += 1;
  const clientOrderId = `${PREFIX}${Date.now()}-${counter}`;
  orders.set(side, { clientOrderId, price, quantity }); // before it is sent: its report may be faster than its answer
  try {
    const terms = { symbol, side, type: "LIMIT_MAKER", quantity, price: price.toFixed(decimals) };
    await call("POST", "/api/v3/order", { ...terms, newClientOrderId: clientOrderId });
    console.log(`${side} ${quantity} at ${price.toFixed(decimals)}`);
  } catch (error) {
    // A rejection is final. Without an answer, or after 5XX, the order may exist: look it up and cancel it.
    if (!(error instanceof Refusal) || error.status >= 500) await cancel(clientOrderId).catch(() => {});
    if (orders.get(side)?.clientOrderId === clientOrderId) orders.delete(side);
    throw error;
  }
}

const UNKNOWN_ORDER = -2011;

async function cancel(origClientOrderId) {
  try {
    await call("DELETE", "/api/v3/order", { symbol, origClientOrderId });
  } catch (error) {
    if (error.code !== UNKNOWN_ORDER) throw error; // filled, or gone already
  }
  for (const [side, order] of orders) if (order.clientOrderId === origClientOrderId) orders.delete(side);
}

/** Including orders of earlier runs. */
async function cancelOurs() {
  const open = await call("GET", "/api/v3/openOrders", { symbol });
  for (const { clientOrderId } of open) if (clientOrderId.startsWith(PREFIX)) await cancel(clientOrderId);
}

async function refresh() {
  // Without a book, do not quote.
  if (!book.isInSync || !hearsReports) {
    if (orders.size > 0) await cancelOurs().catch((error) => console.log(error.message));
    return;
  }
  for (const side of ["BUY", "SELL"]) {
    try {
      await quote(side);
    } catch (error) {
      // The LIMIT_MAKER would have matched, a rate limit, a restarting node: try again in the next round, or later if requested.
      console.log(`${side}: ${error.message}`);
      await wait(error.waitMs ?? RECONNECT_MS);
    }
  }
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    over.abort();
    wake();
  });
keepOpen("depth", `${ws}/ws/${symbol.toLowerCase()}@depth@100ms`, listenToBook);
keepOpen("user stream", `${ws}/ws-api/v3`, listenToAccount);

const endMs = Date.now() + Number(said.seconds) * 1000;
while (!over.signal.aborted && Date.now() < endMs) {
  await refresh();
  const early = new Promise((done) => (wake = done));
  await Promise.race([early, wait(REFRESH_MS)]);
}
over.abort();
// Retry, so that no order stays open because an answer was lost, but do not wait forever for the exchange.
for (let tries = 1; ; tries++) {
  try {
    await cancelOurs();
    break;
  } catch (error) {
    console.log(`canceling: ${error.message}`);
    if (tries === MOST_TRIES) throw error;
    await wait(error.waitMs || RECONNECT_MS);
  }
}
console.log(`all orders canceled; position ${position.toFixed(8)}`);
for (const socket of sockets) socket.close();
