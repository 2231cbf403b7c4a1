/**
 * Shared code of placing, canceling and moving orders: the account's credentials, orders and notices, and queries after a lost
 * response.
 */
import type { Query, World } from "../wire/world.ts";
import type { OrderRecord } from "@pricetime/protocol";
import { formatShort, parseDecimal } from "../exact/decimal.ts";
import { grouped, showTrailing } from "../exact/shown.ts";
import { ACCOUNT } from "../words/words.ts";
import { RECV_WINDOW_MS, refusalOf, Refused, type Rest, type Access } from "../wire/rest.ts";
import { waitBefore } from "../wire/pacing.ts";
import { type OwnOrders, rowOfOrder, trailingState } from "./own-orders.ts";
import type { Notice, OrderRow, Refusal } from "./port.ts";
import { effect, type ReadonlySignal, signal } from "@preact/signals";

export interface TradingParts {
  readonly rest: Rest;
  readonly world: World;
  readonly access: Access;
  readonly orders: OwnOrders;
  readonly notices: Notices;
  /** Whether the user data stream is open, so that it reports changes of orders. */
  readonly isLive: () => boolean;
  /** Whether the account is still signed in. */
  readonly isWanted: () => boolean;
}

const NO_SUCH_ORDER = -2013;
/**
 * After this time, a request that has not been executed never will be: the receive window plus a margin for clock
 * differences and queues.
 */
const NEVER_AFTER_MS = RECV_WINDOW_MS + 5000;
const FIRST_ASK_MS = 400;
const LONGEST_ASK_MS = 15_000;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ID_LETTERS = 18;

/** Returns a unique client order ID. */
export function newOrderName({ world }: TradingParts): string {
  const letters = Array.from(world.randomBytes(ID_LETTERS), (byte) => LETTERS[byte % LETTERS.length]);
  return `web-${letters.join("")}`;
}

/**
 * Shows the order as unknown and queries it until its state is known. Resolves to null if the node accepted the order,
 * otherwise to the reason.
 */
export async function resolveUnknown(parts: TradingParts, row: OrderRow, refusal: Refusal): Promise<Refusal | null> {
  const { rest, world, access, orders, notices, isWanted } = parts;
  const sinceMs = world.elapsedMs();
  if (orders.known(row) !== undefined) return null;
  orders.pend({ ...row, state: "unknown" });
  notices.notify("bad", ACCOUNT.unknown(describe(row), refusal.message), noticeKey(row));
  for (let attempt = 0; ; attempt++) {
    await pause(world, waitBefore(attempt, world, FIRST_ASK_MS, LONGEST_ASK_MS));
    if (!isWanted()) return refusal;
    // The stream may have reported the order in the meantime.
    if (orders.known(row) !== undefined) break;
    try {
      const { symbol, clientOrderId } = row;
      const answer = await rest.authorized<OrderRecord>("GET", "/api/v3/order", access, {
        symbol,
        origClientOrderId: clientOrderId,
      });
      orders.fold(rowOfOrder(answer));
      break;
    } catch (error) {
      const isTooLate = world.elapsedMs() - sinceMs > NEVER_AFTER_MS;
      if (refusalOf(error).code !== NO_SUCH_ORDER || !isTooLate) continue;
      orders.drop(row);
      notices.retract(noticeKey(row));
      return new Refused(ACCOUNT.neverArrived, { code: NO_SUCH_ORDER, isUnknown: false });
    }
  }
  notices.notify("good", ACCOUNT.foundPlaced(describe(row)), noticeKey(row));
  return null;
}

/** Queries an order with a known ID until the node responds. Resolves to null if the node does not return the order. */
export async function stateOf(parts: TradingParts, { symbol, orderId }: OrderRow): Promise<OrderRow | null> {
  const answer = await queryUntilAnswered<OrderRecord>(parts, "/api/v3/order", { symbol, orderId });
  if (answer === null) return null;
  const row = rowOfOrder(answer);
  parts.orders.fold(row);
  return row;
}

const ACTIVATION_EVERY_MS = 5000;

/** An order in which each order has its own place: orders of two symbols may have the same ID. */
const inTurn = (one: OrderRow, other: OrderRow): number =>
  one.orderId - other.orderId || one.symbol.localeCompare(other.symbol);

/**
 * Queries the open trailing stops that wait for their stop price, one at a time: no event reports that an order begins
 * to follow the price. The returned function stops this.
 */
export function watchActivations(parts: TradingParts): () => void {
  const { orders, world } = parts;
  let cancelTimer: (() => void) | null = null;
  let last: OrderRow | undefined;
  const waiting = (rows: readonly OrderRow[]): readonly OrderRow[] =>
    rows.filter((row) => row.state === "known" && trailingState(row) === "waiting").toSorted(inTurn);
  const query = async (): Promise<void> => {
    const all = waiting(orders.open);
    const next = all.find((row) => last === undefined || inTurn(row, last) > 0) ?? all[0];
    if (next !== undefined) {
      last = next;
      await stateOf(parts, next);
    }
    cancelTimer = null;
    schedule(orders.open);
  };
  const schedule = (rows: readonly OrderRow[]): void => {
    if (cancelTimer !== null || waiting(rows).length === 0 || !parts.isWanted()) return;
    cancelTimer = world.after(ACTIVATION_EVERY_MS, () => void query()); // `stateOf` never rejects.
  };
  const stop = effect(() => schedule(orders.rows.value));
  return () => {
    stop();
    cancelTimer?.();
  };
}

/**
 * Repeats a query until the node responds. Resolves to null if the node rejects the query, or the user has signed out.
 */
export async function queryUntilAnswered<Answer>(
  parts: TradingParts,
  path: string,
  parameters: Query,
): Promise<Answer | null> {
  const { rest, world, access, isWanted } = parts;
  for (let attempt = 0; isWanted(); attempt++) {
    try {
      return await rest.authorized<Answer>("GET", path, access, parameters);
    } catch (error) {
      const { isUnknown, retryAfterMs } = refusalOf(error);
      if (!isUnknown && retryAfterMs === null) return null;
      await pause(world, Math.max(retryAfterMs ?? 0, waitBefore(attempt, world, FIRST_ASK_MS, LONGEST_ASK_MS)));
    }
  }
  return null;
}

function pause(world: World, delayMs: number): Promise<void> {
  return new Promise((done) => void world.after(delayMs, done));
}

/** A short description of an order, such as "Buy 0.5 BTCUSDT at 20,000". */
export function describe({ side, origQty, symbol, price, stopPrice, trailingDelta }: OrderRow): string {
  const trailing = trailingDelta === undefined ? "" : showTrailing(trailingDelta);
  return ACCOUNT.order(side, short(origQty), symbol, short(price), short(stopPrice), trailing);
}

/** The key of an order's notices: its latest replaces the one before. */
export const noticeKey = ({ symbol, clientOrderId }: Pick<OrderRow, "symbol" | "clientOrderId">): string =>
  `${symbol} ${clientOrderId}`;

/** Formats a number without trailing zeros. Returns "" for zero. */
function short(text: string): string {
  const value = parseDecimal(text);
  return value === null || value.units === 0n ? "" : grouped(formatShort(value));
}

// Notices: actions and their outcome.

const MOST_NOTICES = 50;

export class Notices {
  readonly #world: World;
  readonly #lines = signal<readonly Notice[]>([]);
  /** The notices, newest first. */
  readonly lines: ReadonlySignal<readonly Notice[]> = this.#lines;
  #lastId = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds a notice. A notice with the same key is removed, so that an order has one notice with its latest state. */
  notify(tone: Notice["tone"], text: string, key = ""): void {
    const line = { id: ++this.#lastId, tone, text, key, timeMs: this.#world.nowMs() };
    this.#lines.value = [line, ...this.#without(key)].slice(0, MOST_NOTICES);
  }

  /** Removes the notice with this key. */
  retract(key: string): void {
    this.#lines.value = this.#without(key);
  }

  #without(key: string): readonly Notice[] {
    return key === "" ? this.#lines.value : this.#lines.value.filter((line) => line.key !== key);
  }
}
