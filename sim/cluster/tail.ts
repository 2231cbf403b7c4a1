/** Removes rows from the store by the real rule, and checks against the journals that no needed row is removed. */
import { trimBound } from "@pricetime/server/parts";
import type { LogAudit } from "./log-audit.ts";
import type { Machine } from "./machine.ts";
import type { SimStore } from "./store.ts";

const LIMITS = { liveMs: 5_000, awayPatienceMs: 12_000, authorPatienceMs: 20_000, maxTailBytes: 1 << 30 };
const MOST_MIRRORS = 2;

export class SimTail {
  readonly #store: SimStore;
  readonly #machines: readonly Machine[];
  readonly #auditor: LogAudit;
  readonly #positionsSince = new Map<string, { clockMs: number; sinceMs: number }>();
  readonly #rowSince = new Map<number, number>();

  constructor(store: SimStore, machines: readonly Machine[], auditor: LogAudit) {
    this.#store = store;
    this.#machines = machines;
    this.#auditor = auditor;
  }

  /** Returns the last removed row; undefined if none was. */
  trim(): number | undefined {
    const { rows, trimmed, positions, schedule, seams } = this.#store;
    const nodes = [...positions.values()].map(({ node, place, clockMs }) => {
      const since = this.#reportedSince(node, clockMs);
      return { node, number: place.number, silentMs: schedule.nowMs - since };
    });
    const mirrors = Math.min(MOST_MIRRORS, this.#machines.length);
    const bound = trimBound({
      ...{ nodes, trimmed, mirrors, limits: LIMITS, tailBytes: 0, nowMs: schedule.nowMs },
      rows: rows.slice(trimmed).map(({ place, id, node, bytes }) => ({
        ...{ number: place.number, revision: place.revision, id, node, bytes: bytes.length },
        sinceMs: this.#rowSince.get(place.number) ?? this.#firstSeen(place.number),
      })),
    });
    const held = nodes.map(({ number }) => number).toSorted((a, b) => b - a);
    const to = seams.trimTo(bound, held[mirrors - 1] ?? 0, rows.length);
    if (to <= trimmed) return undefined;
    this.#check(to, mirrors);
    this.#store.trim(to);
    return to;
  }

  get #nowMs(): number {
    return this.#store.schedule.nowMs;
  }

  #reportedSince(node: string, clockMs: number): number {
    const known = this.#positionsSince.get(node);
    if (known?.clockMs === clockMs) return known.sinceMs;
    this.#positionsSince.set(node, { clockMs, sinceMs: this.#nowMs });
    return this.#nowMs;
  }

  #firstSeen(number: number): number {
    this.#rowSince.set(number, this.#nowMs);
    return this.#nowMs;
  }

  /** Enough journals must contain each of the rows, and its author must have seen it or be down for long. */
  #check(to: number, mirrors: number): void {
    const held = this.#machines.map(({ heldNow }) => heldNow);
    if (held.filter((number) => number >= to).length < mirrors) {
      this.#auditor.fail(`the rows to ${to} are removed, and nodes hold those to ${held.join(", ")}`);
    }
    for (const { id, node, place } of this.#store.rows.slice(this.#store.trimmed, to)) {
      const author = this.#machines.find(({ name }) => name === node);
      const sinceMs = this.#nowMs - (this.#rowSince.get(place.number) ?? this.#nowMs);
      const isSeen = (author?.heldNow ?? 0) >= place.number;
      if (!isSeen && sinceMs < LIMITS.authorPatienceMs) {
        this.#auditor.fail(`${id} is removed, and ${node} has not seen it`);
      }
    }
  }
}
