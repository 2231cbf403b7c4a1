/**
 * Counts of each account's orders in the windows of the order rate limits. Windows follow the calendar: a one-minute
 * window is a minute of the clock. Counts of windows that have ended are removed, which has no visible effect. The first
 * fill of an order takes `fillCredits` off the counts.
 */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { FillCredits, OrderLimit } from "../../entry/command.ts";

/** For each rule in order: the number of the last counted window, then the orders in it. */
type Counts = number[];

/** Fills do not change the counts. */
export const NO_FILL_CREDITS: FillCredits = { taker: 0, maker: 0 };

/** After this many added accounts, the table removes the accounts whose windows have all ended. */
const LOOK_AFTER_ACCOUNTS = 1024;

export class PlacedCounts {
  rules: readonly OrderLimit[] = [];
  fillCredits: FillCredits = NO_FILL_CREDITS;
  /** Counts by account. Accounts that have placed no orders recently are absent. */
  private readonly byAccount: (Counts | undefined)[] = [];
  private size = 0;
  /** The number of each rule's current window. All earlier windows have ended. */
  private windows: readonly number[] = [];
  /** The end of the window that ends first. */
  private untilMs = Number.POSITIVE_INFINITY;
  private lookAtSize = LOOK_AFTER_ACCOUNTS;

  /** The number of stored accounts. */
  get tracked(): number {
    return this.size;
  }

  /** Advances the time to `nowMs`. */
  passTo(nowMs: number): void {
    if (nowMs >= this.untilMs) this.moveTo(nowMs);
  }

  /**
   * Adds orders to the current windows. The time is not a parameter, because passing it would cost an object for each
   * call.
   */
  add(accountId: number, orders: number): void {
    const { windows } = this;
    const counts = this.byAccount[accountId] ?? this.open(accountId);
    for (let i = 0; i < windows.length; i++) {
      const at = 2 * i;
      if (counts[at] === windows[i]) {
        (counts[at + 1] as number) += orders;
      } else {
        counts[at] = windows[i] as number;
        counts[at + 1] = orders;
      }
    }
  }

  /**
   * Takes orders off the current windows, because an order of the account was filled for the first time. Counts of
   * other windows do not change, and no count falls below 0: a fill is no credit for later windows.
   */
  takeOff(accountId: number, orders: number): void {
    const counts = this.byAccount[accountId];
    if (counts === undefined) return;
    const { windows } = this;
    for (let i = 0; i < windows.length; i++) {
      const at = 2 * i;
      if (counts[at] === windows[i]) counts[at + 1] = Math.max(0, (counts[at + 1] as number) - orders);
    }
  }

  /** The account's orders in the window of this length that contains `nowMs`; 0 if no rule has such windows. */
  inWindow(accountId: number, windowMs: number, nowMs: number): number {
    for (let i = 0; i < this.rules.length; i++) {
      if (this.rules[i]?.windowMs !== windowMs) continue;
      const counts = this.byAccount[accountId];
      return counts === undefined ? 0 : inWindow(counts, i, Math.floor(nowMs / windowMs));
    }
    return 0;
  }

  /** Replaces the rules. Windows of a length that was already counted retain their counts. */
  setRules(rules: readonly OrderLimit[], fillCredits: FillCredits, nowMs: number): void {
    const places = rules.map(({ windowMs }) => this.rules.findIndex((rule) => rule.windowMs === windowMs));
    this.visit((accountId, counts) => {
      const moved = places.flatMap((place) => (place === -1 ? [0, 0] : counts.slice(2 * place, 2 * place + 2)));
      this.byAccount[accountId] = moved;
    });
    this.rules = rules;
    this.fillCredits = fillCredits;
    this.moveTo(nowMs);
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify(this.rules));
    for (const window of this.windows) writer.uint(window);
    const live: { readonly accountId: number; readonly used: readonly number[] }[] = [];
    this.visit((accountId, counts) => {
      const used = this.windows.map((window, i) => inWindow(counts, i, window));
      if (used.some((count) => count > 0)) live.push({ accountId, used });
    });
    writer.uint(live.length);
    for (const { accountId, used } of live) {
      writer.uint(accountId);
      for (const count of used) writer.uint(count);
    }
  }

  load(reader: ByteReader): void {
    this.rules = JSON.parse(reader.text()) as OrderLimit[];
    this.enter(this.rules.map(() => reader.uint()));
    for (let left = reader.uint(); left > 0; left--) {
      const accountId = reader.uint();
      this.byAccount[accountId] = this.windows.flatMap((window) => [window, reader.uint()]);
      this.size++;
    }
  }

  private moveTo(nowMs: number): void {
    this.enter(this.rules.map(({ windowMs }) => Math.floor(nowMs / windowMs)));
  }

  private enter(windows: readonly number[]): void {
    this.windows = windows;
    this.untilMs = this.firstEndMs();
  }

  private firstEndMs(): number {
    return Math.min(...this.rules.map(({ windowMs }, i) => ((this.windows[i] as number) + 1) * windowMs));
  }

  /** Throws if the number of accounts is wrong, or a window is later than the current one. */
  check(): void {
    let size = 0;
    this.visit((_, counts) => {
      size++;
      const isOver = this.windows.every((window, i) => (counts[2 * i] as number) <= window);
      assert(isOver && counts.length === 2 * this.windows.length, "no counted window is to come");
    });
    assert(size === this.size, "accounts with counts of orders are counted");
    assert(this.untilMs === this.firstEndMs(), "the end of the window that ends first is known");
  }

  private open(accountId: number): Counts {
    if (this.size >= this.lookAtSize) this.forgetPast();
    const counts = this.rules.flatMap(() => [0, 0]);
    this.byAccount[accountId] = counts;
    this.size++;
    return counts;
  }

  /** Visits the stored accounts in ascending order. */
  private visit(visit: (accountId: number, counts: Counts) => void): void {
    this.byAccount.forEach((counts, accountId) => {
      if (counts !== undefined) visit(accountId, counts);
    });
  }

  private forgetPast(): void {
    this.visit((accountId, counts) => {
      if (this.windows.some((window, i) => counts[2 * i] === window)) return;
      this.byAccount[accountId] = undefined;
      this.size--;
    });
    this.lookAtSize = 2 * this.size + LOOK_AFTER_ACCOUNTS;
  }
}

function inWindow(counts: Counts, rule: number, window: number): number {
  return counts[2 * rule] === window ? (counts[2 * rule + 1] as number) : 0;
}
