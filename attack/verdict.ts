/** Compares the observations of other clients during an attack with the accepted effect. Pure. */
import { quantile } from "@pricetime/testkit/quantile";

/** The observations of other clients during one period. */
export interface Seen {
  /** Delays of the quiet client's orders and cancels in ms, from when each was due to its response. */
  readonly delaysMs: readonly number[];
  /** The number of its failed orders and cancels, by response. */
  readonly failures: Readonly<Record<string, number>>;
  readonly healthAsked: number;
  /** Answered in time with status 200. */
  readonly healthAnswered: number;
}

export interface Measured {
  readonly usual: Seen;
  readonly during: Seen;
  /** Null if the attacked process is still running. */
  readonly ended: string | null;
  /** The result of `/readyz` after the attack. */
  readonly isReadyAfter: boolean;
  /** Memory without file pages, MiB. */
  readonly usualMiB: number;
  readonly peakMiB: number;
  /** The fault that `journal verify` found: hash chain, states, and that every asset adds up to zero. Null if none. */
  readonly booksFault: string | null;
}

/** The accepted slowdown factor of a quiet client's orders at p99. */
const MOST_SLOWDOWN = 20;
/**
 * A lower p99 counts as this: most of it is disk time, which may be short on a machine with a slow processor. So a
 * delay of a tenth of a second is always accepted.
 */
const LEAST_USUAL_MS = 5;
/** The accepted memory growth during an attack. */
const MOST_GROWTH_MIB = 512;
/** With fewer delays, a p99 has no meaning. */
const FEWEST_DELAYS = 40;

export const BOUND = `p99 under ${MOST_SLOWDOWN} times normal, no order rejected; \`/healthz\` answers; no restart; at most ${MOST_GROWTH_MIB} MiB more memory`;

export const p99 = ({ delaysMs }: Seen): number => quantile(delaysMs, 0.99);

function slowdown({ usual, during }: Pick<Measured, "usual" | "during">): number {
  return p99(during) / Math.max(LEAST_USUAL_MS, p99(usual));
}

const SLOWNESS = "the quiet client's p99 is";

/** Whether a broken promise is the p99 bound. */
export const isSlowness = (broken: string): boolean => broken.startsWith(SLOWNESS);

/** The broken promises. */
export function judge(measured: Measured): string[] {
  const { usual, during, ended, usualMiB, peakMiB, booksFault } = measured;
  const broken: string[] = [];
  if (ended !== null) broken.push(ended);
  if (usual.delaysMs.length < FEWEST_DELAYS)
    broken.push(`only ${usual.delaysMs.length} orders were measured before the attack`);
  if (during.delaysMs.length < FEWEST_DELAYS)
    broken.push(`only ${during.delaysMs.length} orders were answered during the attack`);
  const times = slowdown(measured);
  // Written so that NaN counts as broken.
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
