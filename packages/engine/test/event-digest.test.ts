/**
 * The event digest covers every field of every event. There is one event of each type here, with a value in every
 * field; changing any value must change the digest. The exception is what an order was placed with: it is digested
 * once, when the order opens, and later events contain the order's id.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ApiKey,
  type DepositRecord,
  type Event,
  NEWEST_EDITION,
  ORDER_STATUSES,
  ORDER_TYPES,
  type OrderRecord,
  type ProposalRecord,
  type SessionRecord,
  SIDES,
  type StopRecord,
  TIMES_IN_FORCE,
  type UnknownDepositRecord,
  type WithdrawalRecord,
} from "@pricetime/engine";
import { EventDigest } from "../src/entry/digest.ts";
import { digestEvent, laterFields } from "../src/entry/event-digest.ts";
import { bool, isLater, since, text, uint } from "../src/entry/fields.ts";
import { ORDER_FIELDS, PLACED_FIELDS } from "../src/entry/order-record.ts";

/** Later fields, which a record may omit, have a value here too, because an absent field is not changed by the test. */
const order: Required<Omit<OrderRecord, "isBare">> = {
  orderId: 7,
  accountId: 100,
  symbolId: 3,
  clientOrderId: "x-TKT5PX2F01234567890123",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  priceTicks: 2 ** 40 + 5,
  quantityLots: 1_000,
  stopTicks: 12,
  icebergLots: 13,
  quoteOrderQty: 10n ** 30n,
  orderListId: -1,
  timeMs: 1_700_000_000_000,
  updateTimeMs: 1_700_000_000_001,
  status: "NEW",
  isWorking: true,
  executedLots: 14,
  executedQuote: 15n,
  commission: 16n,
  selfTradePrevention: "DECREMENT",
  strategyId: 17,
  strategyType: 1_000_000,
  preventedLots: 18,
  preventedMatchId: 19,
  workedMs: 1_700_000_000_002,
  expiryReason: "OCO_TRIGGER",
  trailingDelta: 20,
  trailingMs: 1_700_000_000_003,
  pegTo: "MARKET_PEG",
  pegLevel: 21,
  peggedTicks: 22,
};
const fill = { order, commission: 17n, commissionAssetId: 1 };
const leg = { orderId: 7, clientOrderId: "leg" };
const key: ApiKey = {
  apiKey: "k",
  accountId: 100,
  sealedSecret: "s",
  publicKey: "p",
  permissions: ["TRADE"],
  ipAllowList: ["10.0.0.1"],
  label: "l",
  createdMs: 5,
};
const deposit: DepositRecord = {
  depositId: 1,
  network: "ETH",
  txId: "0x1",
  output: 0,
  accountId: 100,
  assetId: 1,
  amount: 5n,
  address: "0xa",
  tag: "t",
  insertTimeMs: 5,
  owed: 1n,
  status: "pending",
  by: "carol",
};
const withdrawal: WithdrawalRecord = {
  withdrawalId: "w",
  accountId: 100,
  assetId: 1,
  network: "ETH",
  address: "0xa",
  tag: "t",
  amount: 5n,
  fee: 1n,
  name: "n",
  withdrawOrderId: "o",
  applyTimeMs: 5,
  confirmationHash: "h",
  needsApproval: true,
  status: "processing",
  updateTimeMs: 6,
  txId: "0x1",
  nonce: 2,
  signedTx: "0x2",
  txIds: ["0x1"],
  accountSum24h: 7n,
  approvalReasons: [{ rule: "account", hours: 24, limit: "5", sum: "7" }],
  by: "carol",
};
const pastAsset = { asset: "BTC", dayMoveBps: 1, marketPercent: 2 };
const past = {
  generator: 1,
  seed: 2,
  symbol: "BTCUSDT",
  endMs: 3,
  endTicks: 4,
  tickStep: 5,
  lotStep: 6,
  dayLots: 7,
  dayTrades: 8,
  base: pastAsset,
  quote: pastAsset,
  quotePrecision: 9,
  priceDecimals: 10,
  quantityDecimals: 11,
};
const candle = {
  openTimeMs: 1,
  openTicks: 2,
  highTicks: 3,
  lowTicks: 4,
  closeTicks: 5,
  lots: 6n,
  quote: 7n,
  count: 8,
  takerBuyLots: 9n,
  takerBuyQuote: 10n,
};
const list = {
  orderListId: 1,
  listClientOrderId: "list",
  accountId: 100,
  symbolId: 3,
  timeMs: 5,
  orders: [leg, leg],
  kind: "OTO" as const,
};
const stop: StopRecord = { scope: "coin:BTC", why: "fire", by: "carol", sinceMs: 5, untilMs: 6 };
const unknown: UnknownDepositRecord = {
  network: "ETH",
  txId: "0x1",
  output: 2,
  address: "0xa",
  tag: "t",
  coin: "0xc",
  amount: "17",
  reason: "noTag",
  seenMs: 5,
};
const proposal: ProposalRecord = {
  proposalId: "p",
  version: 2,
  act: { type: "approveWithdrawal", by: "carol", withdrawalId: "w" },
  why: "y",
  authors: ["carol"],
  approvals: ["bob"],
  createdMs: 5,
  changedMs: 6,
  untilMs: 7,
};
const session: SessionRecord = {
  sessionId: "s",
  holder: "account:100",
  secretHash: "h",
  previousHash: "g",
  openedMs: 5,
  renewedMs: 6,
  untilMs: 7,
  ip: "10.0.0.1",
  client: "c",
};
const moved = { accountId: 100, assetId: 1, amount: 5n };

const EVENTS: { readonly [Type in Event["type"]]: Omit<Extract<Event, { readonly type: Type }>, "type"> } = {
  rejected: { reason: "LOT_SIZE" },
  done: {},
  rulesAdopted: { edition: 2 },
  interfaceChanged: { interface: "today" },
  orderIdsSet: { orderIds: "symbol" },
  orderOpened: { order },
  trade: {
    symbolId: 3,
    tradeId: 4,
    aggTradeId: 5,
    timeMs: 6,
    priceTicks: 7,
    lots: 8,
    quote: 9n,
    takerSide: "BUY",
    taker: fill,
    maker: fill,
  },
  orderEnded: { order, status: "CANCELED", cancelClientOrderId: "cancel-1" },
  orderAmended: { order, origClientOrderId: "a-0", origQuantityLots: 11 },
  orderReleased: { order },
  orderListChanged: { list, listOrderStatus: "EXECUTING", isUpdate: true },
  cancelReplaced: { cancelReason: "UNKNOWN_ORDER", placeReason: "LOT_SIZE" },
  listenKeyOpened: { accountId: 100, listenKey: "k", expiresMs: 5 },
  listenKeyClosed: { accountId: 100, listenKey: "k", expired: true },
  assetListed: { assetId: 1 },
  symbolListed: { symbolId: 3 },
  symbolChanged: { symbolId: 3 },
  accountOpened: { accountId: 100 },
  accountChanged: { accountId: 100 },
  apiKeyCreated: { key },
  apiKeyDeleted: { apiKey: "k" },
  masterKeyBound: { keyCheck: "c" },
  balanceMoved: { ...moved, reference: "r" },
  pastAdded: { symbolId: 3, past },
  klinesImported: {
    symbolId: 3,
    interval: "1m",
    scale: { priceDecimals: 8, quantityDecimals: 7, quoteDecimals: 6 },
    candles: [candle],
  },
  depositAddressAssigned: { address: { accountId: 100, network: "ETH", address: "0xa", tag: "t" } },
  depositChanged: { deposit, status: "credited", moved: 5n, shortage: 1n },
  withdrawalChanged: { withdrawal, status: "failed", txId: "0x1", why: "w" },
  transferred: {
    ...{ tranId: 1, masterId: 100, fromAccountId: 100, toAccountId: 101, assetId: 1, amount: 5n },
    clientTranId: "own",
  },
  dustConverted: { ...moved, tranId: 1, dustAssetId: 2, received: 3n, charge: 4n },
  dividendPaid: { ...moved, tranId: 1, info: "i" },
  maintenanceChanged: { isOn: true },
  apiTradingLocked: { accountId: 100, untilMs: 5 },
  networkChanged: { network: "ETH" },
  letterChanged: { withdrawalId: "0".repeat(32), status: "claimed" },
  stopChanged: { stop, isOn: true },
  balanceAdjusted: {
    ...moved,
    house: "fees",
    category: "other",
    why: "y",
    reference: "r",
    by: "carol",
  },
  accountNoted: { accountId: 100, text: "t", by: "carol" },
  unknownDepositChanged: { deposit: unknown, status: "credit", accountId: 100, why: "y" },
  operatorChanged: { name: "carol" },
  approvalRulesChanged: { isAny: true },
  proposalChanged: { proposal, status: "rejected", by: "bob", why: "n" },
  breakGlassChanged: { fromMs: 5 },
  proofPublished: { proof: { number: 1, seq: 2, root: "r", previous: "p", publishedMs: 5 } },
  invitationChanged: { invitationId: "i", email: "e", status: "accepted", holder: "account:100" },
  passwordSet: { holder: "account:100" },
  sessionOpened: { session },
  sessionClosed: { sessionId: "s", holder: "account:100" },
  recoveryChanged: { recoveryId: "r", holder: "account:100", status: "asked" },
  accountFrozen: { accountId: 100 },
  noticeChanged: { noticeId: 1, kind: "frozen", status: "sent" },
  tradePrevented: {
    symbolId: 3,
    preventedMatchId: 4,
    timeMs: 6,
    mode: "DECREMENT",
    tradeGroupId: 100,
    takerSide: "BUY",
    priceTicks: 7,
    lots: 8,
    quote: 9n,
    takerLots: 8,
    makerLots: 9,
    isTransfer: false,
    taker: order,
    maker: order,
    otherLeg: order,
  },
  roleGranted: { role: "mail", node: "n1", incarnation: "0123456789abcdef", number: 2 },
};

function digestOf(event: unknown): string {
  const digest = new EventDigest();
  digestEvent(digest, event as Event, NEWEST_EDITION);
  return digest.toString();
}

/** Other values of the same type. */
function others(value: unknown): unknown[] {
  for (const words of [SIDES, ORDER_TYPES, TIMES_IN_FORCE, ORDER_STATUSES] as const) {
    if ((words as readonly unknown[]).includes(value)) return words.filter((word) => word !== value);
  }
  switch (typeof value) {
    case "number":
      return [value + 1, value + 2 ** 33];
    case "bigint":
      return [value + 1n, value + 2n ** 33n, value + 2n ** 80n, -value];
    case "boolean":
      return [!value];
    case "string":
      return [`${value}x`, "", ...Array.from(value, (_, at) => `${value.slice(0, at)}ü${value.slice(at + 1)}`)];
    default:
      return assert.fail(`no flip of ${String(value)}`);
  }
}

/** The event with one value changed, for each value and several changes. */
function* flips(at: object, path: string): Iterable<{ readonly path: string; readonly flipped: object }> {
  for (const [name, value] of Object.entries(at)) {
    const there = `${path}.${name}`;
    const withOther = (other: unknown): object =>
      Array.isArray(at) ? at.with(Number(name), other) : { ...at, [name]: other };
    if (typeof value !== "object" || value === null) {
      for (const other of others(value)) yield { path: there, flipped: withOther(other) };
    } else {
      for (const { path: inner, flipped } of flips(value as object, there))
        yield { path: inner, flipped: withOther(flipped) };
      if (Array.isArray(value)) yield { path: there, flipped: withOther([]) };
    }
  }
}

const TOLD_BY_NUMBER = Object.keys(PLACED_FIELDS).filter((field) => field !== "orderId");
const NOT_SEEN = new Set(
  [
    "orderEnded.order",
    "trade.taker.order",
    "trade.maker.order",
    "tradePrevented.taker",
    "tradePrevented.maker",
    "tradePrevented.otherLeg",
  ].flatMap((at) => TOLD_BY_NUMBER.map((field) => `${at}.${field}`)),
);

test("the order of this test has every field", () => {
  assert.deepEqual(Object.keys(order).sort(), Object.keys(ORDER_FIELDS).sort());
});

test("each value of each event changes the digest", () => {
  let flipped = 0;
  for (const [type, fields] of Object.entries(EVENTS)) {
    const digest = digestOf({ type, ...fields });
    for (const { path, flipped: other } of flips(fields, type)) {
      const isSeen = digestOf({ type, ...other }) !== digest;
      assert.equal(isSeen, !NOT_SEEN.has(path), path);
      flipped++;
    }
  }
  assert.ok(flipped > 500, `${flipped} flips`);
});

test("each type, and each optional field, changes the digest", () => {
  const digests = Object.keys(EVENTS).map((type) =>
    digestOf({ type, ...EVENTS.orderOpened, ...EVENTS[type as "done"] }),
  );
  assert.equal(new Set(digests).size, digests.length);
  const { publicKey: _, ...unsigned } = key;
  assert.notEqual(digestOf({ type: "apiKeyCreated", key }), digestOf({ type: "apiKeyCreated", key: unsigned }));
  const replaced = { type: "cancelReplaced", ...EVENTS.cancelReplaced };
  assert.notEqual(digestOf(replaced), digestOf({ ...replaced, placeReason: null }));
});

test("the words of a list have different digests", () => {
  for (const words of [SIDES, ORDER_TYPES, TIMES_IN_FORCE, ORDER_STATUSES]) {
    const digests = words.map((word) => {
      const digest = new EventDigest();
      digestEvent(
        digest,
        { type: "orderOpened", order: { ...order, side: word, type: word, timeInForce: word, status: word } as never },
        NEWEST_EDITION,
      );
      return digest.toString();
    });
    assert.equal(new Set(digests).size, words.length);
  }
});

test("a later field is digested by name, unless it equals the value of older layouts", () => {
  const digested = laterFields({ orderId: uint, isPostOnly: since(8, bool, false), memo: since(9, text, "") });
  assert.ok(digested !== undefined);
  const digestOf = (record: object): string => {
    const digest = new EventDigest();
    digested(digest, record);
    return digest.toString();
  };
  const old = new EventDigest().toString();
  assert.equal(digestOf({ orderId: 7 }), old);
  assert.equal(digestOf({ orderId: 8, isPostOnly: false, memo: "" }), old, "so rows from before keep their digests");
  const said = [{ isPostOnly: true }, { memo: "1" }, { memo: "2" }, { isPostOnly: true, memo: "1" }];
  assert.equal(new Set([old, ...said.map(digestOf)]).size, said.length + 1);
  assert.equal(laterFields({ orderId: uint }), undefined);
});

test("a digest is formatted as two halves in base 16 with leading zeros", () => {
  const digest = new EventDigest();
  for (const [high, low] of [
    [0, 0],
    [1, 0xffffffff],
    [0x0000000a, 0x9abcdef0],
    [0x80000000, 0x7fffffff],
    [0x01234567, 0x89abcdef],
  ] as const) {
    digest.setLanes(high, low);
    assert.equal(digest.toString(), [high, low].map((half) => half.toString(16).padStart(8, "0")).join(""));
  }
});

test("each later field of an order changes the digest by itself", () => {
  const later = Object.keys(ORDER_FIELDS).filter((name) => isLater(ORDER_FIELDS[name as keyof typeof ORDER_FIELDS]));
  assert.ok(later.length >= 7);
  const plain = Object.fromEntries(Object.entries(order).filter(([name]) => !later.includes(name))) as OrderRecord;
  const digestOf = (opened: OrderRecord): string => {
    const digest = new EventDigest();
    digestEvent(digest, { type: "orderOpened", order: opened }, NEWEST_EDITION);
    return digest.toString();
  };
  const digests = later.map((name) => digestOf({ ...plain, [name]: order[name as keyof typeof order] }));
  assert.equal(new Set([digestOf(plain), ...digests]).size, later.length + 1);
});
