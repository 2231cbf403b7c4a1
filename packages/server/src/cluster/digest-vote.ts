/**
 * Decides, when the event digests of two nodes differ after the same entry, whether this node is the wrong one. The
 * majority is right: a node stops when more nodes differ from it than agree with it. Of only two nodes nobody knows
 * which is right, so both stop.
 */
import type { ClusterLimits } from "./limits.ts";

interface Word {
  /** The last entry after which the node agreed with us; -1: none. */
  agreedSeq: number;
  /** The first entry after which it differed. */
  differedSeq: number | undefined;
  /** When it last said so (steady). */
  atMs: number;
}

export interface Verdict {
  /** The nodes that differ from this one; empty: all is well. */
  readonly differing: readonly string[];
  /** The first entry after which one differed. */
  readonly seq: number;
  readonly isOurs: boolean;
}

const NONE: Verdict = { differing: [], seq: 0, isOurs: false };

export class DigestVote {
  readonly #limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">;
  readonly #words = new Map<string, Word>();
  /** Since when a node differs. */
  #sinceMs: number | undefined;

  constructor(limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">) {
    this.#limits = limits;
  }

  /** A node's digest after entry `seq` is ours, or is not. */
  hear(node: string, seq: number, agrees: boolean, nowMs: number): void {
    const word = this.#words.get(node) ?? { agreedSeq: -1, differedSeq: undefined, atMs: nowMs };
    word.atMs = nowMs;
    if (agrees) {
      word.agreedSeq = Math.max(word.agreedSeq, seq);
      // A digest that differs once differs for ever, so this is another copy under the same name.
      if (word.differedSeq !== undefined && seq > word.differedSeq) word.differedSeq = undefined;
    } else word.differedSeq = Math.min(word.differedSeq ?? seq, seq);
    this.#words.set(node, word);
  }

  /** `live`: the other nodes that are there. */
  decide(live: readonly string[], nowMs: number): Verdict {
    const lately = [...this.#words].filter(([, { atMs }]) => nowMs - atMs <= this.#limits.digestWordMs);
    const differing = lately.filter(([, { differedSeq }]) => differedSeq !== undefined);
    if (differing.length === 0) {
      this.#sinceMs = undefined;
      return NONE;
    }
    this.#sinceMs ??= nowMs;
    const seq = Math.min(...differing.map(([, { differedSeq }]) => differedSeq as number));
    const agreeing = lately.filter(([, word]) => word.differedSeq === undefined && word.agreedSeq >= seq);
    // Agreement before that entry says nothing: those nodes are waited for.
    const heard = new Set([...differing, ...agreeing].map(([node]) => node));
    const isLate = nowMs - this.#sinceMs >= this.#limits.digestPatienceMs;
    const awaited = isLate ? 0 : live.filter((node) => !heard.has(node)).length;
    const isOurs = differing.length > agreeing.length + awaited;
    return { differing: differing.map(([node]) => node), seq, isOurs };
  }
}
