/** Reports of orders and balances of an account, and their order. Interface 6.3, 6.5 and 6.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { START_MS } from "@pricetime/testkit/gateway-venue";
import { Recorder, type Message, story, UserVenue } from "./user-venue.ts";

const BALANCES = ["outboundAccountInfo", "outboundAccountPosition"];
const STOP = { type: "STOP_LOSS_LIMIT", timeInForce: "GTC" } as const;
const reports = (messages: readonly Message[]): Message[] => messages.filter(({ e }) => e === "executionReport");

/** Makes `price` the last price, by a self-trade of the maker. */
async function tradeAt(venue: UserVenue, price: number): Promise<void> {
  for (const side of ["SELL", "BUY"]) await venue.placed({ side, quantity: 0.01, price }, venue.maker);
}

test("a report has every field, with decimals as strings", async () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.trader);
  await venue.placed({ side: "SELL", quantity: 0.5, price: 50000 }, venue.maker);
  venue.nowMs += 5;
  const { orderId } = await venue.placed({ quantity: 0.2, price: 50100, newClientOrderId: "mine" });
  const common = {
    e: "executionReport",
    E: START_MS + 5,
    s: "BTCUSDT",
    c: "mine",
    S: "BUY",
    o: "LIMIT",
    f: "GTC",
    q: "0.20000000",
    p: "50100.00000000",
    P: "0.00000000",
    F: "0.00000000",
    g: -1,
    C: "",
    r: "NONE",
    i: orderId,
    T: START_MS + 5,
    m: false,
    O: START_MS + 5,
    Q: "0.00000000",
    W: START_MS + 5,
    V: "NONE",
  };
  const [opened, filled, info, position] = heard;
  const { I: firstId, ...asOpened } = opened as Message;
  const { I: secondId, ...asFilled } = filled as Message;
  const nothing = { l: "0.00000000", z: "0.00000000", L: "0.00000000", n: "0", N: null, t: -1 };
  assert.deepEqual(asOpened, {
    ...common,
    ...nothing,
    x: "NEW",
    X: "NEW",
    w: true,
    M: false,
    Z: "0.00000000",
    Y: "0.00000000",
  });
  assert.deepEqual(asFilled, {
    ...common,
    x: "TRADE",
    X: "FILLED",
    l: "0.20000000",
    z: "0.20000000",
    L: "50000.00000000",
    n: "0.00040000",
    N: "BTC",
    t: 1,
    w: false,
    M: true,
    Z: "10000.00000000",
    Y: "10000.00000000",
  });
  assert.ok(firstId < secondId);
  assert.deepEqual(info, {
    e: "outboundAccountInfo",
    E: START_MS + 5,
    m: 10,
    t: 20,
    b: 0,
    s: 0,
    T: true,
    W: true,
    D: true,
    u: START_MS + 5,
    B: [
      { a: "BTC", f: "100.19960000", l: "0.00000000" },
      { a: "ETH", f: "1000.00000000", l: "0.00000000" },
      { a: "USDT", f: "990000.00000000", l: "0.00000000" },
      { a: "KRW", f: "1000000.00000000", l: "0.00000000" },
    ],
    P: ["SPOT"],
  });
  assert.deepEqual(position, {
    e: "outboundAccountPosition",
    E: START_MS + 5,
    u: START_MS + 5,
    B: [
      { a: "BTC", f: "100.19960000", l: "0.00000000" },
      { a: "USDT", f: "990000.00000000", l: "0.00000000" },
    ],
  });
  assert.equal(heard.length, 4);
});

test("a maker gets its fills, and that it stays on the book", async () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.maker);
  await venue.placed({ side: "SELL", quantity: 0.5, price: 50000 }, venue.maker);
  await venue.placed({ quantity: 0.2, price: 50000 });
  await venue.placed({ type: "MARKET", quantity: 0.3 });
  assert.deepEqual(story(heard), [
    "SELL LIMIT NEW/NEW on book",
    ...BALANCES,
    "SELL LIMIT TRADE/PARTIALLY_FILLED on book",
    ...BALANCES,
    "SELL LIMIT TRADE/FILLED",
    ...BALANCES,
  ]);
  const [, first, second] = reports(heard);
  assert.deepEqual(
    [first?.m, first?.n, first?.N, first?.z, second?.z],
    [true, "10.00000000", "USDT", "0.20000000", "0.50000000"],
  );
});

test("a MARKET order with too little liquidity: each fill, then EXPIRED with its totals", async () => {
  const venue = new UserVenue();
  await tradeAt(venue, 50000);
  await venue.placed({ side: "SELL", quantity: 0.1, price: 50000 }, venue.maker);
  await venue.placed({ side: "SELL", quantity: 0.1, price: 50001 }, venue.maker);
  const heard = venue.record(venue.trader);
  await venue.placed({ type: "MARKET", quantity: 1 });
  assert.deepEqual(story(heard), [
    "BUY MARKET NEW/NEW on book",
    "BUY MARKET TRADE/PARTIALLY_FILLED",
    "BUY MARKET TRADE/PARTIALLY_FILLED",
    "BUY MARKET EXPIRED/EXPIRED",
    ...BALANCES,
  ]);
  const { l, L, n, N, t, z, Z, Y, f, p, C, c } = heard[3] as Message;
  assert.deepEqual(
    { l, L, n, N, t, z, Z, Y, f, p, C },
    {
      l: "0.00000000",
      L: "0.00000000",
      n: "0",
      N: null,
      t: -1,
      z: "0.20000000",
      Z: "10000.10000000",
      Y: "0.00000000",
      f: "GTC",
      p: "0.00000000",
      C: "",
    },
  );
  assert.equal(c, heard[0]?.c);
});

test("quoteOrderQty is in Q", async () => {
  const venue = new UserVenue();
  await tradeAt(venue, 50000);
  await venue.placed({ side: "SELL", quantity: 1, price: 50000 }, venue.maker);
  const heard = venue.record(venue.trader);
  await venue.placed({ type: "MARKET", quoteOrderQty: 1000 });
  assert.deepEqual([heard[0]?.Q, heard[0]?.q, heard[1]?.Y], ["1000.00000000", "0.02000000", "1000.00000000"]);
});

test("a MARKET order by quoteOrderQty that the book cannot fill expires after its fills, on both sides", async () => {
  for (const side of ["BUY", "SELL"] as const) {
    const venue = new UserVenue();
    await tradeAt(venue, 50000);
    const other = side === "BUY" ? "SELL" : "BUY";
    await venue.placed({ side: other, quantity: 0.01, price: 50000 }, venue.maker);
    await venue.placed({ side: other, quantity: 0.02, price: side === "BUY" ? 50100 : 49900 }, venue.maker);
    const heard = venue.record(venue.trader);
    const answer = await venue.placed({ side, type: "MARKET", quoteOrderQty: 5000, newClientOrderId: "thin" });
    const told = {
      status: "EXPIRED",
      executedQty: "0.03000000",
      origQty: "0.03000000",
      origQuoteOrderQty: "5000.00000000",
    };
    for (const [field, value] of Object.entries(told)) assert.equal(answer[field], value, field);
    const reports = heard.filter(({ e }) => e === "executionReport");
    assert.deepEqual(
      reports.map(({ x, X, l, z }) => [x, X, l, z]),
      [
        ["NEW", "NEW", "0.00000000", "0.00000000"],
        ["TRADE", "PARTIALLY_FILLED", "0.01000000", "0.01000000"],
        ["TRADE", "PARTIALLY_FILLED", "0.02000000", "0.03000000"],
        ["EXPIRED", "EXPIRED", "0.00000000", "0.03000000"],
      ],
    );
    const { json } = await venue.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", origClientOrderId: "thin" });
    assert.deepEqual([json.status, json.origQty, json.executedQty], ["EXPIRED", "0.03000000", "0.03000000"]);
    const trades = await venue.signed("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", orderId: json.orderId });
    assert.equal(trades.json.length, 2);
  }
});

test("a MARKET order by quoteOrderQty whose rest is less than a lot is filled", async () => {
  const venue = new UserVenue();
  await tradeAt(venue, 50000);
  await venue.placed({ side: "SELL", quantity: 0.01, price: 50000 }, venue.maker);
  const heard = venue.record(venue.trader);
  const answer = await venue.placed({ type: "MARKET", quoteOrderQty: "500.04999999" });
  assert.equal(answer.status, "FILLED");
  assert.deepEqual(
    heard.filter(({ e }) => e === "executionReport").map(({ x, X }) => [x, X]),
    [
      ["NEW", "NEW"],
      ["TRADE", "FILLED"],
    ],
  );
});

test("a cancellation has its own id in c, and that of the order in C", async () => {
  const venue = new UserVenue();
  await venue.placed({ quantity: 1, price: 40000, newClientOrderId: "order" });
  const heard = venue.record(venue.trader);
  await venue.signed("DELETE", "/api/v3/order", {
    symbol: "BTCUSDT",
    origClientOrderId: "order",
    newClientOrderId: "cancel",
  });
  assert.deepEqual(story(heard), ["BUY LIMIT CANCELED/CANCELED", ...BALANCES]);
  assert.deepEqual([heard[0]?.c, heard[0]?.C, heard[0]?.z], ["cancel", "order", "0.00000000"]);
});

test("a stop is reported twice: when it is placed, and on the book when it is triggered", async () => {
  const venue = new UserVenue();
  await tradeAt(venue, 50000);
  const heard = venue.record(venue.trader);
  await venue.placed({ ...STOP, quantity: 0.1, price: 51000, stopPrice: 50500 });
  venue.nowMs += 7;
  await tradeAt(venue, 50600);
  assert.deepEqual(story(heard), [
    "BUY STOP_LOSS_LIMIT NEW/NEW",
    ...BALANCES,
    "BUY STOP_LOSS_LIMIT NEW/NEW on book",
    ...BALANCES,
  ]);
  const [placed, triggered] = reports(heard);
  assert.deepEqual([placed?.i, placed?.O], [triggered?.i, triggered?.O]);
  assert.deepEqual([triggered?.T, triggered?.P], [START_MS + 7, "50500.00000000"]);
});

test("free funds that a stop uses when it triggers are reported with its trades", async () => {
  const venue = new UserVenue();
  await tradeAt(venue, 50000);
  const stop = { symbol: "BTCUSDT", side: "BUY", type: "STOP_LOSS", quantity: 0.1, stopPrice: 50500 };
  assert.equal((await venue.signed("POST", "/api/v3/order", stop)).status, 200);
  await venue.placed({ side: "SELL", quantity: 0.2, price: 52000 }, venue.maker);
  const heard = venue.record(venue.trader);
  const usdt = (balances: { asset: string; free: string; locked: string }[]) =>
    balances.find(({ asset }) => asset === "USDT");
  const before = usdt((await venue.signed("GET", "/api/v3/account")).json.balances);
  assert.equal(before?.locked, "5050.00000000");
  await tradeAt(venue, 50500);
  assert.deepEqual(story(heard), ["BUY STOP_LOSS NEW/NEW on book", "BUY STOP_LOSS TRADE/FILLED", ...BALANCES]);
  const position = heard.findLast(({ e }) => e === "outboundAccountPosition");
  const told = position?.["B"].find(({ a }: { a: string }) => a === "USDT");
  assert.deepEqual([Number(told.f), told.l], [Number(before?.free) - 150, "0.00000000"]);
});

test("a self-trade is reported twice, the taker first", async () => {
  const venue = new UserVenue();
  await venue.placed({ side: "SELL", quantity: 0.1, price: 50000 });
  const heard = venue.record(venue.trader);
  await venue.placed({ quantity: 0.1, price: 50000 });
  assert.deepEqual(story(heard), [
    "BUY LIMIT NEW/NEW on book",
    "BUY LIMIT TRADE/FILLED",
    "SELL LIMIT TRADE/FILLED",
    ...BALANCES,
  ]);
  const [, taker, maker] = reports(heard);
  assert.deepEqual([taker?.m, maker?.m], [false, true]);
  assert.equal(taker?.t, maker?.t);
  assert.ok(taker?.I < maker?.I);
});

test("an iceberg's quantity is in F", async () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.trader);
  await venue.placed({ quantity: 1, price: 40000, icebergQty: 0.2 });
  assert.equal(heard[0]?.F, "0.20000000");
});

const OCO = {
  symbol: "BTCUSDT",
  side: "SELL",
  quantity: 0.1,
  price: 52000,
  stopPrice: 49000,
  stopLimitPrice: 48900,
  stopLimitTimeInForce: "GTC",
};

async function ocoVenue(): Promise<{ venue: UserVenue; heard: Message[]; list: Message }> {
  const venue = new UserVenue();
  await tradeAt(venue, 50000);
  const heard = venue.record(venue.trader);
  const list = (await venue.signed("POST", "/api/v3/order/oco", { ...OCO, listClientOrderId: "pair" })).json as Message;
  return { venue, heard, list };
}
const PLACED = [
  "SELL STOP_LOSS_LIMIT NEW/NEW",
  "SELL LIMIT_MAKER NEW/NEW on book",
  "list EXEC_STARTED/EXECUTING",
  ...BALANCES,
];

test("an OCO: both legs, then the list, then the balances", async () => {
  const { heard, list } = await ocoVenue();
  assert.deepEqual(story(heard), PLACED);
  assert.deepEqual(heard[2], {
    e: "listStatus",
    E: START_MS,
    s: "BTCUSDT",
    g: list["orderListId"],
    c: "OCO",
    l: "EXEC_STARTED",
    L: "EXECUTING",
    r: "NONE",
    C: "pair",
    T: START_MS,
    O: [heard[0], heard[1]].map((leg) => ({ s: "BTCUSDT", i: leg?.i, c: leg?.c })),
  });
  assert.deepEqual([heard[0]?.g, heard[1]?.g], [list["orderListId"], list["orderListId"]]);
});

test("an OCO whose limit leg is partially filled", async () => {
  const { venue, heard } = await ocoVenue();
  await venue.placed({ quantity: 0.04, price: 52000 }, venue.maker);
  assert.deepEqual(story(heard.slice(PLACED.length)), [
    "SELL LIMIT_MAKER TRADE/PARTIALLY_FILLED on book",
    "SELL STOP_LOSS_LIMIT EXPIRED/EXPIRED",
    "list ALL_DONE/ALL_DONE",
    ...BALANCES,
  ]);
});

test("an OCO whose stop leg is triggered", async () => {
  const { venue, heard } = await ocoVenue();
  await venue.placed({ quantity: 1, price: 48950 }, venue.maker);
  await tradeAt(venue, 48960);
  assert.deepEqual(story(heard.slice(PLACED.length)), [
    "SELL LIMIT_MAKER EXPIRED/EXPIRED",
    "SELL STOP_LOSS_LIMIT NEW/NEW on book",
    "list ALL_DONE/ALL_DONE",
    "SELL STOP_LOSS_LIMIT TRADE/FILLED",
    ...BALANCES,
  ]);
});

test("an OCO that is canceled by one of its legs", async () => {
  const { venue, heard, list } = await ocoVenue();
  const { orderId } = list["orders"][1] as Message;
  await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: orderId as number });
  const rest = heard.slice(PLACED.length);
  assert.deepEqual(story(rest), [
    "SELL STOP_LOSS_LIMIT CANCELED/CANCELED",
    "SELL LIMIT_MAKER CANCELED/CANCELED",
    "list ALL_DONE/ALL_DONE",
    ...BALANCES,
  ]);
  assert.equal(rest[0]?.c, rest[1]?.c, "one cancel");
  assert.deepEqual([rest[0]?.C, rest[1]?.C], [heard[0]?.c, heard[1]?.c]);
});

test("a cancelReplace is one command: its balances are sent once", async () => {
  const venue = new UserVenue();
  const { orderId } = await venue.placed({ quantity: 1, price: 40000 });
  const heard = venue.record(venue.trader);
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1, price: 41000 };
  const replace = { ...order, cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: orderId };
  assert.equal((await venue.signed("POST", "/api/v3/order/cancelReplace", replace)).status, 200);
  assert.deepEqual(story(heard), ["BUY LIMIT CANCELED/CANCELED", "BUY LIMIT NEW/NEW on book", ...BALANCES]);
});

test("rejected orders and cancels are not reported", async () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.trader);
  assert.equal((await venue.order({ quantity: 90, price: 50000 })).json.code, -2010);
  assert.equal((await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: 99 })).json.code, -2011);
  assert.deepEqual(heard, []);
});

test("other changes of funds: balanceUpdate with its sign, then the balances", async () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.trader);
  const { accountId } = venue.trader;
  venue.act({ type: "deposit", by: "test", accountId, asset: "KRW", amount: "12.5", reference: "in" });
  venue.act({ type: "debit", by: "test", accountId, asset: "ETH", amount: "1000", reference: "out" });
  assert.deepEqual(story(heard), ["KRW 12.50000000", ...BALANCES, "ETH -1000.00000000", ...BALANCES]);
  assert.deepEqual(heard[0], { e: "balanceUpdate", E: START_MS, a: "KRW", d: "12.50000000", T: START_MS });
  const assetsOf = (message: Message | undefined): string[] => message?.B.map(({ a }: { a: string }) => a);
  assert.deepEqual(assetsOf(heard[4]), ["BTC", "ETH", "USDT", "KRW"], "ETH was just zeroed");
  assert.deepEqual(heard[5]?.B, [{ a: "ETH", f: "0.00000000", l: "0.00000000" }]);
  venue.act({ type: "deposit", by: "test", accountId, asset: "BTC", amount: "1", reference: "again" });
  assert.deepEqual(assetsOf(heard[7]), ["BTC", "USDT", "KRW"], "ETH has been zero for a while");
});

test("an account whose fees or permissions change is notified", () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.trader);
  const { accountId } = venue.trader;
  venue.act({ type: "changeAccount", by: "test", accountId, makerBps: 7, canTrade: false });
  assert.deepEqual(story(heard), ["outboundAccountInfo"]);
  assert.deepEqual([heard[0]?.m, heard[0]?.t, heard[0]?.T, heard[0]?.W], [7, 20, false, true]);
});

test("execution ids increase, whichever accounts have listeners", async () => {
  const venue = new UserVenue();
  const [trader, maker] = [venue.record(venue.trader), venue.record(venue.maker)];
  for (const price of [50000, 50001, 50002]) await venue.placed({ side: "SELL", quantity: 0.1, price }, venue.maker);
  await venue.placed({ quantity: 0.3, price: 50010 });
  const ids = [...reports(trader), ...reports(maker)].map(({ I }) => I as number);
  assert.equal(new Set(ids).size, 10);
  for (const heard of [trader, maker]) {
    const own = reports(heard).map(({ I }) => I as number);
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  }
});

test("orders that end because the account is locked expire, and the stream ends after its balances", async () => {
  const venue = new UserVenue();
  const recorder = new Recorder();
  venue.hub.subscribe(await venue.listenKey(), recorder);
  await venue.placed({ quantity: 1, price: 40000 });
  const pair = { symbol: "BTCUSDT", side: "SELL", quantity: 1, price: 60000, stopPrice: 40000 };
  assert.equal((await venue.signed("POST", "/api/v3/order/oco", pair)).status, 200);
  recorder.messages.length = 0;
  venue.act({ type: "freezeAccount", by: "test", accountId: venue.trader.accountId });
  await turn();
  assert.deepEqual(story(recorder.messages), [
    "BUY LIMIT EXPIRED/EXPIRED",
    "SELL STOP_LOSS EXPIRED/EXPIRED",
    "SELL LIMIT_MAKER EXPIRED/EXPIRED",
    "list ALL_DONE/ALL_DONE",
    ...BALANCES,
    "listenKeyExpired",
  ]);
  assert.match(recorder.ended ?? "", /listen key/);
  assert.deepEqual(new Set(reports(recorder.messages).map(({ C }) => C as string)), new Set([""]));
  assert.ok(recorder.messages.at(-2)?.B.every(({ l }: { l: string }) => l === "0.00000000"));
});
