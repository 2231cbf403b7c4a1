/** Lists with a working order at a real node: placed, released, moved, reduced and canceled; their responses are lost. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Client } from "@pricetime/testkit/client";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { amendedWith, listOf, openLists } from "../../src/account/order-lists.ts";
import { rowOfResult, type ResultAnswer, trailingState } from "../../src/account/own-orders.ts";
import type { OrderDraft, OrderRow, OtoDraft } from "../../src/account/port.ts";
import { startQuietNode } from "../venue.ts";
import { clientOf, isTheNodes, type Opened, signedIn } from "./signed-in.ts";

const BUY: OrderDraft = {
  ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "19500", quantity: "0.1" },
};
const LOSS: OrderDraft = { symbol: "BTCUSDT", side: "SELL", type: "STOP_LOSS", stopPrice: "19000" };
const PROFIT: OrderDraft = { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", timeInForce: "GTC", price: "21000" };
const MAKER: OrderDraft = { symbol: "BTCUSDT", side: "SELL", type: "LIMIT_MAKER", price: "21000" };
const sized = (order: OrderDraft): OrderDraft => ({ ...order, quantity: "0.1" });

const LISTS: readonly OtoDraft[] = [
  { kind: "OTO", working: BUY, pending: [sized(PROFIT)] },
  { kind: "OTOCO", working: BUY, pending: [sized(LOSS), sized(MAKER)] },
  { kind: "OPO", working: BUY, pending: [LOSS] },
  { kind: "OPOCO", working: BUY, pending: [LOSS, MAKER] },
];

let node: Exchange;
let bob: Client;
let opened: Opened;
before(async () => {
  node = await startQuietNode();
  bob = clientOf(node, "bob");
  const price = { ...BUY, price: "20000", quantity: "0.01" };
  await bob.signed("POST", "/api/v3/order", { ...price, side: "SELL" });
  await bob.signed("POST", "/api/v3/order", { ...price });
  opened = await signedIn(node, "alice");
});
after(async () => {
  opened.close();
  bob.close();
  await node.kill();
});
beforeEach(async () => {
  opened.world.lose = () => null;
  await opened.account.cancelAll(null);
  await bob.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
});

const rows = (): readonly OrderRow[] => opened.account.orders.value;
const notice = (): string => opened.account.notices.value[0]?.text ?? "";
function rowOf(type: string, status?: string): OrderRow {
  const found = rows().filter((row) => row.type === type && (status === undefined || row.status === status));
  assert.equal(found.length, 1, JSON.stringify(rows()));
  return found[0] as OrderRow;
}
const states = (): string[] =>
  rows()
    .map(({ side, type, status }) => `${side} ${type} ${status}`)
    .sort();
const sell = (quantity: string): Promise<unknown> =>
  bob.signed("POST", "/api/v3/order", { ...BUY, side: "SELL", quantity });

for (const draft of LISTS) {
  test(`${draft.kind}: placed, shown as one list, and its pending orders placed after the fill`, async () => {
    const { account } = opened;
    const isOfBought = draft.kind.startsWith("OPO");
    assert.equal(await account.placeOto(draft), null);
    const pending = draft.pending.map(({ type }) => `SELL ${type} PENDING_NEW`);
    assert.deepEqual(states(), ["BUY LIMIT NEW", ...pending].sort());
    await isTheNodes(opened, node, "alice");
    const [list, ...more] = openLists(rows());
    assert.deepEqual([list?.kind, list?.working?.side, more], ["OTO", "BUY", []]);
    for (const row of rows().filter(({ side }) => side === "SELL")) {
      assert.deepEqual([row.isWorking, Number(row.origQty)], [false, isOfBought ? 0 : 0.1]);
    }
    await sell("0.04");
    await until("a part is filled", () => rows().some(({ status }) => status === "PARTIALLY_FILLED"));
    assert.deepEqual(states(), ["BUY LIMIT PARTIALLY_FILLED", ...pending].sort(), "only a complete fill releases");
    await sell("0.06");
    const open = draft.pending.map(({ type }) => `SELL ${type} NEW`).sort();
    await until("they are placed", () => JSON.stringify(states()) === JSON.stringify(open));
    await isTheNodes(opened, node, "alice");
    // The demo charges a commission in the base asset, which alice has, so that all that was bought is sold.
    for (const row of rows()) assert.equal(row.origQty, "0.10000000");
    assert.deepEqual(
      openLists(rows()).map(({ kind }) => kind),
      draft.pending.length === 2 ? ["OCO"] : [],
    );
    const released = account.notices.value.filter(({ text }) => text.startsWith("Order placed, because"));
    assert.ok(released.length >= draft.pending.length, JSON.stringify(account.notices.value));
  });
}

test("a price of any order of a list is moved, and the other orders stay as they were", async () => {
  const { account } = opened;
  assert.equal(await account.placeOto(LISTS[3] as OtoDraft), null);
  assert.equal(await account.move(rowOf("LIMIT_MAKER"), { price: "22000" }), true);
  assert.equal(await account.move(rowOf("LIMIT"), { price: "19400" }), true);
  assert.equal(await account.move(rowOf("STOP_LOSS"), { stopPrice: "18900" }), true);
  await isTheNodes(opened, node, "alice");
  assert.deepEqual(
    [rowOf("LIMIT_MAKER").price, rowOf("LIMIT").price, rowOf("STOP_LOSS").stopPrice].map(Number),
    [22_000, 19_400, 18_900],
  );
  assert.deepEqual([Number(rowOf("STOP_LOSS").origQty), Number(rowOf("LIMIT").origQty)], [0, 0.1]);
  // After a partial fill, a new list would not cover what was bought.
  await bob.signed("POST", "/api/v3/order", { ...BUY, side: "SELL", price: "19400", quantity: "0.01" });
  await until("a part is filled", () => rowOf("LIMIT").status === "PARTIALLY_FILLED");
  assert.equal(await account.move(rowOf("STOP_LOSS"), { stopPrice: "18800" }), false);
  assert.match(notice(), /^Order not moved: .* The order of the list was filled, completely or in part\.$/);
  assert.equal(rows().length, 3);
});

test("orders that are placed again stay pegged or trailing, and keep strategy and self-trade prevention", async () => {
  const { account } = opened;
  const own = { selfTradePreventionMode: "EXPIRE_TAKER", strategyId: 7, strategyType: 1_000_001 } as const;
  const sell = { symbol: "BTCUSDT", side: "SELL", quantity: "0.1" } as const;
  const pending: OrderDraft[] = [
    { ...sell, type: "STOP_LOSS", trailingDelta: "100" },
    { ...sell, type: "LIMIT_MAKER", pegPriceType: "PRIMARY_PEG", pegOffsetType: "PRICE_LEVEL", pegOffsetValue: "2" },
  ];
  assert.equal(await account.placeOto({ kind: "OTOCO", working: { ...BUY, ...own }, pending }), null);
  assert.equal(await account.move(rowOf("LIMIT"), { price: "19400" }), true, notice());
  await isTheNodes(opened, node, "alice");
  const [stop, maker] = [rowOf("STOP_LOSS"), rowOf("LIMIT_MAKER")];
  assert.deepEqual([stop.trailingDelta, trailingState(stop)], [100, null], "it does not trail yet");
  assert.deepEqual([maker.pegPriceType, maker.pegOffsetValue], ["PRIMARY_PEG", 2]);
  const kept = ({ selfTradePreventionMode, strategyId, strategyType }: OrderRow): object => ({
    ...{ selfTradePreventionMode, strategyId, strategyType },
  });
  assert.deepEqual([Number(rowOf("LIMIT").price), kept(rowOf("LIMIT"))], [19_400, own]);
  assert.equal(await account.cancelAll(null), true);
  assert.equal(await account.place({ ...BUY, ...own }), null);
  assert.equal(await account.move(rowOf("LIMIT"), { price: "19300" }), true);
  await isTheNodes(opened, node, "alice");
  assert.deepEqual(kept(rowOf("LIMIT")), own);
});

test("a list with a single pending order keeps its quantity when it is moved", async () => {
  const { account } = opened;
  assert.equal(await account.placeOto({ ...(LISTS[0] as OtoDraft), pending: [{ ...PROFIT, quantity: "0.05" }] }), null);
  assert.equal(await account.move(rowOf("LIMIT", "PENDING_NEW"), { price: "21500" }), true);
  const { price, origQty } = rowOf("LIMIT", "PENDING_NEW");
  assert.deepEqual([Number(price), Number(origQty), Number(rowOf("LIMIT", "NEW").origQty)], [21_500, 0.05, 0.1]);
});

test("the working order and a pending pair are reduced each by itself", async () => {
  const { account } = opened;
  assert.equal(await account.placeOto(LISTS[1] as OtoDraft), null);
  assert.equal(amendedWith(listOf(rowOf("STOP_LOSS"), rows()), rowOf("STOP_LOSS")).length, 2);
  assert.equal(await account.reduce(rowOf("STOP_LOSS"), "0.08"), true);
  await isTheNodes(opened, node, "alice");
  assert.equal(await account.reduce(rowOf("LIMIT"), "0.09"), true);
  await isTheNodes(opened, node, "alice");
  assert.deepEqual(
    ["STOP_LOSS", "LIMIT_MAKER", "LIMIT"].map((type) => Number(rowOf(type).origQty)),
    [0.08, 0.08, 0.09],
  );
  assert.equal(rowOf("STOP_LOSS").status, "PENDING_NEW");
});

test("canceling one order cancels the list, and the notice names the others", async () => {
  const { account } = opened;
  assert.equal(await account.placeOto(LISTS[1] as OtoDraft), null);
  assert.equal(await account.cancel(rowOf("STOP_LOSS")), true);
  assert.equal(rows().length, 0);
  assert.match(notice(), /^Order canceled: Sell 0\.1 BTCUSDT stop 19,000\. Canceled with it: Buy .* \| Sell .*$/);
  await isTheNodes(opened, node, "alice");
});

test("an expired working order ends its pending orders, whose reasons are in the history", async () => {
  const { account } = opened;
  const history = account.orderHistory("BTCUSDT");
  await history.more();
  const working = { ...BUY, timeInForce: "IOC" };
  assert.equal(await account.placeOto({ ...(LISTS[3] as OtoDraft), working }), null);
  await until("they have ended", () => rows().length === 0);
  const reasons = (): unknown => history.rows.value.slice(0, 3).map(({ expiryReason }) => expiryReason);
  await until("the history has them", () => !JSON.stringify(reasons()).includes("null"));
  const pending = "OTO_PHASE_ONE_EXPIRED";
  assert.deepEqual(reasons(), [pending, pending, "UNFILLED_IOC_QUANTITY_EXPIRED"]);
  // Nothing is left to sell for the second order when its time comes.
  await account.placeOto({ ...(LISTS[0] as OtoDraft), pending: [{ ...PROFIT, quantity: "8000" }] });
  await sell("0.1");
  await until("it was rejected", () => rows().length === 0 && history.rows.value[0]?.expiryReason === "REJECTED");
  assert.match(notice(), /^Order rejected when it was to be placed: Sell 8,000 BTCUSDT at 21,000\./);
});

test("a list whose response is lost is found by its orders", async () => {
  const { account, world } = opened;
  world.lose = (request) => (request === "POST /api/v3/orderList/opoco" ? "answer" : null);
  assert.equal(await account.placeOto(LISTS[3] as OtoDraft), null);
  assert.deepEqual(states(), ["BUY LIMIT NEW", "SELL LIMIT_MAKER PENDING_NEW", "SELL STOP_LOSS PENDING_NEW"]);
  await isTheNodes(opened, node, "alice");
});

test("a placement that fills at once: the response, which still shows pending orders, is older than the release", async () => {
  const { account } = opened;
  await sell("0.1");
  assert.equal(await account.placeOto(LISTS[3] as OtoDraft), null);
  await until("both are open", () => JSON.stringify(states()) === '["SELL LIMIT_MAKER NEW","SELL STOP_LOSS NEW"]');
  await isTheNodes(opened, node, "alice");
});

test("the quantity of a pending order that sells what is bought is unknown in the response", () => {
  const answer = { ...MAKER, executedQty: "0.00000000", status: "PENDING_NEW", transactTime: 1 } as unknown;
  const row = rowOfResult(answer as ResultAnswer, undefined);
  assert.deepEqual([row.origQty, row.isWorking], ["0.00000000", false]);
});
