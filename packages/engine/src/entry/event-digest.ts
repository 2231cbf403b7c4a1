/**
 * The digest of each event. It covers every field, by tables whose completeness the compiler checks. The events of most
 * commands are written as code. A test changes each field of each event and expects another digest.
 */
import type { ApiKey, SessionRecord } from "./access.ts";
import { digestSomeFields, type EventDigest, fold, foldBig, foldText, foldWord, isOfFirstDigest } from "./digest.ts";
import type { Event, Fill, OrderEnded, OrderOpened, Trade } from "./event.ts";
import { type Field, type FieldTable, isLater } from "./fields.ts";
import type { CandleScale, GeneratedPast, PastAsset, PastCandle } from "./past-candle.ts";
import {
  type LegRecord,
  type OrderListRecord,
  type OrderRecord,
  PLACED_FIELDS,
  PROGRESS_FIELDS,
} from "./order-record.ts";
import type { ProposalRecord } from "./command.ts";
import type { PublishedProof, StopRecord, UnknownDepositRecord } from "./venue.ts";
import type { ApprovalReason, DepositAddress, DepositRecord, WithdrawalRecord } from "./wallet-record.ts";

/** How a value is added to a digest. */
type Digested<T> = (digest: EventDigest, value: T) => void;
type TableOf<T> = { readonly [Name in keyof T]-?: Digested<T[Name]> };

const number: Digested<number> = (digest, value) => digest.mix(fold(value));
const big: Digested<bigint> = (digest, value) => digest.mix(foldBig(value));
const text: Digested<string> = (digest, value) => digest.mix(foldText(value));
const bool: Digested<boolean> = (digest, value) => digest.mix(value ? 1 : 0);

const NOTHING = 0x6e6f6e65;

function orNothing<T>(digested: Digested<T>): Digested<T | null | undefined> {
  return (digest, value) => {
    if (value === null || value === undefined) digest.mix(NOTHING);
    else digested(digest, value);
  };
}

/** A field that older rules did not have. If it is absent, it adds nothing to the digest. */
function ifPresent<T>(digested: Digested<T>): Digested<T | undefined> {
  return (digest, value) => {
    if (value !== undefined) digested(digest, value);
  };
}

function listOf<T>(digested: Digested<T>): Digested<readonly T[]> {
  return (digest, values) => {
    digest.mix(values.length);
    for (const value of values) digested(digest, value);
  };
}

/**
 * A field that older events do not have. If it is absent, it adds nothing, so that the digests of these events do not
 * change.
 */
function later<T>(name: string, digested: Digested<T>): Digested<T | undefined> {
  return (digest, value) => {
    if (value === undefined) return;
    text(digest, name);
    digested(digest, value);
  };
}

function all<T>(table: TableOf<T>): Digested<T> {
  const fields = Object.entries(table) as [keyof T, Digested<unknown>][];
  return (digest, value) => {
    for (const [name, digested] of fields) digested(digest, value[name]);
  };
}

const OF_KIND: Readonly<Record<Exclude<Field<unknown>["kind"], "record">, Digested<never>>> = {
  uint: number,
  big,
  text,
  bool,
  word: text,
};

/**
 * The fields of a table that were added after its first layout, each with its name. A field with the value that older
 * layouts imply adds nothing, so that rows from before the field have the same digests. `undefined` if the table has no
 * such fields.
 */
export function laterFields(table: FieldTable): Digested<object> | undefined {
  const fields = Object.entries(table).flatMap(([name, field]) =>
    isLater(field) ? [{ name, before: field.before, digested: OF_KIND[field.kind as "uint"] }] : [],
  );
  if (fields.length === 0) return undefined;
  return (digest, record) => {
    const values = record as Readonly<Record<string, unknown>>;
    for (const { name, before, digested } of fields) {
      const value = values[name] ?? before;
      if (value === before) continue;
      text(digest, name);
      digested(digest, value as never);
    }
  };
}

const placedLater = laterFields(PLACED_FIELDS);
const progressLater = laterFields(PROGRESS_FIELDS);

/**
 * The progress of an order. The amounts of an order without fills are zero, which fold to zero; reading them would cost
 * more than everything else here.
 */
function progress(digest: EventDigest, order: OrderRecord): void {
  const { executedLots } = order;
  digest.mixSeven(
    fold(order.orderId),
    foldWord(order.status),
    order.isWorking ? 1 : 0,
    fold(executedLots),
    executedLots === 0 ? 0 : foldBig(order.executedQuote),
    executedLots === 0 ? 0 : foldBig(order.commission),
    fold(order.updateTimeMs),
  );
  progressLater?.(digest, order);
}

/**
 * The placed fields are part of the digest when an order opens. After that, the order's id stands for them, because
 * reading them again in each event would cost a tenth of the engine's speed.
 */
function orderOpened(digest: EventDigest, { order }: OrderOpened): void {
  const words = foldWord(order.side) ^ (foldWord(order.type) << 8) ^ (foldWord(order.timeInForce) << 16);
  digest.mixSeven(
    fold(order.accountId),
    fold(order.symbolId),
    foldText(order.clientOrderId),
    words,
    fold(order.priceTicks),
    fold(order.quantityLots),
    fold(order.timeMs),
  );
  digest.mixFour(fold(order.stopTicks), fold(order.icebergLots), fold(order.orderListId), foldBig(order.quoteOrderQty));
  progress(digest, order);
  placedLater?.(digest, order);
}

function orderEnded(digest: EventDigest, { order, status, cancelClientOrderId }: OrderEnded): void {
  progress(digest, order);
  digest.mix(foldWord(status) ^ foldText(cancelClientOrderId));
}

function fill(digest: EventDigest, { order, commission, commissionAssetId }: Fill): void {
  progress(digest, order);
  digest.mix(fold(commissionAssetId) ^ foldBig(commission));
}

function trade(digest: EventDigest, event: Trade): void {
  digest.mixSeven(
    fold(event.symbolId),
    fold(event.tradeId),
    fold(event.aggTradeId),
    fold(event.timeMs),
    fold(event.priceTicks),
    fold(event.lots),
    foldBig(event.quote),
  );
  digest.mix(foldWord(event.takerSide));
  fill(digest, event.taker);
  fill(digest, event.maker);
}

const leg = all<LegRecord>({ orderId: number, clientOrderId: text });
const list = all<OrderListRecord>({
  orderListId: number,
  listClientOrderId: text,
  accountId: number,
  symbolId: number,
  timeMs: number,
  stopLeg: leg,
  limitLeg: leg,
});

const apiKey = all<ApiKey>({
  apiKey: text,
  accountId: number,
  sealedSecret: text,
  publicKey: orNothing(text),
  permissions: listOf(text),
  ipAllowList: listOf(text),
  label: text,
  createdMs: number,
});

const depositAddress = all<DepositAddress>({ accountId: number, network: text, address: text, tag: text });

const deposit = all<Readonly<DepositRecord>>({
  depositId: number,
  network: text,
  txId: text,
  output: number,
  accountId: number,
  assetId: number,
  amount: big,
  address: text,
  tag: text,
  insertTimeMs: number,
  owed: big,
  status: text,
  by: orNothing(text),
});

const approvalReason = all<ApprovalReason>({ rule: text, hours: number, limit: text, sum: text });
const withdrawal = all<Readonly<WithdrawalRecord>>({
  withdrawalId: text,
  accountId: number,
  assetId: number,
  network: text,
  address: text,
  tag: text,
  amount: big,
  fee: big,
  name: text,
  withdrawOrderId: text,
  applyTimeMs: number,
  confirmationHash: text,
  needsApproval: bool,
  status: text,
  updateTimeMs: number,
  txId: text,
  nonce: number,
  signedTx: text,
  txIds: listOf(text),
  by: orNothing(text),
  accountSum24h: later("accountSum24h", big),
  approvalReasons: later("approvalReasons", listOf(approvalReason)),
});

const pastAsset = all<PastAsset>({ asset: text, dayMoveBps: number, marketPercent: number });
const generatedPast = all<GeneratedPast>({
  generator: number,
  seed: number,
  symbol: text,
  endMs: number,
  endTicks: number,
  tickStep: number,
  lotStep: number,
  dayLots: number,
  dayTrades: number,
  base: pastAsset,
  quote: pastAsset,
  quotePrecision: number,
  priceDecimals: number,
  quantityDecimals: number,
});
const candleScale = all<CandleScale>({ priceDecimals: number, quantityDecimals: number, quoteDecimals: number });
const candle = all<PastCandle>({
  openTimeMs: number,
  openTicks: number,
  highTicks: number,
  lowTicks: number,
  closeTicks: number,
  lots: big,
  quote: big,
  count: number,
  takerBuyLots: big,
  takerBuyQuote: big,
});

const stop = all<StopRecord>({
  scope: text,
  why: text,
  by: text,
  sinceMs: number,
  untilMs: orNothing(number),
});
const unknownDeposit = all<UnknownDepositRecord>({
  network: text,
  txId: text,
  output: number,
  address: text,
  tag: text,
  coin: text,
  amount: text,
  reason: text,
  seenMs: number,
});
const proposal = all<ProposalRecord>({
  proposalId: text,
  version: number,
  // An action of any type, in the form in which the journal stores it.
  act: (digest, value) => text(digest, JSON.stringify(value)),
  why: text,
  authors: listOf(text),
  approvals: listOf(text),
  createdMs: number,
  changedMs: number,
  untilMs: number,
});
const publishedProof = all<PublishedProof>({
  number,
  seq: number,
  root: text,
  previous: text,
  publishedMs: number,
});
const session = all<SessionRecord>({
  sessionId: text,
  holder: text,
  secretHash: text,
  previousHash: text,
  openedMs: number,
  renewedMs: number,
  untilMs: number,
  ip: text,
  client: text,
});

const listenKey = { accountId: number, listenKey: text };

type EventTables = {
  readonly [Type in Event["type"]]: Digested<Extract<Event, { readonly type: Type }>>;
};
/** The fields of an event other than its type. */
type Rest<Type extends Event["type"]> = Omit<Extract<Event, { readonly type: Type }>, "type">;

/** The position in the table is the type's number in the digest: append only. */
const EVENTS: EventTables = {
  rejected: all<Rest<"rejected">>({ reason: text }),
  done: () => {},
  orderOpened,
  trade,
  orderEnded,
  listenKeyOpened: all<Rest<"listenKeyOpened">>({ ...listenKey, expiresMs: number }),
  listenKeyClosed: all<Rest<"listenKeyClosed">>({ ...listenKey, expired: bool }),
  assetListed: all<Rest<"assetListed">>({ assetId: number }),
  symbolListed: all<Rest<"symbolListed">>({ symbolId: number }),
  symbolChanged: all<Rest<"symbolChanged">>({ symbolId: number }),
  accountOpened: all<Rest<"accountOpened">>({ accountId: number }),
  accountChanged: all<Rest<"accountChanged">>({ accountId: number }),
  apiKeyCreated: all<Rest<"apiKeyCreated">>({ key: apiKey }),
  apiKeyDeleted: all<Rest<"apiKeyDeleted">>({ apiKey: text }),
  balanceMoved: all<Rest<"balanceMoved">>({ accountId: number, assetId: number, amount: big, reference: text }),
  orderListChanged: all<Rest<"orderListChanged">>({ list, listOrderStatus: text }),
  cancelReplaced: all<Rest<"cancelReplaced">>({ cancelReason: orNothing(text), placeReason: orNothing(text) }),
  depositAddressAssigned: all<Rest<"depositAddressAssigned">>({ address: depositAddress }),
  depositChanged: all<Rest<"depositChanged">>({ deposit, status: text, moved: big, shortage: big }),
  withdrawalChanged: all<Rest<"withdrawalChanged">>({ withdrawal, status: text, txId: text, why: text }),
  transferred: all<Rest<"transferred">>({
    tranId: number,
    masterId: number,
    fromAccountId: number,
    toAccountId: number,
    assetId: number,
    amount: big,
    clientTranId: later("clientTranId", text),
  }),
  dustConverted: all<Rest<"dustConverted">>({
    tranId: number,
    accountId: number,
    assetId: number,
    amount: big,
    dustAssetId: number,
    received: big,
    charge: big,
  }),
  dividendPaid: all<Rest<"dividendPaid">>({
    tranId: number,
    accountId: number,
    assetId: number,
    amount: big,
    info: text,
  }),
  maintenanceChanged: all<Rest<"maintenanceChanged">>({ isOn: bool }),
  apiTradingLocked: all<Rest<"apiTradingLocked">>({ accountId: number, untilMs: number }),
  networkChanged: all<Rest<"networkChanged">>({ network: text }),
  rulesAdopted: all<Rest<"rulesAdopted">>({ edition: number }),
  masterKeyBound: all<Rest<"masterKeyBound">>({ keyCheck: text }),
  pastAdded: all<Rest<"pastAdded">>({ symbolId: number, past: generatedPast }),
  klinesImported: all<Rest<"klinesImported">>({
    symbolId: number,
    interval: text,
    candles: listOf(candle),
    scale: ifPresent(candleScale),
  }),
  roleGranted: all<Rest<"roleGranted">>({ role: text, node: text, incarnation: text, number }),
  letterChanged: all<Rest<"letterChanged">>({ withdrawalId: text, status: text }),
  stopChanged: all<Rest<"stopChanged">>({ stop, isOn: bool }),
  balanceAdjusted: all<Rest<"balanceAdjusted">>({
    accountId: number,
    assetId: number,
    amount: big,
    house: text,
    category: text,
    why: text,
    reference: text,
    by: text,
  }),
  accountNoted: all<Rest<"accountNoted">>({ accountId: number, text, by: text }),
  unknownDepositChanged: all<Rest<"unknownDepositChanged">>({
    deposit: unknownDeposit,
    status: text,
    accountId: orNothing(number),
    why: text,
  }),
  operatorChanged: all<Rest<"operatorChanged">>({ name: text }),
  approvalRulesChanged: all<Rest<"approvalRulesChanged">>({ isAny: bool }),
  proposalChanged: all<Rest<"proposalChanged">>({ proposal, status: text, by: text, why: text }),
  breakGlassChanged: all<Rest<"breakGlassChanged">>({ fromMs: number }),
  proofPublished: all<Rest<"proofPublished">>({ proof: publishedProof }),
  invitationChanged: all<Rest<"invitationChanged">>({
    invitationId: text,
    email: text,
    status: text,
    holder: orNothing(text),
  }),
  passwordSet: all<Rest<"passwordSet">>({ holder: text }),
  sessionOpened: all<Rest<"sessionOpened">>({ session }),
  sessionClosed: all<Rest<"sessionClosed">>({ sessionId: text, holder: text }),
  recoveryChanged: all<Rest<"recoveryChanged">>({ recoveryId: text, holder: text, status: text }),
  accountFrozen: all<Rest<"accountFrozen">>({ accountId: number }),
  noticeChanged: all<Rest<"noticeChanged">>({ noticeId: number, kind: text, status: text }),
};

const NUMBERS: ReadonlyMap<string, number> = new Map(Object.keys(EVENTS).map((type, place) => [type, place + 1]));

/** The first rules version in which the digest covers all fields. */
const FULL_SINCE_EDITION = 3;

/** `edition` is the rules version that the journal follows. */
export function digestEvent(digest: EventDigest, event: Event, edition: number): void {
  if (edition < FULL_SINCE_EDITION && isOfFirstDigest(event)) return digestSomeFields(digest, event);
  switch (event.type) {
    case "orderOpened":
      return orderOpened(digest, event);
    case "orderEnded":
      return orderEnded(digest, event);
    case "trade":
      return trade(digest, event);
    default:
      digest.mix(NUMBERS.get(event.type) as number);
      return (EVENTS[event.type] as Digested<Event>)(digest, event);
  }
}
