/** What others saw during an attack, held against what they may see of it. Pure. */
import { quantile } from "@pricetime/testkit/quantile";

/** What others saw during one stretch of time. */
export interface Seen {
  /** Delays of the quiet client's orders and cancels, from when each was due to its answer, ms. */
  readonly delaysMs: readonly number[];
  /** Its orders and cancels that were not taken, by what was said instead. */
  readonly failures: Readonly<Record<string, number>>;
  readonly healthAsked: number;
  /** In time, with status 200. */
  readonly healthAnswered: number;
}

export interface Measured {
  readonly usual: Seen;
  readonly during: Seen;
  /** Null: the process that was attacked lives. */
  readonly ended: string | null;
  /** `/readyz` once the attack was over. */
  readonly isReadyAfter: boolean;
  /** Memory that is no page of a file, MiB. */
  readonly usualMiB: number;
  readonly peakMiB: number;
  /** What `journal verify` found: chain, states, and that every asset adds up to zero. Null: sound. */
  readonly booksFault: string | null;
}

/** How much slower a quiet client's orders may become, at p99. */
const MOST_SLOWDOWN = 20;
/**
 * A p99 below this is taken as this: most of it is the disk's, which may be fast where the processor is not. So a delay of
 * a tenth of a second is never too long.
 */
const LEAST_USUAL_MS = 5;
/** How much memory an attack may cost beside what the node had before. */
const MOST_GROWTH_MIB = 512;
/** Fewer delays are no p99. */
const FEWEST_DELAYS = 40;

export const BOUND = `p99 under ${MOST_SLOWDOWN} times normal, no order rejected; \`/healthz\` answers; no restart; at most ${MOST_GROWTH_MIB} MiB more memory`;

export const p99 = ({ delaysMs }: Seen): number => quantile(delaysMs, 0.99);

function slowdown({ usual, during }: Pick<Measured, "usual" | "during">): number {
  return p99(during) / Math.max(LEAST_USUAL_MS, p99(usual));
}

const SLOWNESS = "the quiet client's p99 is";

/** Whether a broken promise is that of p99. */
export const isSlowness = (broken: string): boolean => broken.startsWith(SLOWNESS);

/** The promises that were broken. */
export function judge(measured: Measured): string[] {
  const { usual, during, ended, usualMiB, peakMiB, booksFault } = measured;
  const broken: string[] = [];
  if (ended !== null) broken.push(ended);
  if (usual.delaysMs.length < FEWEST_DELAYS)
    broken.push(`only ${usual.delaysMs.length} orders were measured before the attack`);
  if (during.delaysMs.length < FEWEST_DELAYS)
    broken.push(`only ${during.delaysMs.length} orders were answered during the attack`);
  const times = slowdown(measured);
  // Written so that no number at all is no excuse.
  if (!(times < MOST_SLOWDOWN)) broken.push(`${SLOWNESS} ${times.toFixed(0)} times normal`);
  const refused = Object.entries(during.failures).map(([why, count]) => `${count} x ${why}`);
  if (refused.length > 0) broken.push(`orders of the quiet client failed: ${refused.join(", ")}`);
  const unheard = during.healthAsked - during.healthAnswered;
  if (unheard > 0 || during.healthAsked === 0) broken.push(`/healthz: ${unheard} of ${during.healthAsked} unanswered`);
  if (ended === null && !measured.isReadyAfter) broken.push("not ready afterwards");
  if (!(peakMiB - usualMiB <= MOST_GROWTH_MIB)) broken.push(`memory grew by ${(peakMiB - usualMiB).toFixed(0)} MiB`);
  if (booksFault !== null) broken.push(`the books: ${booksFault}`);
  return broken;
}

/** One cell of the table. */
export function summary(measured: Measured): string {
  const { usual, during, usualMiB, peakMiB } = measured;
  const ms = (seen: Seen, share: number): string => quantile(seen.delaysMs, share).toFixed(1);
  const worst = (seen: Seen): string => quantile(seen.delaysMs, 1).toFixed(0);
  return (
    `p50 ${ms(usual, 0.5)} -> ${ms(during, 0.5)} ms, p99 ${ms(usual, 0.99)} -> ${ms(during, 0.99)} ms ` +
    `(x ${slowdown(measured).toFixed(1)}), max ${worst(usual)} -> ${worst(during)} ms; ` +
    `health ${during.healthAnswered}/${during.healthAsked}; memory ${usualMiB.toFixed(0)} -> ${peakMiB.toFixed(0)} MiB`
  );
}
