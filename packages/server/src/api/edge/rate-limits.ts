/** Rate limits per address, with bans, and per account, and the headers that report their use. Interface 8. */
import { type EngineView, HOUR_MS, MINUTE_MS } from "@pricetime/engine";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";
import type { SavedState } from "../../platform/world/port.ts";
import {
  checkSameWindows,
  headerName,
  COUNTER_STATE,
  type LimitRule,
  type LimitsConfig,
  secondsToWindowEnd,
  WindowCounter,
  windowMs,
} from "./rate-limit-rules.ts";
import { networkOf } from "./client-address.ts";
import { dropOldest } from "./limits.ts";
import assert from "node:assert/strict";

// Bans of addresses that keep sending requests after 429. Each ban is longer than the previous one. Interface S.17.

export const BAN_LADDER_MS: readonly number[] = [
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  72 * HOUR_MS,
];

/** If the last ban ended this long ago, the next one is as short as the first. */
export const BAN_FORGIVEN_AFTER_MS = 72 * HOUR_MS;

/** An address whose use reaches this multiple of a limit is banned (Interface 8.5: at least 50 % over). */
export const BAN_AT_MULTIPLE = 1.5;

/** The state of an address's bans: its position in `BAN_LADDER_MS`, and the end of its last ban. */
const BANS_STATE: z.ZodType<BansState> = z.tuple([z.int().min(0).max(BAN_LADDER_MS.length), savedCount]);
type BansState = readonly [rung: number, untilMs: number];

export class BanRecord {
  #rung: number;
  untilMs: number;

  constructor([rung, untilMs]: BansState = [0, 0]) {
    this.#rung = rung;
    this.untilMs = untilMs;
  }

  get state(): BansState {
    return [this.#rung, this.untilMs];
  }

  isBanned(nowMs: number): boolean {
    return nowMs < this.untilMs;
  }

  /** Applies a ban that another node imposed. */
  banUntil(untilMs: number): void {
    this.untilMs = Math.max(this.untilMs, untilMs);
    this.#rung = Math.max(this.#rung, 1);
  }

  /** Imposes the next ban and returns its end. */
  ban(nowMs: number): number {
    if (this.untilMs > 0 && nowMs - this.untilMs > BAN_FORGIVEN_AFTER_MS) this.#rung = 0;
    const rung = Math.min(this.#rung, BAN_LADDER_MS.length - 1);
    this.untilMs = nowMs + (BAN_LADDER_MS[rung] ?? 0);
    this.#rung = rung + 1;
    return this.untilMs;
  }
}

// REQUEST_WEIGHT and RAW_REQUESTS, counted per address; an IPv6 /64 is one address. Interface 8.2, 8.3, 8.5.

/** Why an address's request is rejected. `retryAfterSeconds` is the value of the Retry-After header. */
export type IpRefusal =
  | { readonly kind: "limit"; readonly rule: LimitRule; readonly retryAfterSeconds: number }
  | { readonly kind: "ban"; readonly untilMs: number; readonly retryAfterSeconds: number };

/** Maximum number of bans that a node sends to its peers. */
const MAX_BANS_SENT = 1000;
/** Maximum number of banned addresses skipped when looking for a record to drop. */
const MAX_BANNED_SKIPPED = 32;
/** Minimum time between two moves of an address to the end of the list as recently used. */
const REFRESH_MS = 1000;

const RECORD_STATE = z.strictObject({
  network: z.string(),
  seenMs: savedCount,
  counters: z.array(COUNTER_STATE),
  bans: BANS_STATE,
});
const SAVED_ADDRESSES = z.strictObject({
  windowsMs: z.array(z.int()),
  /** Least recently used first. */
  records: z.array(RECORD_STATE),
  bannedUntil: z.array(z.tuple([z.string(), savedCount])),
});

export class IpRecord {
  readonly counters: readonly WindowCounter[];
  readonly bans: BanRecord;
  seenMs: number;

  readonly network: string;

  constructor(rules: readonly LimitRule[], network: string, seenMs: number, state?: z.infer<typeof RECORD_STATE>) {
    this.network = network;
    this.seenMs = seenMs;
    this.counters = rules.map((rule, i) => new WindowCounter(windowMs(rule), state?.counters[i]));
    this.bans = new BanRecord(state?.bans);
  }

  get state(): z.infer<typeof RECORD_STATE> {
    const { network, seenMs } = this;
    return { network, seenMs, counters: this.counters.map(({ state }) => state), bans: this.bans.state };
  }
}

export class IpLimiter {
  readonly rules: readonly LimitRule[];
  readonly #enabled: boolean;
  readonly #maxTracked: number;
  /** End of the last ban by network. Some of the bans may be over. */
  readonly #bannedUntil = new Map<string, number>();
  /** Records by network, least recently used first. */
  readonly #records = new Map<string, IpRecord>();

  constructor(config: LimitsConfig, saved: SavedState) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType !== "ORDERS");
    this.#enabled = config.enabled;
    this.#maxTracked = config.maxTrackedIps;
    const restored = saved.restore("gateway/addresses", SAVED_ADDRESSES, () => {
      const records = [...this.#records.values()].map(({ state }) => state);
      return { windowsMs: this.rules.map(windowMs), records, bannedUntil: [...this.#bannedUntil] };
    });
    if (restored !== undefined) this.#takeUp(restored);
  }

  #takeUp({ windowsMs, records, bannedUntil }: z.infer<typeof SAVED_ADDRESSES>): void {
    checkSameWindows(this.rules, windowsMs);
    for (const state of records) {
      this.#records.set(state.network, new IpRecord(this.rules, state.network, state.seenMs, state));
    }
    for (const [network, untilMs] of bannedUntil) this.#bannedUntil.set(network, untilMs);
  }

  get trackedIps(): number {
    return this.#records.size;
  }

  /** Returns the record of the address, creating it if there is none. */
  record(ip: string, nowMs: number): IpRecord {
    return this.#recordOf(networkOf(ip), nowMs);
  }

  #recordOf(network: string, nowMs: number): IpRecord {
    let record = this.#records.get(network);
    if (record === undefined) {
      if (this.#records.size >= this.#maxTracked) this.#dropOldest(nowMs);
      record = new IpRecord(this.rules, network, nowMs);
      this.#records.set(network, record);
    } else if (nowMs - record.seenMs >= REFRESH_MS) {
      record.seenMs = nowMs;
      this.#records.delete(network);
      this.#records.set(network, record);
    }
    return record;
  }

  /** The current ban of the address; null if it is not banned. */
  banOf(ip: string, nowMs: number): IpRefusal | null {
    const record = this.#records.get(networkOf(ip));
    return this.#enabled && record?.bans.isBanned(nowMs) === true ? banned(record, nowMs) : null;
  }

  /** The ends of the `MAX_BANS_SENT` latest current bans in milliseconds, by network. */
  bans(nowMs: number): Record<string, number> {
    for (const [network, untilMs] of this.#bannedUntil) if (untilMs <= nowMs) this.#bannedUntil.delete(network);
    return Object.fromEntries([...this.#bannedUntil].slice(-MAX_BANS_SENT));
  }

  /** Applies bans by network that another node imposed. */
  takeBans(bans: Readonly<Record<string, number>>, nowMs: number): void {
    if (!this.#enabled) return;
    for (const [network, untilMs] of Object.entries(bans)) {
      if (untilMs <= nowMs || untilMs <= (this.#bannedUntil.get(network) ?? 0)) continue;
      this.#recordOf(network, nowMs).bans.banUntil(untilMs);
      this.#noteBan(network, untilMs);
    }
  }

  /** Counts a request of this weight. Rejected requests also count and may lead to a ban. */
  count(record: IpRecord, weight: number, nowMs: number): IpRefusal | null {
    if (this.#enabled && record.bans.isBanned(nowMs)) return banned(record, nowMs);
    let refusal: IpRefusal | null = null;
    let earnsBan = false;
    for (let i = 0; i < this.rules.length; i++) {
      const rule = this.rules[i] as LimitRule;
      const amount = rule.rateLimitType === "REQUEST_WEIGHT" ? weight : 1;
      const used = (record.counters[i] as WindowCounter).add(amount, nowMs);
      if (used <= rule.limit) continue;
      refusal ??= { kind: "limit", rule, retryAfterSeconds: secondsToWindowEnd(rule, nowMs) };
      if (used >= rule.limit * BAN_AT_MULTIPLE) earnsBan = true;
    }
    if (!this.#enabled || refusal === null) return null;
    if (!earnsBan) return refusal;
    this.#noteBan(record.network, record.bans.ban(nowMs));
    return banned(record, nowMs);
  }

  /** Takes back the weight of a request that was counted at `countedMs`. */
  takeBack(record: IpRecord, weight: number, countedMs: number): void {
    for (let i = 0; i < this.rules.length; i++) {
      if (this.rules[i]?.rateLimitType === "REQUEST_WEIGHT") record.counters[i]?.takeBack(weight, countedMs);
    }
  }

  #noteBan(network: string, untilMs: number): void {
    // Deleted first, so that the latest bans are last in the map.
    this.#bannedUntil.delete(network);
    this.#bannedUntil.set(network, untilMs);
    if (this.#bannedUntil.size > this.#maxTracked) dropOldest(this.#bannedUntil);
  }

  #dropOldest(nowMs: number): void {
    let skipped = 0;
    for (const [ip, record] of this.#records) {
      if (record.bans.isBanned(nowMs) && skipped++ < MAX_BANNED_SKIPPED) continue;
      this.#records.delete(ip);
      return;
    }
    dropOldest(this.#records);
  }
}

function banned(record: IpRecord, nowMs: number): IpRefusal {
  const untilMs = record.bans.untilMs;
  return { kind: "ban", untilMs, retryAfterSeconds: Math.max(1, Math.ceil((untilMs - nowMs) / 1000)) };
}

// ORDERS, counted per account: all journaled orders, accepted or rejected, because each costs a journal entry (decision
// 17). The engine counts the journaled orders of all nodes; a node adds its own orders in flight. An order with an
// unknown outcome counts until the end of the window.

export interface OrderRefusal {
  readonly rule: LimitRule;
  readonly retryAfterSeconds: number;
}

const SAVED_ORDERS = z.strictObject({
  windowsMs: z.array(z.int()),
  unknown: z.array(z.strictObject({ accountId: savedCount, counters: z.array(COUNTER_STATE) })),
});

type Journaled = Pick<EngineView, "ordersInWindow">;

export class OrderLimiter {
  readonly rules: readonly LimitRule[];
  readonly #windowsMs: readonly number[];
  readonly #enabled: boolean;
  readonly #journaled: () => Journaled;
  /** Number of orders in flight, by account. */
  readonly #underWay = new Map<number, number>();
  /** Counts of orders with an unknown outcome, by account, in the order of `rules`. Few accounts have any. */
  readonly #unknown = new Map<number, readonly WindowCounter[]>();

  constructor(config: Pick<LimitsConfig, "rules" | "enabled">, journaled: () => Journaled, saved: SavedState) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType === "ORDERS");
    this.#windowsMs = this.rules.map(windowMs);
    this.#enabled = config.enabled;
    this.#journaled = journaled;
    const restored = saved.restore("gateway/orders", SAVED_ORDERS, () => {
      assert.equal(this.#underWay.size, 0, "orders are on their way to the journal");
      const unknown = [...this.#unknown].map(([accountId, counters]) => {
        return { accountId, counters: counters.map(({ state }) => state) };
      });
      return { windowsMs: this.#windowsMs, unknown };
    });
    if (restored === undefined) return;
    checkSameWindows(this.rules, restored.windowsMs);
    for (const { accountId, counters } of restored.unknown) {
      this.#unknown.set(
        accountId,
        this.#windowsMs.map((length, i) => new WindowCounter(length, counters[i])),
      );
    }
  }

  /** Counts all `orders` or none; an OCO counts as two. Returns the new counts in the order of `rules`. */
  reserve(accountId: number, orders: number, nowMs: number): readonly number[] | OrderRefusal {
    const counts = this.counts(accountId, nowMs, orders);
    for (let i = 0; i < this.rules.length; i++) {
      const rule = this.rules[i] as LimitRule;
      if (!this.#enabled || (counts[i] as number) <= rule.limit) continue;
      return { rule, retryAfterSeconds: secondsToWindowEnd(rule, nowMs) };
    }
    this.#underWay.set(accountId, (this.#underWay.get(accountId) ?? 0) + orders);
    return counts;
  }

  /** The account's counts with this many more orders, in the order of `rules`. */
  counts(accountId: number, nowMs: number, more = 0): readonly number[] {
    const journaled = this.#journaled();
    const underWay = (this.#underWay.get(accountId) ?? 0) + more;
    const unknown = this.#unknown.size === 0 ? undefined : this.#unknown.get(accountId);
    const counts: number[] = [];
    for (let i = 0; i < this.rules.length; i++) {
      const journaledOrders = journaled.ordersInWindow(accountId, this.#windowsMs[i] as number, nowMs);
      counts.push(journaledOrders + underWay + (unknown?.[i]?.used(nowMs) ?? 0));
    }
    return counts;
  }

  /** Releases reserved orders that the engine has counted or that were not accepted. */
  release(accountId: number, orders: number): void {
    const left = (this.#underWay.get(accountId) ?? 0) - orders;
    if (left > 0) this.#underWay.set(accountId, left);
    else this.#underWay.delete(accountId);
  }

  /**
   * Releases orders reserved at `reservedMs`, but counts them until the end of the window because their outcome is
   * unknown.
   */
  releaseUnknown(accountId: number, orders: number, reservedMs: number): void {
    this.release(accountId, orders);
    this.#forgetPast(reservedMs);
    const counters = this.#unknown.get(accountId) ?? this.#windowsMs.map((length) => new WindowCounter(length));
    for (const counter of counters) counter.add(orders, reservedMs);
    this.#unknown.set(accountId, counters);
  }

  #forgetPast(nowMs: number): void {
    for (const [accountId, counters] of this.#unknown) {
      if (counters.every((counter) => counter.used(nowMs) === 0)) this.#unknown.delete(accountId);
    }
  }
}

// The X-MBX headers, which report the use of each limit (Interface 8.2 and 8.4). They are in lower case, as on the
// original exchange, because some clients look them up by exact text.

/** Alternating header names and values, as `ServerResponse.writeHead` accepts them. */
export type HeaderList = string[];

/** The 2019 name of the header for the weight of one minute. */
const LEGACY_NAME = "x-mbx-used-weight";

export class LimitHeaders {
  /** Header names in the order of the IP limiter's rules; undefined for RAW_REQUESTS, which have no header. */
  readonly #weightNames: readonly (string | undefined)[];
  readonly #orderNames: readonly string[];
  /** Index of the rule for the legacy header; -1 if there is none. */
  readonly #legacy: number;

  constructor(ipRules: readonly LimitRule[], orderRules: readonly LimitRule[]) {
    this.#weightNames = ipRules.map(headerName);
    this.#orderNames = orderRules.map(headerName).filter((name) => name !== undefined);
    this.#legacy = this.#weightNames.indexOf(`${LEGACY_NAME}-1m`);
  }

  /** The names of all headers that may be sent. */
  get names(): string[] {
    const legacy = this.#legacy === -1 ? [] : [LEGACY_NAME];
    return [...legacy, ...this.#weightNames.filter((name) => name !== undefined), ...this.#orderNames];
  }

  pushWeights(headers: HeaderList, record: IpRecord, nowMs: number): void {
    for (let i = 0; i < this.#weightNames.length; i++) {
      const name = this.#weightNames[i];
      if (name === undefined) continue;
      const used = String((record.counters[i] as WindowCounter).used(nowMs));
      if (i === this.#legacy) headers.push(LEGACY_NAME, used);
      headers.push(name, used);
    }
  }

  /** `counts` is in the order of the order rules. */
  pushOrderCounts(headers: HeaderList, counts: readonly number[]): void {
    for (let i = 0; i < this.#orderNames.length; i++) {
      headers.push(this.#orderNames[i] as string, String(counts[i]));
    }
  }
}
