// Trades through @binance/connector and receives the reports on the user data stream.
//
//   node examples/javascript/connector.mjs               with the demo whose keys are in data/demo.json
//   EXCHANGE=http://… API_KEY=… SECRET_KEY=… node …      with another exchange
import { once } from "node:events";
import { readFileSync } from "node:fs";
import connector from "@binance/connector";

const { EXCHANGE, API_KEY, SECRET_KEY, DEMO_JSON = "data/demo.json" } = process.env;
const demo = API_KEY ? null : JSON.parse(readFileSync(DEMO_JSON, "utf8"));
const rest = EXCHANGE ?? demo?.rest ?? "http://127.0.0.1:8080";
const apiKey = API_KEY ?? demo.accounts[0].apiKey;
const secret = SECRET_KEY ?? demo.accounts[0].secretKey;

const client = new connector.Spot(apiKey, secret, { baseURL: rest });

// The user data stream: create a listen key over REST, then open a WebSocket with it. The key expires after an hour;
// a bot that runs longer renews it every half hour with client.renewListenKey(listenKey).
const reports = new EventTarget();
const streams = new connector.WebsocketStream({
  wsURL: rest.replace(/^http/, "ws"),
  logger: { ...console, info: () => {}, debug: () => {} },
  callbacks: {
    open: () => reports.dispatchEvent(new Event("open")),
    message: (text) => {
      const event = JSON.parse(text);
      if (event.e === "executionReport") console.log(`report: order ${event.i} is ${event.X}`);
      if (event.X === "FILLED") reports.dispatchEvent(new Event("filled"));
    },
  },
});
const { listenKey } = (await client.createListenKey()).data;
const opened = once(reports, "open");
streams.userData(listenKey);
await opened;

const filled = once(reports, "filled");
const { data: order } = await client.newOrder("ETHUSDT", "BUY", "MARKET", { quoteOrderQty: 100 });
console.log(`bought ${order.executedQty} ETH for ${order.cummulativeQuoteQty} USDT: order ${order.orderId}`);
await filled;

const { data: book } = await client.bookTicker("ETHUSDT");
const price = (Number(book.bidPrice) * 0.9).toFixed(2);
const { data: resting } = await client.newOrder("ETHUSDT", "BUY", "LIMIT", {
  timeInForce: "GTC",
  quantity: 0.1,
  price,
});
const { data: canceled } = await client.cancelOrder("ETHUSDT", { orderId: resting.orderId });
console.log(`order ${resting.orderId} at ${price}: ${resting.status}, then ${canceled.status}`);

streams.disconnect(); // first: the connector opens again whatever the exchange closes
await client.closeListenKey(listenKey);
