/** How far the node's clock is from the machine's. */
import { type ReadonlySignal, signal } from "@preact/signals";

interface Sample {
  readonly offsetMs: number;
  readonly tripMs: number;
}

/** The quickest of the last few says most. */
const SAMPLES_KEPT = 5;
/**
 * So far at most a timestamp may be ahead of the node, which refuses one that is a second ahead. One that is behind has
 * the seconds of its window (Interface 5.6).
 */
const MOST_AHEAD_MS = 500;
/** Clocks that have moved apart by more than this make older samples worthless. */
const LEAP_MS = 1000;

export class Clock {
  readonly #offsetMs = signal<number | null>(null);
  #samples: Sample[] = [];

  /** The node's clock less the machine's; null: not known yet. */
  get offsetMs(): ReadonlySignal<number | null> {
    return this.#offsetMs;
  }

  /** The node said `serverMs` between these two moments of the machine's clock. */
  note(serverMs: number, sentMs: number, receivedMs: number): void {
    const tripMs = receivedMs - sentMs;
    if (tripMs < 0) return;
    // The node's clock showed `serverMs` no later than now; probably half a trip ago, and a slow trip says little.
    const offsetMs = serverMs - receivedMs + Math.min(Math.round(tripMs / 2), MOST_AHEAD_MS);
    const sample = { offsetMs, tripMs };
    const isNear = ({ offsetMs }: Sample): boolean => Math.abs(offsetMs - sample.offsetMs) <= LEAP_MS + tripMs;
    this.#samples = [...this.#samples.filter(isNear), sample].slice(-SAMPLES_KEPT);
    const best = this.#samples.reduce((one, other) => (other.tripMs < one.tripMs ? other : one));
    this.#offsetMs.value = best.offsetMs;
  }

  /** Forgets all samples, because they can no longer be trusted. */
  forget(): void {
    this.#samples = [];
  }
}
