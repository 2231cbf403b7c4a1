/** REQUEST_WEIGHT and RAW_REQUESTS, counted per address; an IPv6 /64 is one. Interface 8.2, 8.3, 8.5. */
import { BAN_AT_MULTIPLE, BanRecord } from "./bans.ts";
import { WindowCounter } from "./counter.ts";
import { networkOf } from "./network.ts";
import { secondsToWindowEnd, windowMs } from "./rule.ts";
import type { LimitRule, LimitsConfig } from "./rule.ts";

/** Why a request is refused. `retryAfterSeconds` is the header of the same name. */
export type IpRefusal =
  | { readonly kind: "limit"; readonly rule: LimitRule; readonly retryAfterSeconds: number }
  | { readonly kind: "ban"; readonly untilMs: number; readonly retryAfterSeconds: number };

/** Most bans that a node tells the others at a time. */
const MOST_BANS_TOLD = 1000;
/** Most banned addresses passed over when room is needed. */
const MAX_BANNED_SKIPPED = 32;
/** Shortest time between two moves of an address to the recent end of the list. */
const REFRESH_MS = 1000;

export class IpRecord {
  readonly counters: readonly WindowCounter[];
  readonly bans = new BanRecord();
  seenMs = 0;

  readonly network: string;

  constructor(rules: readonly LimitRule[], network: string) {
    this.network = network;
    this.counters = rules.map((rule) => new WindowCounter(windowMs(rule)));
  }
}

export class IpLimiter {
  readonly rules: readonly LimitRule[];
  readonly #enabled: boolean;
  readonly #maxTracked: number;
  /** Until when networks are banned; some of these bans may be over. */
  readonly #bannedUntil = new Map<string, number>();
  /** By network, oldest use first. */
  readonly #records = new Map<string, IpRecord>();

  constructor(config: LimitsConfig) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType !== "ORDERS");
    this.#enabled = config.enabled;
    this.#maxTracked = config.maxTrackedIps;
  }

  get trackedIps(): number {
    return this.#records.size;
  }

  /** The address's record, created for a new address. */
  record(ip: string, nowMs: number): IpRecord {
    return this.#recordOf(networkOf(ip), nowMs);
  }

  #recordOf(network: string, nowMs: number): IpRecord {
    let record = this.#records.get(network);
    if (record === undefined) {
      if (this.#records.size >= this.#maxTracked) this.#dropOldest(nowMs);
      record = new IpRecord(this.rules, network);
      record.seenMs = nowMs;
      this.#records.set(network, record);
    } else if (nowMs - record.seenMs >= REFRESH_MS) {
      record.seenMs = nowMs;
      this.#records.delete(network);
      this.#records.set(network, record);
    }
    return record;
  }

  /** The current ban of the address; null without one. */
  banOf(ip: string, nowMs: number): IpRefusal | null {
    const record = this.#records.get(networkOf(ip));
    return this.#enabled && record?.bans.isBanned(nowMs) === true ? banned(record, nowMs) : null;
  }

  /** The bans that are not over: until when, in ms, by network. Of more than `MOST_BANS_TOLD` the latest. */
  bans(nowMs: number): Record<string, number> {
    for (const [network, untilMs] of this.#bannedUntil) if (untilMs <= nowMs) this.#bannedUntil.delete(network);
    return Object.fromEntries([...this.#bannedUntil].slice(-MOST_BANS_TOLD));
  }

  /** Takes over the bans of another node, by network. */
  takeBans(bans: Readonly<Record<string, number>>, nowMs: number): void {
    if (!this.#enabled) return;
    for (const [network, untilMs] of Object.entries(bans)) {
      if (untilMs <= nowMs || untilMs <= (this.#bannedUntil.get(network) ?? 0)) continue;
      this.#recordOf(network, nowMs).bans.banUntil(untilMs);
      this.#noteBan(network, untilMs);
    }
  }

  /** Counts a request of this weight; refused ones count too, and may lead to a ban. */
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

  #noteBan(network: string, untilMs: number): void {
    // Put in anew, so that the latest come last.
    this.#bannedUntil.delete(network);
    this.#bannedUntil.set(network, untilMs);
    if (this.#bannedUntil.size <= this.#maxTracked) return;
    for (const oldest of this.#bannedUntil.keys()) {
      this.#bannedUntil.delete(oldest);
      return;
    }
  }

  #dropOldest(nowMs: number): void {
    let skipped = 0;
    for (const [ip, record] of this.#records) {
      if (record.bans.isBanned(nowMs) && skipped++ < MAX_BANNED_SKIPPED) continue;
      this.#records.delete(ip);
      return;
    }
    for (const ip of this.#records.keys()) {
      this.#records.delete(ip);
      return;
    }
  }
}

function banned(record: IpRecord, nowMs: number): IpRefusal {
  const untilMs = record.bans.untilMs;
  return { kind: "ban", untilMs, retryAfterSeconds: Math.max(1, Math.ceil((untilMs - nowMs) / 1000)) };
}
