/**
 * Places a batch: assigns its number and the event digest before it, writes it to the journal, and applies it to the
 * engine. On a single node, this also determines which batch is next.
 */
import assert from "node:assert/strict";
import { type Command, decodeCommands, type Engine, type Entry, type Event } from "@pricetime/engine";
import type { Batch, Journal, JournalHead, LogPlace } from "../port.ts";
import type { Clock, Timers } from "../../platform/world/port.ts";
import type { CommitEnd, Committer, FormedBatch, PromptBatch, SequencerLimits, Settle } from "./batch.ts";
import { OutcomeUnknown } from "./port.ts";

export interface PlacedBatch {
  readonly firstSeq: number;
  readonly count: number;
  readonly timeMs: number;
  /** Time that the journal took to make the batch durable. */
  readonly appendMs: number;
}

export interface PlacementOptions {
  readonly journal: Journal;
  /** The engine, whose state is that at the journal's head. */
  readonly engine: Engine;
  /** The name of this node. */
  readonly node: string;
  readonly onApplied?: ((entry: Entry, events: readonly Event[]) => void) | undefined;
  /** Called after all entries of a batch were applied. The batch may be from any node. */
  readonly onBatch: (batch: PlacedBatch) => void;
  readonly world: Clock & Timers;
  readonly limits: Pick<SequencerLimits, "recoveryAttempts" | "recoveryPauseMs">;
}

export class Placement implements Committer {
  readonly #options: PlacementOptions;
  readonly #engine: Engine;
  readonly commitNow: Committer["commitNow"];

  constructor(options: PlacementOptions) {
    const { journal } = options;
    this.#options = options;
    this.#engine = options.engine;
    if (journal.appendNow !== undefined) this.commitNow = this.#commitNow(journal.appendNow.bind(journal));
  }

  start(): void {}

  async commit({ bytes, commands, settles }: FormedBatch, timeMs: number, end: CommitEnd): Promise<void> {
    const { node } = this.#options;
    let placed: PlacedBatch;
    try {
      placed = await this.write({ count: commands.length, timeMs, node, bytes });
    } catch (error) {
      end(error as Error);
      return;
    }
    this.apply(placed, commands, settles);
    end(undefined);
  }

  stopping(): void {}

  /**
   * Writes the batch as the next one, with its position if it is from a shared log. Resolves when it is durable.
   * Rejects with the errors of `Journal.append`.
   */
  async write(batch: Pick<Batch, "count" | "timeMs" | "node" | "bytes">, place?: LogPlace): Promise<PlacedBatch> {
    const { journal, world } = this.#options;
    const firstSeq = this.#engine.seq + 1;
    const startMs = world.steadyMs();
    await journal.append({ ...batch, firstSeq, priorEventDigest: this.#engine.eventDigest() }, place);
    return { firstSeq, count: batch.count, timeMs: batch.timeMs, appendMs: world.steadyMs() - startMs };
  }

  /** Applies all entries of a durable batch in one turn. Each request is answered immediately after its entry. */
  apply(placed: PlacedBatch, commands: readonly Command[], settles: readonly Settle[]): void {
    const engine = this.#engine;
    const { onApplied, onBatch } = this.#options;
    const { firstSeq, timeMs } = placed;
    let answered = 0;
    try {
      for (const command of commands) {
        const entry = { seq: firstSeq + answered, timeMs, command };
        const events = engine.apply(entry);
        onApplied?.(entry, events);
        settles[answered++]?.({ seq: entry.seq, timeMs, events });
      }
    } catch (error) {
      for (const settle of settles.slice(answered)) settle(new OutcomeUnknown((error as Error).message));
      throw error;
    }
    onBatch(placed);
  }

  /** Writes and applies a batch synchronously. */
  #commitNow(append: NonNullable<Journal["appendNow"]>): NonNullable<Committer["commitNow"]> {
    const engine = this.#engine;
    const { node, onApplied, onBatch } = this.#options;
    return ({ bytes, commands, settle }: PromptBatch, timeMs: number) => {
      const firstSeq = engine.seq + 1;
      const count = commands.length;
      try {
        append({ firstSeq, count, timeMs, node, bytes, priorEventDigest: engine.eventDigest() });
      } catch (error) {
        return error as Error;
      }
      for (let index = 0; index < count; index++) {
        const entry = { seq: firstSeq + index, timeMs, command: commands[index] as Command };
        const events = engine.apply(entry);
        onApplied?.(entry, events);
        settle({ seq: entry.seq, timeMs, events }, index);
      }
      onBatch({ firstSeq, count, timeMs, appendMs: 0 });
      return undefined;
    };
  }

  /**
   * Brings the engine's state to the journal's head after a failed append. Rejects if the head cannot be determined.
   */
  async recover(cause: Error): Promise<void> {
    const { journal } = this.#options;
    const head = await this.#headAgain(cause);
    assert(head.lastSeq >= this.#engine.seq, "the journal has lost entries");
    if (head.lastSeq === this.#engine.seq) return;
    for await (const batch of journal.read(this.#engine.seq + 1)) {
      assert.equal(batch.firstSeq, this.#engine.seq + 1, "the journal holds what this node did not write");
      assert.equal(batch.priorEventDigest, this.#engine.eventDigest(), "the journal was written from another state");
      this.apply({ ...batch, appendMs: 0 }, decodeCommands(batch.bytes, batch.count), []);
    }
  }

  async close(): Promise<void> {}

  async #headAgain(cause: Error): Promise<JournalHead> {
    const { journal, world, limits } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await journal.head();
      } catch (error) {
        if (attempt === limits.recoveryAttempts) {
          throw new Error(`the journal failed (${cause.message}) and cannot be read`, { cause: error });
        }
      }
      await world.pause(limits.recoveryPauseMs);
    }
  }
}
