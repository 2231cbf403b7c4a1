/**
 * The account's open orders and newest fills, combined from answers, snapshots and reports in any order of arrival
 * (Interface 2.2, 2.3, 6.3).
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { Throttle } from "../wire/throttle.ts";
import type { World } from "../wire/world.ts";
import { isOver, supersedes } from "./order-rows.ts";
import type { OrderRow } from "./port.ts";

// The open orders.

/** Orders that are over and are remembered, so that what comes late does not bring them back. */
export const MOST_OVER_KEPT = 2000;
export const LEAST_BETWEEN_ROWS_MS = 100;

type Named = Pick<OrderRow, "symbol" | "clientOrderId">;

export class OwnOrders {
  readonly #rows = signal<readonly OrderRow[]>([]);
  readonly #open = new Map<number, OrderRow>();
  readonly #over = new Map<number, OrderRow>();
  /** Being sent, refused, or unknown: by symbol and client order id. */
  readonly #pending = new Map<string, OrderRow>();
  readonly #throttle: Throttle;
  readonly #changed: (row: OrderRow) => void;

  /** `changed` is told of each order of which something new is known. */
  constructor(world: World, changed: (row: OrderRow) => void) {
    this.#changed = changed;
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => (this.#rows.value = this.#view()));
  }

  /** Newest first. */
  get rows(): ReadonlySignal<readonly OrderRow[]> {
    return this.#rows;
  }

  get open(): readonly OrderRow[] {
    return [...this.#open.values()];
  }

  close(): void {
    this.#throttle.stop();
  }

  /** The order as the node last reported it, open or over; undefined: it never did. */
  known({ symbol, clientOrderId }: Named): OrderRow | undefined {
    const isIt = (row: OrderRow): boolean => row.symbol === symbol && row.clientOrderId === clientOrderId;
    return [...this.#open.values()].find(isIt) ?? [...this.#over.values()].find(isIt);
  }

  withId(orderId: number): OrderRow | undefined {
    return this.#open.get(orderId) ?? this.#over.get(orderId);
  }

  /** An order of which the node has said nothing yet; shown at once. */
  pend(row: OrderRow): void {
    if (this.known(row) !== undefined) return;
    this.#pending.set(keyOf(row), row);
    this.#throttle.now();
  }

  dismiss(row: OrderRow): void {
    if (this.#pending.get(keyOf(row))?.state === "sending") return;
    if (this.#pending.delete(keyOf(row))) this.#throttle.now();
  }

  isPending(row: Named): boolean {
    return this.#pending.has(keyOf(row));
  }

  /** Takes in a report; one that is not newer than what is known changes nothing. */
  fold(row: OrderRow): void {
    const wasPending = this.#pending.delete(keyOf(row));
    const known = this.withId(row.orderId);
    if (known === undefined || supersedes(row, known)) {
      if (isOver(row)) this.#end(row);
      else this.#open.set(row.orderId, row);
      this.#changed(row);
    }
    if (wasPending) this.#throttle.now();
    else this.#throttle.ask();
  }

  #end(row: OrderRow): void {
    this.#open.delete(row.orderId);
    this.#over.set(row.orderId, row);
    const [oldest] = this.#over.keys();
    if (this.#over.size > MOST_OVER_KEPT && oldest !== undefined) this.#over.delete(oldest);
  }

  /** Shows at once what the user has just asked for. */
  show(): void {
    this.#throttle.now();
  }

  /** `rows` are open; all other orders in `asked` have ended without a report. */
  replace(rows: readonly OrderRow[], asked: readonly OrderRow[] = this.open): void {
    for (const { orderId } of asked) this.#open.delete(orderId);
    for (const row of rows) this.fold(row);
    this.#throttle.now();
  }

  #view(): readonly OrderRow[] {
    const rows = [...this.#pending.values(), ...this.#open.values()];
    return rows.sort((one, other) => other.timeMs - one.timeMs || other.orderId - one.orderId);
  }
}

const keyOf = ({ symbol, clientOrderId }: Named): string => `${symbol} ${clientOrderId}`;
