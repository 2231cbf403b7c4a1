// Trades through ccxt: reads the market, buys, places a limit order, cancels it.
//
//   node examples/javascript/ccxt.mjs                    with the demo whose keys are in data/demo.json
//   EXCHANGE=http://… API_KEY=… SECRET_KEY=… node …      with another exchange
import { readFileSync } from "node:fs";
import ccxt from "ccxt";

const { EXCHANGE, API_KEY, SECRET_KEY, DEMO_JSON = "data/demo.json" } = process.env;
const demo = API_KEY ? null : JSON.parse(readFileSync(DEMO_JSON, "utf8"));
const rest = EXCHANGE ?? demo?.rest ?? "http://127.0.0.1:8080";
const apiKey = API_KEY ?? demo.accounts[0].apiKey;
const secret = SECRET_KEY ?? demo.accounts[0].secretKey;

// ccxt's Binance class, with every address of Binance replaced by ours.
const exchange = new ccxt.binance({ apiKey, secret, enableRateLimit: true });
for (const [name, address] of Object.entries(exchange.urls.api)) {
  if (typeof address === "string") exchange.urls.api[name] = rest + new URL(address).pathname;
}

const symbol = "BTC/USDT";
const { bid, ask, percentage } = await exchange.fetchTicker(symbol);
console.log(`${symbol}: bid ${bid}, ask ${ask}, ${percentage} % in 24 h`);

const before = await exchange.fetchBalance();
const bought = await exchange.createOrder(symbol, "market", "buy", 0.01);
console.log(`bought ${bought.filled} BTC for ${bought.average} each: order ${bought.id} is ${bought.status}`);

const low = exchange.priceToPrecision(symbol, bid * 0.9);
const resting = await exchange.createOrder(symbol, "limit", "buy", 0.01, low);
console.log(`order ${resting.id} rests at ${resting.price}`);
const open = await exchange.fetchOpenOrders(symbol);
console.log(`open on ${symbol}: ${open.map(({ id }) => id).join(", ")}`);
const canceled = await exchange.cancelOrder(resting.id, symbol);
console.log(`order ${canceled.id} is ${canceled.status}`);

const after = await exchange.fetchBalance();
for (const coin of ["BTC", "USDT"]) console.log(`${coin}: ${before[coin].total} -> ${after[coin].total}`);
