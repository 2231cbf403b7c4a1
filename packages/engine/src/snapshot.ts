/** Writes the state as bytes, restores it, and computes its hash. Equal states give equal bytes. */
import { assert, present } from "./assert.ts";
import { ByteReader, ByteWriter, MalformedBytes, type PieceSink } from "./bytes.ts";
import type { DiscountRules, SharedSetting } from "./entry/command.ts";
import type { PublishedProof } from "./entry/venue.ts";
import { EventDigest } from "./entry/digest.ts";
import { openMarket } from "./listing.ts";
import type { Market } from "./state/market/market.ts";
import { discountOf } from "./trading/commission.ts";
import { lockedBy } from "./trading/order-funds.ts";
import { wordAt } from "./entry/fields.ts";
import {
  type LegRecord,
  LIST_KINDS,
  type ListKind,
  type OrderListRecord,
  ordersOf,
  RULES_4_SINCE,
  RULES_5_SINCE,
  SIDES,
} from "./entry/order-record.ts";
import { Order } from "./state/order/order.ts";
import { SAVED_ORDER } from "./state/order/saved-order.ts";
import {
  isPending,
  type OrderList,
  type PairList,
  pairList,
  type PendingList,
  pendingList,
} from "./state/order/order-lists.ts";
import { type InterfaceName, INTERFACES, isKnownEdition } from "./entry/edition.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import type { SymbolScale } from "./numbers.ts";
import type { AssetSpec, SymbolSpec } from "./entry/symbol.ts";

/** The oldest layout that can be read. If a snapshot is older, the state is replayed from the journal. */
const FIRST_LAYOUT = 6;
/** The first layout with nodes and tasks, and with counts of orders. */
const NODES_SINCE = 7;
/** The first layout with the settings that all nodes share. */
const SETTINGS_SINCE = 8;
/** The first layout with operators, sign-in, suspensions and approval requests. */
const OPERATORS_SINCE = 9;
/** The current layout. It is raised when the layout changes: by the newest field of an order, or by hand. */
const LAYOUT = Math.max(RULES_5_SINCE, SAVED_ORDER.newest);

/** A part of the state. No two parts contain the same data. */
interface Part {
  readonly name: string;
  readonly save: (writer: ByteWriter) => void;
}

/** All parts, in the order of a snapshot. */
function* partsOf(state: ExchangeState, digest: EventDigest): Iterable<Part> {
  yield { name: "exchange", save: (writer) => saveExchange(writer, state, digest) };
  yield { name: "assets", save: (writer) => writer.text(JSON.stringify(state.assets.map(({ spec }) => spec))) };
  yield { name: "references", save: (writer) => state.moveReferences.save(writer) };
  yield { name: "accounts", save: (writer) => state.accounts.save(writer) };
  yield { name: "API keys", save: (writer) => state.apiKeys.save(writer) };
  yield { name: "master key", save: (writer) => writer.text(state.masterKeyCheck) };
  yield { name: "listen keys", save: (writer) => state.listenKeys.save(writer) };
  yield { name: "ledger", save: (writer) => state.ledger.save(writer) };
  yield { name: "funds", save: (writer) => state.funds.save(writer) };
  yield { name: "nodes", save: (writer) => state.nodes.save(writer) };
  yield { name: "order counts", save: (writer) => state.placedCounts.save(writer) };
  yield { name: "settings", save: (writer) => writer.text(JSON.stringify(state.sharedSettings)) };
  yield { name: "operators", save: (writer) => state.operators.save(writer) };
  yield { name: "passwords", save: (writer) => state.passwords.save(writer) };
  yield { name: "sessions", save: (writer) => state.sessions.save(writer) };
  yield { name: "invitations", save: (writer) => state.invitations.save(writer) };
  yield { name: "recoveries", save: (writer) => state.recoveries.save(writer) };
  yield { name: "letters", save: (writer) => state.notices.save(writer) };
  yield { name: "stops", save: (writer) => state.stops.save(writer) };
  yield { name: "proposals", save: (writer) => state.proposals.save(writer) };
  yield { name: "coins of nobody", save: (writer) => state.unknownDeposits.save(writer) };
  yield { name: "last proof", save: (writer) => writer.text(JSON.stringify(state.lastProof)) };
  yield { name: "withdrawal limits", save: (writer) => state.funds.withdrawalCounts.save(writer) };
  yield { name: "interface", save: (writer) => saveInterface(writer, state) };
  yield { name: "symbols", save: (writer) => writer.uint(state.markets.length) };
  for (const market of state.markets) {
    const { symbol } = market.spec;
    yield { name: `market ${symbol}`, save: (writer) => saveMarket(writer, market) };
    yield { name: `orders ${symbol}`, save: (writer) => saveOrders(writer, market) };
  }
  yield { name: "order lists", save: (writer) => saveOrderLists(writer, state) };
  yield { name: "discount", save: (writer) => writer.text(JSON.stringify(state.discount?.rules ?? null)) };
  // Only where it applies, so that all other snapshots have the bytes that they had without it.
  if (state.orderIds === "symbol") yield { name: "order numbers", save: (writer) => saveOrderNumbers(writer, state) };
}

export function saveState(state: ExchangeState, digest: EventDigest): Uint8Array {
  const writer = new ByteWriter();
  for (const { save } of partsOf(state, digest)) save(writer);
  return writer.bytes();
}

/**
 * Passes the bytes of `saveState` to `sink` in small pieces, because one buffer for all of them would be as large as
 * the state.
 */
export function saveStateInPieces(state: ExchangeState, digest: EventDigest, sink: PieceSink): void {
  const writer = new ByteWriter(sink);
  for (const { save } of partsOf(state, digest)) save(writer);
  writer.flush();
}

/** Passes the bytes of `saveState` to `sink`, each piece with the name of its part. */
export function saveStateInParts(
  state: ExchangeState,
  digest: EventDigest,
  sink: (part: string, piece: Uint8Array) => void,
): void {
  let part = "";
  const writer = new ByteWriter((piece) => sink(part, piece));
  for (const { name, save } of partsOf(state, digest)) {
    part = name;
    save(writer);
    writer.flush();
  }
}

function saveExchange(writer: ByteWriter, state: ExchangeState, digest: EventDigest): void {
  writer.uint(LAYOUT);
  writer.uint(state.edition);
  writer.uint(state.seq);
  writer.uint(state.nowMs);
  writer.uint(state.lastOrderId);
  writer.uint(state.lastOrderListId);
  writer.uint(state.releasedStops);
  writer.uint(state.eventCount);
  for (const lane of digest.lanes()) writer.uint(lane);
  writer.text(JSON.stringify(state.exchangeFilters));
}

/** The interface, and what the limits on orders have since there are two. */
function saveInterface(writer: ByteWriter, { interface: name, placedCounts }: ExchangeState): void {
  writer.text(name);
  writer.uint(placedCounts.fillCredits.taker);
  writer.uint(placedCounts.fillCredits.maker);
}

function restoreInterface(state: ExchangeState, reader: ByteReader): void {
  const name = reader.text() as InterfaceName;
  if (!INTERFACES.includes(name)) throw new MalformedBytes(`this release does not have the interface ${name}`);
  state.interface = name;
  state.placedCounts.fillCredits = { taker: reader.uint(), maker: reader.uint() };
}

/** After the symbols, which the rules name. */
function restoreDiscount(state: ExchangeState, reader: ByteReader): void {
  const rules = JSON.parse(reader.text()) as DiscountRules | null;
  const discount = rules === null ? null : discountOf(state, rules);
  assert(typeof discount !== "string", "assets and symbols stay listed");
  state.discount = discount;
}

/** The last part of a snapshot, if orders are numbered by symbol. */
function saveOrderNumbers(writer: ByteWriter, { orderIds, markets }: ExchangeState): void {
  writer.text(orderIds);
  for (const { lastOrderNumber } of markets) writer.uint(lastOrderNumber);
}

function restoreOrderNumbers(state: ExchangeState, reader: ByteReader): void {
  const scope = reader.text();
  if (scope !== "symbol") throw new MalformedBytes(`orders are numbered by ${scope}, not by symbol`);
  state.orderIds = scope;
  for (const market of state.markets) market.lastOrderNumber = reader.uint();
}

function saveMarket(writer: ByteWriter, market: Market): void {
  writer.text(JSON.stringify({ spec: market.spec, scale: market.scale }));
  market.save(writer);
  market.saveDelisting(writer);
}

function saveOrders(writer: ByteWriter, market: Market): void {
  for (const side of SIDES) {
    for (const order of market.book.orders(side)) saveOrder(writer, market, order);
    writer.uint(0);
  }
  for (const order of market.triggers.orders()) saveOrder(writer, market, order);
  writer.uint(0);
}

/** Whether this release would write a snapshot of the same state with the same bytes. */
export function isOfNewestLayout(bytes: Uint8Array): boolean {
  return new ByteReader(bytes).uint() === LAYOUT;
}

export function restoreState(state: ExchangeState, digest: EventDigest, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const layout = reader.uint();
  if (layout < FIRST_LAYOUT || layout > LAYOUT) {
    throw new MalformedBytes(`snapshot layout ${layout} is not ${LAYOUT}`);
  }
  state.edition = knownEdition(reader.uint());
  state.seq = reader.uint();
  state.nowMs = reader.uint();
  state.lastOrderId = reader.uint();
  state.lastOrderListId = reader.uint();
  if (layout >= RULES_5_SINCE) state.releasedStops = reader.uint();
  state.eventCount = reader.uint();
  digest.setLanes(reader.uint(), reader.uint());
  state.setExchangeFilters(JSON.parse(reader.text()));
  for (const spec of JSON.parse(reader.text()) as AssetSpec[]) {
    state.putAsset({ assetId: state.assets.length, spec });
  }
  const hasContents = layout >= RULES_4_SINCE;
  state.moveReferences.load(reader, hasContents);
  state.accounts.load(reader);
  state.apiKeys.load(reader);
  state.masterKeyCheck = reader.text();
  state.listenKeys.load(reader);
  state.ledger.load(reader);
  state.funds.load(reader, hasContents);
  if (layout >= NODES_SINCE) {
    state.nodes.load(reader);
    state.placedCounts.load(reader);
  }
  if (layout >= SETTINGS_SINCE) state.sharedSettings = JSON.parse(reader.text()) as SharedSetting[];
  if (layout >= OPERATORS_SINCE) restoreVenue(state, reader, hasContents);
  if (layout >= RULES_4_SINCE) state.funds.withdrawalCounts.load(reader);
  if (layout >= RULES_5_SINCE) restoreInterface(state, reader);
  for (let left = reader.uint(); left > 0; left--) restoreMarket(state, reader, layout);
  restoreOrderLists(state, reader, layout);
  if (layout >= RULES_5_SINCE) restoreDiscount(state, reader);
  if (!reader.atEnd) restoreOrderNumbers(state, reader);
  if (!reader.atEnd) throw new MalformedBytes("bytes left over after the snapshot");
}

function restoreVenue(state: ExchangeState, reader: ByteReader, hasContents: boolean): void {
  state.operators.load(reader);
  state.passwords.load(reader);
  state.sessions.load(reader);
  state.invitations.load(reader);
  state.recoveries.load(reader);
  state.notices.load(reader);
  state.stops.load(reader);
  state.proposals.load(reader);
  state.unknownDeposits.load(reader, hasContents);
  state.lastProof = JSON.parse(reader.text()) as PublishedProof | null;
}

function knownEdition(edition: number): number {
  if (!isKnownEdition(edition)) throw new MalformedBytes(`this release does not know edition ${edition} of the rules`);
  return edition;
}

function restoreMarket(state: ExchangeState, reader: ByteReader, layout: number): void {
  const { spec, scale } = JSON.parse(reader.text()) as { spec: SymbolSpec; scale: SymbolScale };
  const market = openMarket(state, spec, scale);
  assert(typeof market !== "string", "a listed symbol can be listed again");
  market.load(reader, layout);
  if (layout >= RULES_4_SINCE) market.loadDelisting(reader);
  state.dueMarkets.update(market);
  for (const side of SIDES) {
    for (let orderId = reader.uint(); orderId !== 0; orderId = reader.uint()) {
      const { order } = loadOrder(reader, layout, orderId, market);
      if (order.side !== side) throw new MalformedBytes("an order on the wrong side");
      market.book.add(order);
      state.orders.add(order);
    }
  }
  for (let orderId = reader.uint(); orderId !== 0; orderId = reader.uint()) {
    const { order, extremeTicks } = loadOrder(reader, layout, orderId, market);
    market.triggers.add(order, extremeTicks);
    state.orders.add(order);
  }
}

function saveOrderLists(writer: ByteWriter, state: ExchangeState): void {
  writer.uint(state.orderLists.size);
  for (const list of state.orderLists.all()) {
    const { orderListId, listClientOrderId, timeMs, symbolId, kind = "OCO", orders } = list.record;
    writer.uint(orderListId);
    writer.text(listClientOrderId);
    writer.uint(timeMs);
    writer.u8(LIST_KINDS.indexOf(kind));
    for (const { orderId } of orders) writer.uint(orderId);
    if (kind === "OCO") continue;
    const { held, pending } = isPending(list) ? list : PLACED;
    // The working order of a pair is no longer open.
    writer.text((orders[0] as LegRecord).clientOrderId);
    writer.big(held);
    for (const order of pending) saveOrder(writer, state.marketOf(symbolId), order);
    writer.uint(0);
  }
}

const PLACED: Pick<PendingList, "held" | "pending"> = { held: 0n, pending: [] };

function restoreOrderLists(state: ExchangeState, reader: ByteReader, layout: number): void {
  for (let left = reader.uint(); left > 0; left--) {
    const head = { orderListId: reader.uint(), listClientOrderId: reader.text(), timeMs: reader.uint() };
    const kind = layout >= RULES_5_SINCE ? wordAt(LIST_KINDS, reader.u8()) : "OCO";
    const list = kind === "OCO" ? restorePair(state, reader, head) : restoreOto(state, reader, head, kind, layout);
    state.orderLists.add(list);
  }
}

type ListHead = Pick<OrderListRecord, "orderListId" | "listClientOrderId" | "timeMs">;

function openLeg(state: ExchangeState, orderId: number): Order {
  return present(state.orders.get(orderId), "the orders of a list are open");
}

function restorePair(state: ExchangeState, reader: ByteReader, head: ListHead): PairList {
  const [stopLeg, limitLeg] = [openLeg(state, reader.uint()), openLeg(state, reader.uint())];
  const { accountId, symbolId } = stopLeg;
  return pairList({ ...head, accountId, symbolId }, stopLeg, limitLeg);
}

function restoreOto(
  state: ExchangeState,
  reader: ByteReader,
  head: ListHead,
  kind: ListKind,
  layout: number,
): OrderList {
  const ids = Array.from({ length: ordersOf(kind) }, () => reader.uint()) as [number, number, number?];
  const [workingId, stopId, limitId = 0] = ids;
  const working: LegRecord = { orderId: workingId, clientOrderId: reader.text() };
  const held = reader.big();
  const { accountId, symbolId } = openLegOf(state, ids);
  const placed = { ...head, accountId, symbolId, kind };
  const pending = restorePending(state, reader, layout, state.marketOf(symbolId));
  if (pending.length > 0) return pendingList(placed, openLeg(state, workingId), pending, held);
  const [stopLeg, limitLeg] = [openLeg(state, stopId), openLeg(state, limitId)];
  return pairList({ ...placed, orders: [working, stopLeg, limitLeg] }, stopLeg, limitLeg);
}

/** Any open order of the list. */
function openLegOf(state: ExchangeState, ids: readonly (number | undefined)[]): Order {
  const open = ids.map((orderId) => state.orders.get(orderId ?? 0)).find((order) => order !== undefined);
  return present(open, "an executing list has open orders");
}

function restorePending(state: ExchangeState, reader: ByteReader, layout: number, market: Market): Order[] {
  const pending: Order[] = [];
  for (let orderId = reader.uint(); orderId !== 0; orderId = reader.uint()) {
    const { order } = loadOrder(reader, layout, orderId, market);
    state.orders.add(order);
    pending.push(order);
  }
  return pending;
}

function saveOrder(writer: ByteWriter, market: Market, order: Order): void {
  writer.uint(order.orderId);
  SAVED_ORDER.write(writer, order);
  writer.big(lockedBy(market, order));
}

interface LoadedOrder {
  readonly order: Order;
  /** The extreme of a trailing stop; otherwise 0. */
  readonly extremeTicks: number;
}

function loadOrder(reader: ByteReader, layout: number, orderId: number, market: Market): LoadedOrder {
  const saved = SAVED_ORDER.read(reader, layout);
  const terms = market.termsOf(saved.side, saved.type, saved.timeInForce, saved.later?.selfTradePrevention);
  const order = Order.restored(orderId, saved, terms, reader.big());
  return { order, extremeTicks: saved.later?.trailing?.extremeTicks ?? 0 };
}

// The hash of the state: one hash of each part, from its bytes in a snapshot, and one of all parts together. Each has
// two lanes of 32 bits and is not cryptographic. A hash reads the whole state, so it is computed only on request.

export interface PartHash {
  readonly part: string;
  /** 16 hex digits. */
  readonly hash: string;
}

export interface StateHash {
  /** 16 hex digits, over the names and hashes of all parts. */
  readonly hash: string;
  readonly parts: readonly PartHash[];
}

/**
 * Hashes the parts of a state. `pieces` passes the bytes of all parts to its sink, the pieces of each part in order.
 */
export function hashParts(pieces: (sink: (part: string, piece: Uint8Array) => void) => void): StateHash {
  const hashes = new Map<string, BytesHash>();
  let last = "";
  let current = new BytesHash();
  pieces((part, piece) => {
    if (part !== last) {
      current = new BytesHash();
      hashes.set(part, current);
      last = part;
    }
    current.add(piece);
  });
  const parts = [...hashes].map(([part, of]) => ({ part, hash: of.toString() }));
  const whole = new EventDigest();
  for (const { part, hash } of parts) whole.addText(`${part} ${hash}`);
  return { hash: whole.toString(), parts };
}

/** The names of the parts that differ between the two hashes, or that only one of them has. */
export function differingParts(one: StateHash, other: StateHash): readonly string[] {
  const hashesOf = ({ parts }: StateHash): ReadonlyMap<string, string> =>
    new Map(parts.map(({ part, hash }) => [part, hash]));
  const [ours, theirs] = [hashesOf(one), hashesOf(other)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter((part) => ours.get(part) !== theirs.get(part));
}

/** Hashes a sequence of bytes, four per word, regardless of the sizes of the pieces. */
class BytesHash {
  readonly #digest = new EventDigest();
  #word = 0;
  #count = 0;

  add(piece: Uint8Array): void {
    let word = this.#word;
    let count = this.#count;
    for (const byte of piece) {
      word |= byte << ((count & 3) * 8);
      if ((++count & 3) !== 0) continue;
      this.#digest.mix(word);
      word = 0;
    }
    this.#word = word;
    this.#count = count;
  }

  toString(): string {
    this.#digest.mix(this.#word);
    this.#digest.add(this.#count);
    return this.#digest.toString();
  }
}
