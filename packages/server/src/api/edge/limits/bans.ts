/** Bans of addresses that go on after 429: each is longer than the one before. Interface S.17. */
import { MINUTE_MS, HOUR_MS } from "@pricetime/engine";
import { z } from "zod";
import { keptCount } from "../../../platform/world/read-kept.ts";

export const BAN_LADDER_MS: readonly number[] = [
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  72 * HOUR_MS,
];

/** After this long without trouble since a ban ended, the next one is as short as the first. */
export const BAN_FORGIVEN_AFTER_MS = 72 * HOUR_MS;

/** A window used to at least this multiple of its limit leads to a ban (Interface 8.5: at least 50 % over). */
export const BAN_AT_MULTIPLE = 1.5;

/** The bans of an address as kept: how many rungs of the ladder it has climbed, and when its last ban ends. */
export const KEPT_BANS: z.ZodType<KeptBans> = z.tuple([z.int().min(0).max(BAN_LADDER_MS.length), keptCount]);
type KeptBans = readonly [rung: number, untilMs: number];

export class BanRecord {
  #rung: number;
  untilMs: number;

  constructor([rung, untilMs]: KeptBans = [0, 0]) {
    this.#rung = rung;
    this.untilMs = untilMs;
  }

  kept(): KeptBans {
    return [this.#rung, this.untilMs];
  }

  isBanned(nowMs: number): boolean {
    return nowMs < this.untilMs;
  }

  /** Takes over a ban of another node. */
  banUntil(untilMs: number): void {
    this.untilMs = Math.max(this.untilMs, untilMs);
    this.#rung = Math.max(this.#rung, 1);
  }

  /** Starts the next ban and returns its end. */
  ban(nowMs: number): number {
    if (this.untilMs > 0 && nowMs - this.untilMs > BAN_FORGIVEN_AFTER_MS) this.#rung = 0;
    const rung = Math.min(this.#rung, BAN_LADDER_MS.length - 1);
    this.untilMs = nowMs + (BAN_LADDER_MS[rung] ?? 0);
    this.#rung = rung + 1;
    return this.untilMs;
  }
}
