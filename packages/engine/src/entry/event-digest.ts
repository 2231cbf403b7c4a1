/**
 * The digest of each event. It covers every field, as listed in the tables of `event.ts`. The most frequent events are
 * digested by hand-written code. A test changes each field of each event and expects another digest.
 */
import { type Digested, type EventDigest, fields, fold, foldBig, foldText, foldWord, OF_KIND, text } from "./digest.ts";
import { type Event, EVENTS, type Fill, type OrderEnded, type OrderOpened, type Trade } from "./event.ts";
import { type FieldTable, isLater } from "./fields.ts";
import { type OrderRecord, PLACED_FIELDS, PROGRESS_FIELDS } from "./order-record.ts";

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
 * Digests the progress of an order. Without fills, all amounts are zero and fold to zero. They are not read, because
 * this would cost more than everything else here. The loop over the later fields would cost a tenth of the engine's
 * speed if bare orders needed it.
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
  if (order.isBare !== true) progressLater?.(digest, order);
}

/**
 * The placed fields are digested when an order opens. In later events the order's id represents them, because reading
 * them again would cost a tenth of the engine's speed.
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
  if (order.isBare !== true) placedLater?.(digest, order);
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

const [REJECTED, DONE, ...OTHERS] = Object.keys(EVENTS);
/** The numbers that represent event types in the digest, from 1. */
const NUMBERS: ReadonlyMap<string | undefined, number> = new Map(
  [REJECTED, DONE, "orderOpened", "trade", "orderEnded", ...OTHERS].map((type, place) => [type, place + 1]),
);
const DIGESTS: ReadonlyMap<string, Digested<Event>> = new Map(
  Object.entries(EVENTS).map(([type, table]) => [type, fields(table) as Digested<object>]),
);

/** The first rules version in which the digest covers all fields. */
const FULL_SINCE_EDITION = 3;

/** `edition` is the rules version that the journal follows. */
export function digestEvent(digest: EventDigest, event: Event, edition: number): void {
  const covered = edition < FULL_SINCE_EDITION ? FIRST_DIGEST[event.type] : undefined;
  if (covered !== undefined) return addFields(digest, event, covered);
  switch (event.type) {
    case "orderOpened":
      return orderOpened(digest, event);
    case "orderEnded":
      return orderEnded(digest, event);
    case "trade":
      return trade(digest, event);
    default:
      digest.mix(NUMBERS.get(event.type) as number);
      return (DIGESTS.get(event.type) as Digested<Event>)(digest, event);
  }
}

// The event digest of rules versions 1 and 2, which covers only some fields. Journals written under those versions
// contain such digests, so this part never changes, and no new event or field is added: later events are part of the
// full digest in any version.

type Covered = readonly (number | bigint | string)[];

const asset = ({ assetId }: { readonly assetId: number }) => [assetId];
const symbol = ({ symbolId }: { readonly symbolId: number }) => [symbolId];
const account = ({ accountId }: { readonly accountId: number }) => [accountId];
const userStream = (event: Event<"listenKeyOpened" | "listenKeyClosed">) => [event.accountId, event.listenKey];
const fillOf = ({ order, commission }: Fill) => [order.orderId, order.executedLots, commission];

/** The digested fields of each event that existed before rules version 3. */
const FIRST_DIGEST: { readonly [Type in Event["type"]]?: (event: Event<Type>) => Covered } = {
  rejected: ({ reason }) => [reason],
  done: () => [],
  rulesAdopted: ({ edition }) => [edition],
  orderOpened: ({ order }) => [order.orderId, order.quantityLots, order.priceTicks],
  trade: ({ tradeId, priceTicks, lots, quote, taker, maker }) => [
    tradeId,
    priceTicks,
    lots,
    quote,
    ...fillOf(taker),
    ...fillOf(maker),
  ],
  orderEnded: ({ order }) => [order.orderId, order.executedLots],
  orderListChanged: ({ list, listOrderStatus }) => [list.orderListId, listOrderStatus],
  cancelReplaced: ({ cancelReason, placeReason }) => [cancelReason ?? "", placeReason ?? ""],
  listenKeyOpened: userStream,
  listenKeyClosed: userStream,
  apiKeyCreated: ({ key }) => [key.apiKey],
  apiKeyDeleted: ({ apiKey }) => [apiKey],
  masterKeyBound: ({ keyCheck }) => [keyCheck],
  balanceMoved: ({ accountId, assetId, amount }) => [accountId, assetId, amount],
  assetListed: asset,
  symbolListed: symbol,
  symbolChanged: symbol,
  accountOpened: account,
  accountChanged: account,
  /** Omits the candles, because they are computed from these fields. */
  pastAdded: ({ symbolId, past }) => [symbolId, past.generator, past.seed, past.endMs, past.endTicks, past.dayLots],
  klinesImported: ({ symbolId, candles }) => [
    symbolId,
    ...candles.flatMap((candle) => {
      const { openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote } = candle;
      return [openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote];
    }),
  ],
  depositAddressAssigned: ({ address }) => [address.accountId, address.address],
  depositChanged: ({ deposit, status, moved, shortage }) => [deposit.depositId, status, moved, shortage],
  withdrawalChanged: ({ withdrawal, status, txId }) => [withdrawal.withdrawalId, status, withdrawal.amount, txId],
  transferred: ({ fromAccountId, toAccountId, assetId, amount }) => [fromAccountId, toAccountId, assetId, amount],
  dustConverted: ({ accountId, assetId, amount, received, charge }) => [accountId, assetId, amount, received, charge],
  dividendPaid: ({ accountId, assetId, amount }) => [accountId, assetId, amount],
  maintenanceChanged: ({ isOn }) => [isOn ? 1 : 0],
  apiTradingLocked: ({ accountId, untilMs }) => [accountId, untilMs],
  networkChanged: ({ network }) => [network],
};

function addFields(digest: EventDigest, event: Event, covered: (event: never) => Covered): void {
  digest.add(NUMBERS.get(event.type) as number);
  for (const value of covered(event as never)) {
    if (typeof value === "number") digest.add(value);
    else if (typeof value === "bigint") digest.addBig(value);
    else digest.addText(value);
  }
}
