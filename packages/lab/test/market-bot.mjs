/**
 * A bot that knows nothing of a lab: it follows a market over a WebSocket, asks over fetch, and trades each ten seconds.
 * What it sees goes to its output.
 */
import { createHmac, randomUUID } from "node:crypto";
import WebSocket from "ws";

const { EXCHANGE, EXCHANGE_WS, API_KEY, SECRET_KEY, SECONDS = "60" } = process.env;
const say = (...words) => console.log(new Date().toISOString(), ...words);

async function call(method, path, parameters = {}) {
  const query = new URLSearchParams({ ...parameters, timestamp: Date.now() });
  query.set("signature", createHmac("sha256", SECRET_KEY).update(query.toString()).digest("hex"));
  const answer = await fetch(`${EXCHANGE}${path}?${query}`, { method, headers: { "X-MBX-APIKEY": API_KEY } });
  return { status: answer.status, ...(await answer.json()) };
}

const endMs = Date.now() + Number(SECONDS) * 1000;
let trades = 0;
const stream = new WebSocket(`${EXCHANGE_WS}/stream?streams=btcusdt@trade/btcusdt@depth@100ms/!miniTicker@arr`);
stream.on("message", (data) => {
  const { stream: name, data: told } = JSON.parse(data);
  if (name === "btcusdt@trade") trades += 1;
  say("heard", name, told.p ?? told.u ?? told.length);
});
await new Promise((open, failed) => stream.once("open", open).once("error", failed));

const timer = setInterval(() => void trade(), 10_000);

async function trade() {
  const side = Math.random() < 0.5 ? "BUY" : "SELL";
  const terms = { symbol: "BTCUSDT", side, type: "MARKET", quantity: "0.001", newClientOrderId: randomUUID() };
  try {
    const order = await call("POST", "/api/v3/order", terms);
    const { status, executedQty, fills, clientOrderId, transactTime } = order;
    say(status, order.msg ?? "", side, executedQty, fills?.[0]?.price, clientOrderId, transactTime);
  } catch (error) {
    say(error.message, side);
  }
  if (Date.now() < endMs) return;
  clearInterval(timer);
  stream.close();
  say("ends after", trades, "trades");
}
