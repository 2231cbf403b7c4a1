/** Jest, as CommonJS and without flags. Run it with `npx jest --testRegex bot.jest.cjs`. */
const { createHmac } = require("node:crypto");
const { fixture } = require("pricetime/lab");

const symbol = "ETHUSDT";
const offer = (price, quantity) => ({ symbol, side: "SELL", type: "LIMIT", timeInForce: "GTC", price, quantity });

/** Bob offers one ether at 3000: set up once, restored for each test. */
const offered = () =>
  fixture("offered", async (exchange) => {
    await exchange.send("bob", "POST /api/v3/order", offer("3000", "1"));
  });

/** The bot under test: buys for 100 USDT when the best offer is at most `limit`. */
async function buyCheap({ rest, apiKey, secretKey }, limit) {
  const ask = (method, path, query) =>
    fetch(`${rest}${path}?${query}`, { method, headers: { "X-MBX-APIKEY": apiKey } });
  const signed = async (method, path, parameters) => {
    const { serverTime } = await (await ask("GET", "/api/v3/time", "")).json();
    const query = new URLSearchParams({ symbol, ...parameters, timestamp: serverTime });
    query.set("signature", createHmac("sha256", secretKey).update(query.toString()).digest("hex"));
    return ask(method, path, query);
  };
  const { asks } = await (await ask("GET", "/api/v3/depth", `symbol=${symbol}&limit=5`)).json();
  const price = Number(asks[0]?.[0]);
  if (!(price <= limit)) return undefined;
  const order = { side: "BUY", type: "LIMIT", timeInForce: "IOC", price, quantity: (100 / price).toFixed(4) };
  const newClientOrderId = `cheap-${price}`;
  const answer = await signed("POST", "/api/v3/order", { ...order, newClientOrderId });
  if (answer.status < 500) return answer.json();
  // An order that was not answered may have happened all the same: it is asked for by its own id.
  return (await signed("GET", "/api/v3/order", { origClientOrderId: newClientOrderId })).json();
}

test("the bot does not buy above its limit", async () => {
  const exchange = await offered();
  expect(await buyCheap({ rest: exchange.rest, ...exchange.account("alice") }, 2900)).toBeUndefined();
});

test("the bot spends 100 USDT below its limit", async () => {
  const exchange = await offered();
  const order = await buyCheap({ rest: exchange.rest, ...exchange.account("alice") }, 3100);
  expect(order).toMatchObject({ status: "FILLED" });
});

test("each test starts with the complete offer", async () => {
  const exchange = await offered();
  const { asks } = await exchange.send(null, "GET /api/v3/depth", { symbol });
  expect(asks.map(([price, quantity]) => [Number(price), Number(quantity)])).toEqual([[3000, 1]]);
});

test("the bot finds an executed order after a 504", async () => {
  const exchange = await offered();
  await exchange.faults.add({ fault: "fail-after", where: { endpoint: "order.place" }, count: 1 });
  const order = await buyCheap({ rest: exchange.rest, ...exchange.account("alice") }, 3100);
  expect(order).toMatchObject({ status: "FILLED" });
  expect(await exchange.faults.list()).toMatchObject([{ struck: 1 }]);
});
