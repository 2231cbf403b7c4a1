// A grid bot: places buy orders in steps below the price and sell orders in steps above it. After each fill it places
// the opposite order one step further: a sell one step above a filled buy, a buy one step below a filled sell.
//
//   node examples/javascript/grid-bot.mjs [--symbol LTC/USDT] [--levels 4] [--step 0.1] [--cost 50] [--seconds 60]
//
// --levels: orders on each side. --step: distance in percent. --cost: value of one order in the quote asset.
// --seconds: time until it stops (or press Ctrl-C). It never has more than twice --levels open orders and cancels all
// of them when it stops. Set EXCHANGE, API_KEY and SECRET_KEY to use another exchange than the demo of data/demo.json.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import ccxt from "ccxt";

const { EXCHANGE, API_KEY, SECRET_KEY, DEMO_JSON = "data/demo.json" } = process.env;
const demo = API_KEY ? null : JSON.parse(readFileSync(DEMO_JSON, "utf8"));
const rest = EXCHANGE ?? demo?.rest ?? "http://127.0.0.1:8080";
const apiKey = API_KEY ?? demo.accounts[0].apiKey;
const secret = SECRET_KEY ?? demo.accounts[0].secretKey;

const { values: said } = parseArgs({
  options: {
    symbol: { type: "string", default: "LTC/USDT" },
    levels: { type: "string", default: "4" },
    step: { type: "string", default: "0.1" },
    cost: { type: "string", default: "50" },
    seconds: { type: "string", default: "Infinity" },
  },
});
const { symbol } = said;
const levels = Number(said.levels);
const step = Number(said.step) / 100;
const cost = Number(said.cost);

const exchange = new ccxt.binance({ apiKey, secret, enableRateLimit: true });
for (const [name, address] of Object.entries(exchange.urls.api)) {
  if (typeof address === "string") exchange.urls.api[name] = rest + new URL(address).pathname;
}

/** Open orders: order id -> { side, price }. */
const grid = new Map();

async function place(side, price) {
  const amount = exchange.amountToPrecision(symbol, cost / price);
  try {
    const order = await exchange.createOrder(symbol, "limit", side, amount, exchange.priceToPrecision(symbol, price));
    grid.set(order.id, { side, price });
    console.log(`${side} ${amount} at ${order.price}: order ${order.id}`);
  } catch (error) {
    // The balance of one side is used up, or a filter rejects the price: the grid has a gap there.
    if (!(error instanceof ccxt.InvalidOrder || error instanceof ccxt.InsufficientFunds)) throw error;
    console.log(`${side} at ${price}: ${error.message}`);
  }
}

/** Places the opposite order one step further for each order that was filled. */
async function follow() {
  const open = new Set((await exchange.fetchOpenOrders(symbol)).map(({ id }) => id));
  for (const [id, { side, price }] of [...grid]) {
    if (open.has(id)) continue;
    const { status } = await exchange.fetchOrder(id, symbol);
    if (status === "open") continue; // it was placed while we asked
    grid.delete(id);
    console.log(`order ${id} (${side} at ${price}) is ${status}`);
    if (status === "closed")
      await (side === "buy" ? place("sell", price * (1 + step)) : place("buy", price / (1 + step)));
  }
}

async function cancelAll() {
  for (const id of grid.keys()) {
    try {
      await exchange.cancelOrder(id, symbol);
      console.log(`order ${id} is canceled`);
    } catch (error) {
      if (!(error instanceof ccxt.OrderNotFound)) throw error;
      console.log(`order ${id} was filled before it could be canceled`);
    }
  }
}

const over = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => over.abort());
const endMs = Date.now() + Number(said.seconds) * 1000;

const { bid, ask } = await exchange.fetchTicker(symbol);
const middle = (bid + ask) / 2;
console.log(`${symbol} is at ${middle}`);
try {
  for (let level = 1; level <= levels && !over.signal.aborted; level++) {
    await place("buy", middle / (1 + step) ** level);
    await place("sell", middle * (1 + step) ** level);
  }
  while (!over.signal.aborted && Date.now() < endMs) {
    try {
      await follow();
    } catch (error) {
      if (!(error instanceof ccxt.NetworkError)) throw error; // a node that restarts, a limit: once more
      console.log(error.message);
    }
    await wait(1000);
  }
} finally {
  await cancelAll();
}
