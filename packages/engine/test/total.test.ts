/**
 * No decodable command stops the engine: odd values are rejected or executed, and the sums hold. TOTAL_RUNS sets the
 * number of histories; total.campaign.ts runs thousands.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  CANCEL_REPLACE_MODES,
  type CancelOrder,
  type Command,
  Engine,
  type Event,
  LARGEST,
  type ListLeg,
  OFF_SCALE,
  ORDER_TYPES,
  type OrderType,
  type PlaceOco,
  type PlaceOrder,
  SYMBOL_STATUSES,
  type SymbolSpec,
  TIMES_IN_FORCE,
} from "@pricetime/engine";
import { eachField, SYMBOL_FILTERS, type SymbolFilters } from "@pricetime/engine/filters";
import { deposit, listAsset, listSymbol, openAccount } from "@pricetime/testkit/commands";
import { VENUE_OPENING, venueCommand, venueTime } from "./venue/odd-commands.ts";

const RUNS = Number(process.env["TOTAL_RUNS"] ?? 300);
/** Long enough for a busy machine; a history takes less than a millisecond. */
const MOST_MS = 240_000;
const by = "test";
const ALGO_TYPES = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"] as const;
const oddNumber = fc.oneof(
  fc.nat({ max: 20 }),
  fc.constantFrom(-1, 0, 1, 1.5, 2 ** 31, LARGEST, LARGEST + 1, Number.NaN, Number.POSITIVE_INFINITY, -0),
);
const decimal = fc.oneof(
  fc.constantFrom("0", "1", "0.1", "0.01", "0.00000001", "0.10000000", "100", "90071992.5474099", "9007199254740991"),
  fc.constantFrom("", "-1", "1e9", "abc", "0.000000001", "99999999999999999999", "1".repeat(60)),
);
const oddFields = {
  ...{ price: decimal, quantity: decimal, amount: decimal, multiplier: decimal },
  ...{ minutes: oddNumber, count: oddNumber, flag: fc.boolean() },
};
const oddFilters = Object.entries(eachField<fc.Arbitrary<string | number | boolean>>(SYMBOL_FILTERS, oddFields));
const filters = fc.record(Object.fromEntries(oddFilters.map(([key, fields]) => [key, fc.record(fields)])), {
  requiredKeys: [],
}) as fc.Arbitrary<SymbolFilters>;
const name = fc.oneof(fc.constantFrom("BTC", "USDT", "BTCUSDT", "ETHBTC"), fc.string({ maxLength: 30 }));
const id = fc.oneof(fc.nat({ max: 4 }), fc.integer({ min: 98, max: 103 }), fc.constant(LARGEST));
const scaled = fc.oneof(fc.nat({ max: 50 }), fc.constantFrom(OFF_SCALE, 0, 1, 10 ** 6, 2 ** 30 + 1, 2 ** 52, LARGEST));
const spec: fc.Arbitrary<SymbolSpec> = fc.record({
  symbol: name,
  status: fc.constantFrom(...SYMBOL_STATUSES, "TRADING" as const, "NONE" as never),
  baseAsset: name,
  quoteAsset: name,
  orderTypes: fc.array(fc.constantFrom<OrderType>(...ORDER_TYPES, "ODD" as never)),
  icebergAllowed: fc.boolean(),
  ocoAllowed: fc.boolean(),
  quoteOrderQtyMarketAllowed: fc.boolean(),
  filters,
});
const order: fc.Arbitrary<PlaceOrder> = fc.record({
  type: fc.constant("placeOrder" as const),
  accountId: fc.oneof(fc.constantFrom(100, 101), id),
  symbolId: fc.oneof(fc.constant(0), id),
  side: fc.constantFrom("BUY" as const, "SELL" as const),
  orderType: fc.constantFrom<OrderType>("LIMIT", "MARKET", ...ORDER_TYPES),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
  priceTicks: scaled,
  quantityLots: scaled,
  stopTicks: fc.oneof(fc.constant(0), fc.constant(0), scaled),
  icebergLots: fc.oneof(fc.constant(0), fc.constant(0), scaled),
  quoteOrderQty: fc.oneof(fc.constant(0n), fc.bigInt({ min: -1n, max: 10n ** 40n })),
  clientOrderId: fc.string({ maxLength: 40 }),
});
/** Valid orders, of sizes from one lot to the largest. */
const soundOrder: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("placeOrder" as const),
  accountId: fc.constantFrom(100, 101),
  symbolId: fc.constant(0),
  side: fc.constantFrom("BUY" as const, "SELL" as const),
  orderType: fc.constant("LIMIT" as const),
  timeInForce: fc.constantFrom(...TIMES_IN_FORCE, "GTC" as const),
  priceTicks: fc.constantFrom(1, 2, 3, 10 ** 8, 2 ** 40, LARGEST),
  quantityLots: fc.constantFrom(1, 7, 10 ** 8, 2 ** 30, 2 ** 30 + 1, 2 ** 51, 2 ** 52, LARGEST),
  stopTicks: fc.constant(0),
  icebergLots: fc.constant(0),
  quoteOrderQty: fc.constant(0n),
  clientOrderId: fc.string({ minLength: 3, maxLength: 40 }),
});
const soundPrice = fc.constantFrom(1, 2, 3, 10 ** 8, 2 ** 40, LARGEST);
const soundLots = fc.constantFrom(1, 7, 10 ** 8, 2 ** 30 + 1, 2 ** 51);
/** Stops, take-profits and icebergs with all fields that their type requires. */
const soundAlgo: fc.Arbitrary<PlaceOrder> = fc
  .record({
    orderType: fc.constantFrom<OrderType>("LIMIT", ...ALGO_TYPES),
    side: fc.constantFrom("BUY" as const, "SELL" as const),
    accountId: fc.constantFrom(100, 101),
    timeInForce: fc.constantFrom(...TIMES_IN_FORCE, "GTC" as const),
    priceTicks: soundPrice,
    stopTicks: soundPrice,
    quantityLots: soundLots,
    parts: fc.constantFrom(0, 0, 2, 500, 1000),
    clientOrderId: fc.string({ minLength: 3, maxLength: 40 }),
  })
  .map(({ parts, ...order }) => {
    const isPriced = order.orderType.endsWith("LIMIT");
    const icebergLots = isPriced && parts > 0 ? Math.ceil(order.quantityLots / parts) : 0;
    return {
      ...order,
      type: "placeOrder",
      symbolId: 0,
      priceTicks: isPriced ? order.priceTicks : 0,
      stopTicks: order.orderType === "LIMIT" ? 0 : order.stopTicks,
      timeInForce: isPriced && icebergLots === 0 ? order.timeInForce : "GTC",
      icebergLots,
      quoteOrderQty: 0n,
    };
  });
const soundOco: fc.Arbitrary<Command> = fc
  .record({ stop: soundAlgo, limit: soundAlgo, isMaker: fc.boolean(), id: fc.string({ maxLength: 3 }) })
  .map(({ stop, limit, isMaker, id: listClientOrderId }) => ({
    type: "placeOco",
    accountId: stop.accountId,
    symbolId: 0,
    side: stop.side,
    quantityLots: stop.quantityLots,
    stopLeg: legOf(stop),
    limitLeg: isMaker
      ? {
          ...legOf(limit),
          orderType: "LIMIT_MAKER",
          timeInForce: "GTC",
          stopTicks: 0,
          priceTicks: limit.priceTicks + 1,
        }
      : legOf(limit),
    listClientOrderId,
  }));
const oddOco: fc.Arbitrary<Command> = fc.tuple(order, order, soundOco).map(([stop, limit, oco]) => ({
  ...(oco as PlaceOco),
  quantityLots: stop.quantityLots,
  stopLeg: legOf(stop),
  limitLeg: legOf(limit),
}));
function legOf({ orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId }: PlaceOrder): ListLeg {
  return { orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId };
}
const acts: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("listAsset" as const),
    by: fc.constant(by),
    asset: fc.record({ asset: name, name: fc.string(), precision: oddNumber, networks: fc.constant([]) }),
  }),
  fc.record({ type: fc.constant("listSymbol" as const), by: fc.constant(by), symbol: spec }),
  fc.record({ type: fc.constant("setSymbolFilters" as const), by: fc.constant(by), symbol: name, filters }),
  fc.record({
    type: fc.constant("setSymbolStatus" as const),
    by: fc.constant(by),
    symbol: name,
    status: fc.constantFrom(...SYMBOL_STATUSES, "NONE" as never),
  }),
  fc.record({
    type: fc.constant("setExchangeFilters" as const),
    by: fc.constant(by),
    filters: fc.record({ maxNumOrders: fc.record({ maxNumOrders: oddNumber }) }, { requiredKeys: [] }),
  }),
  fc.record({
    type: fc.constant("openAccount" as const),
    by: fc.constant(by),
    email: fc.string({ maxLength: 300 }),
    name: fc.string(),
    makerBps: oddNumber,
    takerBps: oddNumber,
  }),
  fc.record(
    {
      type: fc.constant("changeAccount" as const),
      by: fc.constant(by),
      accountId: id,
      makerBps: oddNumber,
      takerBps: oddNumber,
      canTrade: fc.boolean(),
    },
    { requiredKeys: ["type", "by", "accountId"] },
  ),
  fc.record({
    type: fc.constant("setSymbolFee" as const),
    by: fc.constant(by),
    accountId: id,
    symbol: name,
    makerBps: fc.oneof(fc.constant(null), oddNumber),
    takerBps: fc.oneof(fc.constant(null), oddNumber),
  }),
  fc.record({
    type: fc.constantFrom("deposit" as const, "debit" as const),
    by: fc.constant(by),
    accountId: id,
    asset: name,
    amount: decimal,
    reference: fc.string({ maxLength: 300 }),
  }),
);
const cancel: fc.Arbitrary<CancelOrder> = fc.record({
  type: fc.constant("cancelOrder" as const),
  accountId: fc.oneof(fc.constantFrom(100, 101), id),
  symbolId: fc.oneof(fc.constant(0), id),
  orderId: fc.nat({ max: 20 }),
  origClientOrderId: fc.oneof(fc.constant(""), fc.string({ maxLength: 3 })),
  newClientOrderId: fc.string(),
});
const others: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constantFrom("openListenKey" as const, "keepListenKey" as const, "closeListenKey" as const),
    accountId: id,
    listenKey: fc.constantFrom("l1", "l2", "", "__proto__"),
  }),
  cancel,
  fc.record({
    type: fc.constant("cancelReplace" as const),
    mode: fc.constantFrom(...CANCEL_REPLACE_MODES),
    cancel,
    place: fc.oneof(order, soundAlgo),
  }),
  fc
    .tuple(cancel, fc.integer({ min: -1, max: 9 }))
    .map(([named, quantityLots]): Command => ({ ...named, type: "amendOrder", quantityLots })),
  fc.record({
    type: fc.constant("cancelOrderList" as const),
    accountId: fc.constantFrom(100, 101, 5),
    symbolId: fc.constantFrom(0, 0, 1),
    orderListId: fc.integer({ min: -1, max: 5 }),
    listClientOrderId: fc.string({ maxLength: 3 }),
    newClientOrderId: fc.string(),
  }),
  fc.record({
    type: fc.constant("cancelOpenOrders" as const),
    accountId: fc.constantFrom(100, 101, 5),
    symbolId: fc.constantFrom(0, 0, 1),
    newClientOrderId: fc.string(),
  }),
  fc.constant<Command>({ type: "tick" }),
);

const anyCommand = fc.oneof(
  { weight: 6, arbitrary: soundOrder },
  { weight: 4, arbitrary: soundAlgo },
  { weight: 2, arbitrary: soundOco },
  { weight: 1, arbitrary: oddOco },
  { weight: 3, arbitrary: order },
  { weight: 3, arbitrary: acts },
  { weight: 1, arbitrary: others },
);

/** Two accounts with balances and an exact symbol, so that odd orders reach the book. */
const OPENING: readonly Command[] = [
  listAsset("BTC"),
  listAsset("USDT"),
  listSymbol("BTC/USDT"),
  ...[100, 101].flatMap((accountId) => [
    openAccount(`${accountId}`, { makerBps: 10, takerBps: 10 }),
    deposit(accountId, "BTC", "99999999999999999999"),
    deposit(accountId, "USDT", "99999999999999999999"),
  ]),
];

type Seen = Map<Event["type"], number>;

/**
 * Applies all commands, and checks that a rejection is the only event, the sums hold, and the snapshot can be restored.
 */
function play(commands: readonly Command[], times: readonly number[], seen: Seen): void {
  const engine = new Engine();
  for (const [i, command] of commands.entries()) {
    const events = engine.apply({ seq: i + 1, timeMs: times[i] ?? 0, command });
    assert.ok(events.length > 0, `no answer to ${command.type}`);
    for (const event of events) seen.set(event.type, (seen.get(event.type) ?? 0) + 1);
    if (events.some((event) => event.type === "rejected")) assert.equal(events.length, 1);
  }
  engine.checkInvariants();
  const restored = Engine.restore(engine.snapshot());
  restored.checkInvariants();
  assert.deepEqual(restored.snapshot(), engine.snapshot());
}

function checkSeen(seen: Seen, least: number, types: readonly Event["type"][]): void {
  for (const type of types) assert.ok((seen.get(type) ?? 0) > least, `hardly any ${type}: ${seen.get(type)}`);
}

const LIMITS = { numRuns: RUNS, interruptAfterTimeLimit: MOST_MS, markInterruptAsFailure: true };

test("every decoded command gets a result, a rejection is alone, and the sums hold", () => {
  const seen: Seen = new Map();
  const manyTimes = fc.array(oddTime(), { minLength: 70, maxLength: 70 });
  const manyCommands = fc.array(anyCommand, { minLength: 1, maxLength: 60, size: "max" });
  const property = fc.property(manyCommands, manyTimes, (commands, times) => {
    play([...OPENING, ...commands], times, seen);
  });
  fc.assert(property, LIMITS);
  const ofOrders = ["orderOpened", "trade", "orderEnded", "orderListChanged", "cancelReplaced"] as const;
  checkSeen(seen, RUNS / 15, ["rejected", ...ofOrders, "symbolListed", "accountOpened"]);
});

test("the same for sign-in commands, operator actions and approval requests among orders", () => {
  const seen: Seen = new Map();
  const before = [...OPENING, ...VENUE_OPENING];
  const command = fc.oneof({ weight: 9, arbitrary: venueCommand }, { weight: 1, arbitrary: anyCommand });
  const manyTimes = fc.array(venueTime, { minLength: 60, maxLength: 60 });
  const manyCommands = fc.array(command, { minLength: 1, maxLength: 60, size: "max" });
  const property = fc.property(manyCommands, manyTimes, (commands, times) => {
    play([...before, ...commands], [...before.map(() => 0), ...times.toSorted((one, other) => one - other)], seen);
  });
  fc.assert(property, LIMITS);
  const ofHolders = ["invitationChanged", "passwordSet", "sessionOpened", "sessionClosed", "accountFrozen"] as const;
  const ofVenue = ["stopChanged", "accountNoted", "unknownDepositChanged", "breakGlassChanged"] as const;
  const ofTwo = ["proposalChanged", "approvalRulesChanged", "operatorChanged", "balanceAdjusted"] as const;
  checkSeen(seen, RUNS / 150, ["rejected", "noticeChanged", "recoveryChanged", "proofPublished"]);
  checkSeen(seen, RUNS / 150, [...ofHolders, ...ofVenue, ...ofTwo]);
});

function oddTime(): fc.Arbitrary<number> {
  return fc.oneof(fc.nat({ max: 10_000_000 }), fc.constantFrom(0, 1, Date.UTC(2100, 0)));
}
