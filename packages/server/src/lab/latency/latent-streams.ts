/** The way of messages of streams through the latency of a lab. Messages of a stream keep their order. */
import type { StreamFaults, StreamLine, StreamMessage } from "../../api/streams/faults-port.ts";
import type { Clock } from "../../platform/world/port.ts";
import type { Delays } from "../faults/delays.ts";
import type { Latency } from "./latency.ts";

/** The messages of a line that have not arrived yet. */
interface OnWay {
  /** When the last of all arrives: the next one is no earlier. */
  lastMs: number;
  count: number;
}

export class LatentStreams implements StreamFaults {
  readonly #latency: Latency;
  readonly #delays: Delays;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #inner: StreamFaults;
  readonly #onWay = new WeakMap<StreamLine, OnWay>();

  constructor(latency: Latency, delays: Delays, clock: Pick<Clock, "nowMs">, inner: StreamFaults) {
    this.#latency = latency;
    this.#delays = delays;
    this.#clock = clock;
    this.#inner = inner;
  }

  pass(message: StreamMessage, line: StreamLine): void {
    const nowMs = this.#clock.nowMs();
    const onWay = this.#onWay.get(line) ?? { lastMs: 0, count: 0 };
    const dueMs = Math.max(nowMs + this.#latency.marketDataMs(), onWay.lastMs);
    // A message that is due in this very millisecond may not have left yet.
    if (dueMs === nowMs && onWay.count === 0) {
      this.#inner.pass(message, line);
      return;
    }
    onWay.lastMs = dueMs;
    onWay.count++;
    this.#onWay.set(line, onWay);
    this.#delays.later(
      dueMs - nowMs,
      () => {
        onWay.count--;
        this.#inner.pass(message, line);
      },
      () => {},
    );
  }
}
