/** The course of a scenario: the curves and events that its report shows. */
import type { WatchRecord } from "@pricetime/protocol";
import { asNumber, type FillRecord, type OrderRecord, withoutZeros, type ScenarioState } from "./scenario-state.ts";

const DAY_MS = 86_400_000;

/** Formats the time since the start, for example `00:10:00`, with milliseconds unless they are zero. */
export function clockText(ms: number): string {
  const text = new Date(ms).toISOString().slice(11, 23);
  const days = Math.floor(ms / DAY_MS);
  return (days > 0 ? `${days}d ` : "") + (text.endsWith(".000") ? text.slice(0, 8) : text);
}

/** A value that holds from a time until the next point. */
export type Point = readonly [atMs: number, value: number];

/** An event of an account or a market, as text. Events are ordered by time. */
export interface Happening {
  readonly atMs: number;
  readonly text: string;
}

/** The maximum number of points of a curve. When it is reached, every other point is dropped. */
const MOST_POINTS = 20_000;
/** The maximum number of stored events. */
const MOST_HAPPENINGS = 20_000;

class Curve {
  readonly points: Point[] = [];
  #step = 1;
  #skipped = 0;

  add(atMs: number, value: number): void {
    const last = this.points.at(-1);
    if (last?.[1] === value) return;
    if (last !== undefined && last[0] === atMs) {
      this.points[this.points.length - 1] = [atMs, value];
      return;
    }
    if (++this.#skipped < this.#step) return;
    this.#skipped = 0;
    this.points.push([atMs, value]);
    if (this.points.length < MOST_POINTS) return;
    const thinned = this.points.filter((_, index) => index % 2 === 0);
    this.points.splice(0, this.points.length, ...thinned);
    this.#step *= 2;
  }
}

export class Course {
  readonly prices = new Map<string, Curve>();
  readonly equity = new Curve();
  readonly positions = new Map<string, Curve>();
  readonly orders: (OrderRecord & { readonly atMs: number })[] = [];
  readonly fills: (FillRecord & { readonly atMs: number })[] = [];
  readonly happenings: Happening[] = [];
  readonly #state: ScenarioState;
  readonly #bot: string;
  readonly #email: string;
  readonly #quote: string;

  /** `bot`: the name of the account whose curves are drawn. `email`: its email address. */
  constructor(
    state: ScenarioState,
    { bot, email, quote }: { readonly bot: string; readonly email: string; readonly quote: string },
  ) {
    [this.#state, this.#bot, this.#email, this.#quote] = [state, bot, email, quote];
  }

  take(record: WatchRecord): void {
    if (record.kind === "price") {
      const curve = this.prices.get(record.symbol) ?? new Curve();
      this.prices.set(record.symbol, curve);
      curve.add(record.atMs, Number(record.price));
    }
    if (record.kind === "status") this.#note(record.atMs, `${record.symbol} is ${record.status}`);
    if (!("account" in record) || record.account !== this.#email) return;
    if (record.kind === "order") this.orders.push(record);
    if (record.kind === "fill") this.fills.push(record);
    const text = textOf(record);
    if (text !== null) this.#note(record.atMs, text);
  }

  /** Called when all records of a journal entry were processed. */
  look(atMs: number): void {
    const account = this.#state.account(this.#bot);
    this.equity.add(atMs, asNumber(this.#state.equity(account, this.#quote)));
    for (const [asset, amount] of account.positions) {
      const curve = this.positions.get(asset) ?? new Curve();
      this.positions.set(asset, curve);
      curve.add(atMs, asNumber(amount));
    }
  }

  #note(atMs: number, text: string): void {
    if (this.happenings.length < MOST_HAPPENINGS) this.happenings.push({ atMs, text });
  }
}

/** Returns the text of a record; null if the report shows it in another way. */
function textOf(record: WatchRecord): string | null {
  switch (record.kind) {
    case "order":
      return `order ${record.orderId} ${record.side} ${withoutZeros(record.quantity)} ${record.symbol} at ${withoutZeros(record.price)}: ${record.status}${Number(record.executed) > 0 ? ` (${withoutZeros(record.executed)} executed)` : ""}`;
    case "refused":
      return `${record.method} ${record.endpoint} answered ${record.status}${record.code === null ? "" : ` ${record.code}`}: ${record.msg}`;
    case "moved":
      return `${Number(record.amount) > 0 ? "came in" : "went out"}: ${withoutZeros(record.amount)} ${record.asset}`;
    default:
      return null;
  }
}
