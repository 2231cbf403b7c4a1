/**
 * The account's open orders and latest fills, combined from responses, snapshots and execution reports, which may
 * arrive in any order (Interface 2.2, 2.3, 6.3).
 */
import { compare, type Decimal, decimal, isZero, subtract } from "../exact/decimal.ts";
import { waits } from "../rules/draft.ts";
import type { Fill, OrderDraft, OrderRow } from "./port.ts";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { AccountTrade, OrderRecord, ResultResponse, Side } from "@pricetime/protocol";
import { Throttle } from "../wire/pacing.ts";
import type { World } from "../wire/world.ts";

// Converts orders of all responses and execution reports to `OrderRow`.

const ZERO_TEXT = "0.00000000";
const OVER: readonly string[] = ["FILLED", "CANCELED", "EXPIRED", "EXPIRED_IN_MATCH", "REJECTED"];

/**
 * The RESULT response to a placed order, or the response to a cancel, where `clientOrderId` is the ID of the cancel.
 */
export interface ResultAnswer extends Omit<ResultResponse, "origQty"> {
  /** Absent for a pending order that sells what its working order buys. */
  readonly origQty?: string;
  readonly origClientOrderId?: string;
}

/** The response to a placed or canceled order list. */
export interface ListAnswer {
  readonly orderListId: number;
  readonly orderReports: readonly ResultAnswer[];
}

type Texts = "s" | "c" | "C" | "o" | "f" | "q" | "p" | "P" | "F" | "x" | "X" | "l" | "z" | "L" | "n" | "Z" | "Y";
type Numbers = "g" | "i" | "T" | "t" | "O";
/** The taken price of a pegged order, the prevented quantity, and why the order expired. */
type LaterTexts = "gp" | "A" | "eR";
/** A trailing stop's distance, and when it began to follow the price; a peg's offset; the strategy and its type. */
type LaterNumbers = "d" | "D" | "gOV" | "j" | "J";
type Fields = Record<Texts, string> & Record<Numbers, number>;

export interface ReportEvent
  extends Readonly<Fields & Partial<Record<LaterTexts, string> & Record<LaterNumbers, number>>> {
  readonly e: "executionReport";
  readonly S: Side;
  readonly N: string | null;
  readonly w: boolean;
  readonly m: boolean;
  readonly gP?: OrderRow["pegPriceType"];
  readonly V?: OrderRow["selfTradePreventionMode"];
}

const KNOWN = { state: "known" } as const;

export function rowOfOrder(answer: OrderRecord): OrderRow {
  const { time, updateTime, isWorking } = answer;
  return { ...commonOf(answer), isWorking, timeMs: time, updateTimeMs: updateTime, ...KNOWN };
}

/**
 * `before` is the row known so far, if any. It has the time at which the order was placed, which the response lacks.
 */
export function rowOfResult(answer: ResultAnswer, before: OrderRow | undefined): OrderRow {
  const { transactTime, origClientOrderId, clientOrderId } = answer;
  return {
    ...commonOf(answer),
    clientOrderId: origClientOrderId ?? clientOrderId,
    isWorking: before?.isWorking ?? !(waits(answer.type) || isPending(answer)),
    timeMs: before === undefined || before.orderId === 0 ? transactTime : before.timeMs,
    updateTimeMs: transactTime,
    ...KNOWN,
  };
}

function commonOf(
  answer: OrderRecord | ResultAnswer,
): Omit<OrderRow, "isWorking" | "timeMs" | "updateTimeMs" | "state"> {
  const { symbol, orderId, orderListId, clientOrderId, side, type, timeInForce } = answer;
  const { origQty = ZERO_TEXT, executedQty, cummulativeQuoteQty, status, expiryReason } = answer;
  return {
    ...{ symbol, orderId, orderListId, clientOrderId, side, type, timeInForce },
    ...{ origQty, executedQty, cummulativeQuoteQty, status, expiryReason },
    price: priceInEffect(side, answer.price, answer.peggedPrice),
    stopPrice: answer.stopPrice ?? ZERO_TEXT,
    icebergQty: answer.icebergQty ?? ZERO_TEXT,
    ...{ preventedQuantity: answer.preventedQuantity, selfTradePreventionMode: answer.selfTradePreventionMode },
    ...{ strategyId: answer.strategyId, strategyType: answer.strategyType },
    ...{ trailingDelta: answer.trailingDelta, trailingTime: answer.trailingTime },
    ...{ pegPriceType: answer.pegPriceType, pegOffsetValue: answer.pegOffsetValue },
  };
}

/** For a pegged order, the less aggressive of its own price and the one that it has taken. */
function priceInEffect(side: Side, price: string, peggedPrice: string | undefined): string {
  if (peggedPrice === undefined) return price;
  const [own, pegged] = [decimal(price), decimal(peggedPrice)];
  return isZero(own) || compare(own, pegged) > 0 === (side === "BUY") ? peggedPrice : price;
}

export function rowOfReport(event: ReportEvent): OrderRow {
  return {
    ...{ symbol: event.s, orderId: event.i, orderListId: event.g, side: event.S, type: event.o },
    // For a cancel, `c` is the ID of the cancel, and `C` the ID of the order; for an amendment, `C` is the old ID.
    clientOrderId: event.C === "" || event.x === "REPLACED" ? event.c : event.C,
    ...{ timeInForce: event.f, stopPrice: event.P, icebergQty: event.F, origQty: event.q },
    price: priceInEffect(event.S, event.p, event.gp),
    ...{ executedQty: event.z, preventedQuantity: event.A, cummulativeQuoteQty: event.Z },
    ...{ status: event.X, expiryReason: event.eR, isWorking: event.w },
    ...{ trailingDelta: event.d, trailingTime: event.D },
    ...{ pegPriceType: event.gP, pegOffsetValue: event.gOV },
    ...{ selfTradePreventionMode: event.V, strategyId: event.j, strategyType: event.J },
    ...{ timeMs: event.O, updateTimeMs: event.T, ...KNOWN },
  };
}

/** A row for an order that is being sent, with the requested values. */
export function rowOfDraft(draft: OrderDraft, clientOrderId: string, nowMs: number): OrderRow {
  return {
    ...{ orderId: 0, clientOrderId, orderListId: -1, symbol: draft.symbol, side: draft.side, type: draft.type },
    timeInForce: draft.timeInForce ?? "GTC",
    price: draft.price ?? ZERO_TEXT,
    stopPrice: draft.stopPrice ?? ZERO_TEXT,
    icebergQty: draft.icebergQty ?? ZERO_TEXT,
    ...(draft.trailingDelta !== undefined && { trailingDelta: Number(draft.trailingDelta), trailingTime: -1 }),
    pegPriceType: draft.pegPriceType,
    ...(draft.pegOffsetValue !== undefined && { pegOffsetValue: Number(draft.pegOffsetValue) }),
    origQty: draft.quantity ?? ZERO_TEXT,
    ...{ executedQty: ZERO_TEXT, cummulativeQuoteQty: ZERO_TEXT, status: "NEW", isWorking: false },
    ...{ timeMs: nowMs, updateTimeMs: nowMs, state: "sending" },
  };
}

/** The quantity that the order can still trade. */
export function remainingOf(row: Pick<OrderRow, "origQty" | "executedQty" | "preventedQuantity">): Decimal {
  const unfilled = subtract(decimal(row.origQty), decimal(row.executedQty));
  return row.preventedQuantity === undefined ? unfilled : subtract(unfilled, decimal(row.preventedQuantity));
}

/**
 * Whether an order is a trailing stop that waits for its stop price, or follows the price; null for other orders, and
 * for one that is not placed yet.
 */
export function trailingState(order: OrderRow): "waiting" | "following" | null {
  const { trailingDelta, trailingTime = -1, isWorking } = order;
  if (trailingDelta === undefined || isWorking || isOver(order) || isPending(order)) return null;
  return trailingTime === -1 ? "waiting" : "following";
}

/** Whether the order waits until the working order of its list is filled. */
export const isPending = ({ status }: Pick<OrderRow, "status">): boolean => status === "PENDING_NEW";

export const isOver = ({ status }: Pick<OrderRow, "status">): boolean => OVER.includes(status);

/**
 * Whether `next` is not older than `known`. Late messages are recognized, because an order's filled quantity never
 * decreases.
 */
function supersedes(next: OrderRow, known: OrderRow): boolean {
  if (isOver(known)) return false;
  if (isOver(next)) return true;
  // The response to the placement may arrive after the report of the release, and has the same time if both are of one trade.
  if (isPending(next) !== isPending(known)) return isPending(known);
  const turn = compare(decimal(next.executedQty), decimal(known.executedQty));
  return turn === 0 ? next.updateTimeMs >= known.updateTimeMs : turn > 0;
}

// The open orders of the account.

/** Maximum number of closed orders to remember, so that late messages do not show them as open again. */
export const MOST_CLOSED_REMEMBERED = 2000;
export const LEAST_BETWEEN_ROWS_MS = 100;

type Named = Pick<OrderRow, "symbol" | "clientOrderId">;

export class OwnOrders {
  readonly #rows = signal<readonly OrderRow[]>([]);
  /** Open and pending orders, newest first. */
  readonly rows: ReadonlySignal<readonly OrderRow[]> = this.#rows;
  /** The keys are symbol and order ID, because orders of two symbols may have the same ID. */
  readonly #open = new Map<string, OrderRow>();
  readonly #over = new Map<string, OrderRow>();
  /** Orders that are being sent or have an unknown outcome, by symbol and client order ID. */
  readonly #pending = new Map<string, OrderRow>();
  readonly #throttle: Throttle;
  readonly #changed: (row: OrderRow) => void;

  /** `changed` is called with each row that has changed. */
  constructor(world: World, changed: (row: OrderRow) => void) {
    this.#changed = changed;
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => (this.#rows.value = this.#view()));
  }

  get open(): readonly OrderRow[] {
    return [...this.#open.values()];
  }

  close(): void {
    this.#throttle.stop();
  }

  /** The open or closed order as the node last reported it; undefined if the node has not reported it. */
  known({ symbol, clientOrderId }: Named): OrderRow | undefined {
    const isIt = (row: OrderRow): boolean => row.symbol === symbol && row.clientOrderId === clientOrderId;
    return [...this.#open.values()].find(isIt) ?? [...this.#over.values()].find(isIt);
  }

  withId(order: Numbered): OrderRow | undefined {
    const id = idOf(order);
    return this.#open.get(id) ?? this.#over.get(id);
  }

  /** Shows an order at once, before the node has responded. */
  pend(row: OrderRow): void {
    if (this.known(row) !== undefined) return;
    this.#pending.set(keyOf(row), row);
    this.#throttle.now();
  }

  /** Removes an order that the node has not accepted. */
  drop(row: Named): void {
    if (this.#pending.delete(keyOf(row))) this.#throttle.now();
  }

  isPending(row: Named): boolean {
    return this.#pending.has(keyOf(row));
  }

  /** Applies a reported order. Reports older than the known state are ignored. */
  fold(row: OrderRow): void {
    const wasPending = this.#pending.delete(keyOf(row));
    const known = this.withId(row);
    if (known === undefined || supersedes(row, known)) {
      if (isOver(row)) this.#end(row);
      else this.#open.set(idOf(row), row);
      this.#changed(row);
    }
    if (wasPending) this.#throttle.now();
    else this.#throttle.ask();
  }

  #end(row: OrderRow): void {
    this.#open.delete(idOf(row));
    this.#over.set(idOf(row), row);
    const [oldest] = this.#over.keys();
    if (this.#over.size > MOST_CLOSED_REMEMBERED && oldest !== undefined) this.#over.delete(oldest);
  }

  /** Publishes the rows without delay, after a change that the user requested. */
  show(): void {
    this.#throttle.now();
  }

  /** Replaces open orders by a snapshot. Orders in `requested` that are not in `rows` have closed and are removed. */
  replace(rows: readonly OrderRow[], requested: readonly OrderRow[] = this.open): void {
    for (const row of requested) this.#open.delete(idOf(row));
    for (const row of rows) this.fold(row);
    this.#throttle.now();
  }

  #view(): readonly OrderRow[] {
    const rows = [...this.#pending.values(), ...this.#open.values()];
    return rows.sort((one, other) => other.timeMs - one.timeMs || other.orderId - one.orderId);
  }
}

type Numbered = Pick<OrderRow, "symbol" | "orderId">;

const idOf = ({ symbol, orderId }: Numbered): string => `${symbol} ${orderId}`;
const keyOf = ({ symbol, clientOrderId }: Named): string => `${symbol} ${clientOrderId}`;

// The account's latest fills, from the stream and from requests for the selected market.

const MOST_FILLS = 1000;

export class OwnFills {
  readonly #shown = signal<readonly Fill[]>([]);
  /** The latest fills, newest first. */
  readonly shown: ReadonlySignal<readonly Fill[]> = this.#shown;
  /** Fills by symbol, trade ID and side. The side is needed because a self-trade causes two fills. */
  readonly #fills = new Map<string, Fill>();
  readonly #throttle: Throttle;

  constructor(world: World) {
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => this.#show());
  }

  close(): void {
    this.#throttle.stop();
  }

  add(fills: readonly Fill[]): void {
    for (const fill of fills) this.#fills.set(fillKey(fill), fill);
    this.#throttle.ask();
  }

  #show(): void {
    const all = [...this.#fills.values()].sort(newestFirst);
    for (const fill of all.slice(MOST_FILLS)) this.#fills.delete(fillKey(fill));
    this.#shown.value = all.slice(0, MOST_FILLS);
  }
}

export const fillKey = ({ symbol, tradeId, side }: Fill): string => `${symbol} ${tradeId} ${side}`;

function newestFirst(one: Fill, other: Fill): number {
  return other.timeMs - one.timeMs || other.tradeId - one.tradeId;
}

export function fillOfAnswer(answer: AccountTrade): Fill {
  const { symbol, id, orderId, price, qty, quoteQty, commission, commissionAsset, isMaker, time, isBuyer } = answer;
  return {
    ...{ symbol, tradeId: id, orderId, side: isBuyer ? "BUY" : "SELL", price, quantity: qty },
    ...{ quoteQuantity: quoteQty, commission, commissionAsset, isMaker, timeMs: time },
  };
}

export function fillOfReport(event: ReportEvent): Fill {
  return {
    ...{ symbol: event.s, tradeId: event.t, orderId: event.i, side: event.S, price: event.L, quantity: event.l },
    ...{ quoteQuantity: event.Y, commission: event.n, commissionAsset: event.N ?? "" },
    ...{ isMaker: event.m, timeMs: event.T },
  };
}
