/** A shared log controlled by the test: records submitted batches, and delivers rows on request. */
import { setTimeout as pause } from "node:timers/promises";
import { type Command, decodeCommands, encodeCommands, type NodeBatch } from "@pricetime/engine";
import type { Following, LogPlace, LogRow, LooseBatch, SharedLog } from "../../../src/journal/port.ts";

export class ManualLog implements SharedLog {
  readonly submitted: LooseBatch[] = [];
  /** The next submits fail with these, in order. */
  readonly failures: Error[] = [];
  /** Submits wait for it. */
  gate: Promise<void> = Promise.resolve();
  /** The position that was followed from. */
  from: LogPlace | null | undefined;
  readonly #rows: (LogRow | Error)[] = [];
  #wake = (): void => {};
  #number = 0;
  isClosed = false;

  /** The headers of submitted batches. */
  get headers(): NodeBatch[] {
    return this.submitted.map(({ bytes, count }) => decodeCommands(bytes, count)[0] as NodeBatch);
  }

  async submit(batch: LooseBatch): Promise<void> {
    this.submitted.push(batch);
    const failure = this.failures.shift();
    await this.gate;
    if (failure !== undefined) throw failure;
  }

  follow(place: LogPlace | null): Following {
    this.from = place;
    this.#number = place?.number ?? 0;
    const next = async (): Promise<LogRow | undefined> => {
      while (this.#rows.length === 0 && !this.isClosed) await new Promise<void>((resolve) => (this.#wake = resolve));
      const row = this.isClosed ? undefined : this.#rows.shift();
      if (row instanceof Error) throw row;
      return row;
    };
    const close = (): void => {
      this.isClosed = true;
      this.#wake();
    };
    return { next, close };
  }

  /** Delivers them as the next rows, and waits a moment. */
  async deliver(...batches: (LooseBatch | Error)[]): Promise<void> {
    for (const batch of batches) this.#rows.push(batch instanceof Error ? batch : this.#placed(batch));
    this.#wake();
    await pause(5);
  }

  #placed(batch: LooseBatch): LogRow {
    const number = ++this.#number;
    return { ...batch, place: { epoch: "e1", number, revision: 7 + 2 * number } };
  }
}

/** A batch of another node or process, with its header. */
export function batchOf(header: Partial<NodeBatch>, commands: readonly Command[], timeMs = 0): LooseBatch {
  const whole: NodeBatch = {
    ...{ type: "nodeBatch", node: "n2", incarnation: "2".repeat(16), replaces: "", number: 1 },
    ...{ atSeq: 0, digest: "0".repeat(16), release: "1.0.0", ...header },
  };
  const { node, incarnation, number } = whole;
  const bytes = encodeCommands([whole, ...commands]);
  return { id: `${node}/${incarnation}/${number}`, node, timeMs, count: commands.length + 1, bytes };
}
