/**
 * Compares locks of API trading with the orders: a locked account broke the rules, an account that breaks them is
 * locked, and a start with the rules off unlocks the accounts. It checks the one indicator that simulated clients can
 * exceed: orders that expire unfilled. Interface 3.8.
 */
import type { TradingRulesSettings } from "@pricetime/server/parts";
import type { Opened } from "@pricetime/testkit/models";
import type { Auditor } from "./auditor.ts";
import type { AuditedEntry } from "./entry.ts";

const NEVER = { trigger: 1, orders: 1_000_000_000 };
export const RULES: TradingRulesSettings = {
  enabled: true,
  everyMs: 5_000,
  exempt: [],
  ufr: NEVER,
  ifer: { trigger: 0.9, orders: 6 },
  gcr: NEVER,
};
/** Orders of the last ten minutes, counted in half minutes. */
const LONGEST_WINDOW_MS = 10.5 * 60_000;
/** Orders this close to the bounds may or may not have been counted. */
const SEEN_MS = 8_000;
const SHORTEST_WINDOW_MS = 9 * 60_000;
/** The longest time from a check to the lock that it causes. */
const LONGEST_STEP_MS = 60_000;

interface Immediate {
  readonly orderId: number;
  readonly accountId: number;
  readonly symbol: string;
  readonly timeMs: number;
  end: "none" | "expired" | "canceled";
}

export class RulesAudit {
  readonly #auditor: Auditor;
  #orders: Immediate[] = [];
  /** The time of each account's last lock. */
  readonly #lockedMs = new Map<number, number>();
  /** An account was locked since the node started. An operator may lock accounts, whatever the rules. */
  #hasLocked = false;

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  nodeStarts(): void {
    this.#hasLocked = false;
  }

  entry({ timeMs, command, happened, isLive }: AuditedEntry, isOwn: boolean): void {
    for (const each of happened) {
      if (each.kind === "opened") this.#opened(each, timeMs);
      const order = each.kind === "ended" ? this.#orders.find(({ orderId }) => orderId === each.orderId) : undefined;
      if (order !== undefined && each.kind === "ended") {
        if (each.executed === 0n) order.end = each.status === "EXPIRED" ? "expired" : "canceled";
      }
    }
    if (command.type !== "lockApiTrading" || happened.some(({ kind }) => kind === "refused")) return;
    if (isOwn && isLive && !this.#mayBeCareless(command.accountId, timeMs)) {
      this.#auditor.fail(`${command.accountId} is locked, and was not careless`);
    }
    this.#lockedMs.set(command.accountId, timeMs);
    this.#hasLocked ||= isLive;
  }

  /** Whether the rules have locked the accounts that they must. `nowMs` is the exchange's time. */
  isSettled(nowMs: number): boolean {
    const { model } = this.#auditor;
    this.#orders = this.#orders.filter(({ timeMs }) => timeMs > nowMs - 2 * LONGEST_WINDOW_MS);
    return [...model.accounts.keys()].every(
      (accountId) => this.#isLocked(accountId, nowMs) || !this.#isCareless(accountId, nowMs),
    );
  }

  /** A node is running with the rules off. `nowMs` is the exchange's time. */
  checkReleased(nowMs: number): void {
    if (this.#hasLocked) return;
    for (const accountId of this.#auditor.model.accounts.keys()) {
      if (this.#isLocked(accountId, nowMs)) this.#auditor.fail(`the rules are off, and ${accountId} is locked`);
    }
  }

  #isLocked(accountId: number, nowMs: number): boolean {
    const { locks } = this.#auditor.model.wallet;
    return locks.some((lock) => lock.accountId === accountId && lock.untilMs > nowMs);
  }

  #opened({ orderId, accountId, symbol, timeInForce, type }: Opened, timeMs: number): void {
    if (timeInForce === "GTC" || type === "MARKET") return;
    // A triggered stop order is opened a second time.
    if (this.#orders.some((order) => order.orderId === orderId)) return;
    this.#orders.push({ orderId, accountId, symbol, timeMs, end: "none" });
  }

  /** Whichever of the youngest and oldest orders were counted. */
  #isCareless(accountId: number, nowMs: number): boolean {
    return this.#bySymbol(accountId, nowMs).some((orders) => {
      const expired = orders.filter(
        ({ end, timeMs }) => end === "expired" && timeMs > nowMs - SHORTEST_WINDOW_MS && timeMs <= nowMs - SEEN_MS,
      ).length;
      const others = orders.filter(({ end }) => end !== "expired").length;
      return isOver(expired, others);
    });
  }

  /** For at least one set of orders that may have been counted. */
  #mayBeCareless(accountId: number, nowMs: number): boolean {
    return this.#bySymbol(accountId, nowMs).some((orders) => {
      const expired = orders.filter(({ end }) => end === "expired").length;
      const others = orders.filter(
        ({ end, timeMs }) => end === "none" && timeMs > nowMs - SHORTEST_WINDOW_MS && timeMs < nowMs - LONGEST_STEP_MS,
      ).length;
      return isOver(expired, others);
    });
  }

  /** Since the last lock of the account. */
  #bySymbol(accountId: number, nowMs: number): Immediate[][] {
    const sinceMs = Math.max(nowMs - LONGEST_WINDOW_MS, this.#lockedMs.get(accountId) ?? 0);
    const counted = this.#orders.filter((order) => order.accountId === accountId && order.timeMs > sinceMs);
    return [...Map.groupBy(counted, ({ symbol }) => symbol).values()];
  }
}

function isOver(expired: number, others: number): boolean {
  const { orders, trigger } = RULES.ifer;
  return expired >= orders && expired / (expired + others) >= trigger;
}
