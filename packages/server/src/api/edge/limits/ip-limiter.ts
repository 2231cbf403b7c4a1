/** REQUEST_WEIGHT and RAW_REQUESTS, counted per address; an IPv6 /64 is one. Interface 8.2, 8.3, 8.5. */
import { z } from "zod";
import type { KeptValue, Keeping } from "../../../platform/world/kept.ts";
import { keptCount, readKept } from "../../../platform/world/read-kept.ts";
import { BAN_AT_MULTIPLE, BanRecord, KEPT_BANS } from "./bans.ts";
import { KEPT_COUNTER, WindowCounter } from "./counter.ts";
import { checkSameWindows } from "./kept-windows.ts";
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

const KEPT_RECORD = z.strictObject({
  network: z.string(),
  seenMs: keptCount,
  counters: z.array(KEPT_COUNTER),
  bans: KEPT_BANS,
});
const KEPT = z.strictObject({
  windowsMs: z.array(z.int()),
  /** Oldest use first. */
  records: z.array(KEPT_RECORD),
  bannedUntil: z.array(z.tuple([z.string(), keptCount])),
});

export class IpRecord {
  readonly counters: readonly WindowCounter[];
  readonly bans: BanRecord;
  seenMs: number;

  readonly network: string;

  constructor(rules: readonly LimitRule[], network: string, seenMs: number, kept?: z.infer<typeof KEPT_RECORD>) {
    this.network = network;
    this.seenMs = seenMs;
    this.counters = rules.map((rule, i) => new WindowCounter(windowMs(rule), kept?.counters[i]));
    this.bans = new BanRecord(kept?.bans);
  }

  kept(): z.infer<typeof KEPT_RECORD> {
    const { network, seenMs } = this;
    return { network, seenMs, counters: this.counters.map((counter) => [...counter.kept()]), bans: this.bans.kept() };
  }
}

export class IpLimiter implements Keeping {
  readonly rules: readonly LimitRule[];
  readonly #enabled: boolean;
  readonly #maxTracked: number;
  /** Ends of networks' bans; some of these bans may be over. */
  readonly #bannedUntil = new Map<string, number>();
  /** Records by network, oldest use first. */
  readonly #records = new Map<string, IpRecord>();

  /** Throws `KeptUnreadable`. */
  constructor(config: LimitsConfig, kept?: KeptValue) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType !== "ORDERS");
    this.#enabled = config.enabled;
    this.#maxTracked = config.maxTrackedIps;
    if (kept !== undefined) this.#takeUp(readKept("limits of addresses", KEPT, kept));
  }

  kept(): KeptValue {
    const records = [...this.#records.values()].map((record) => record.kept());
    return { windowsMs: this.rules.map(windowMs), records, bannedUntil: [...this.#bannedUntil] };
  }

  #takeUp({ windowsMs, records, bannedUntil }: z.infer<typeof KEPT>): void {
    checkSameWindows(this.rules, windowsMs);
    for (const kept of records) {
      this.#records.set(kept.network, new IpRecord(this.rules, kept.network, kept.seenMs, kept));
    }
    for (const [network, untilMs] of bannedUntil) this.#bannedUntil.set(network, untilMs);
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
      record = new IpRecord(this.rules, network, nowMs);
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
