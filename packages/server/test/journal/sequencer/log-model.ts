/**
 * The expected result of a log's rows, computed without the sequencer: which of them count, and the events of each
 * entry.
 */
import { type Command, decodeCommands, Engine, type NodeBatch } from "@pricetime/engine";
import type { LogRow } from "../../../src/journal/port.ts";
import type { MemoryLog } from "./memory-log.ts";

export interface ModelEntry {
  readonly command: Command;
  readonly timeMs: number;
}

export class LogModel {
  readonly #log: MemoryLog;
  readonly #names = new Map<string, { incarnation: string; number: number }>();
  #read = 0;
  readonly entries: ModelEntry[] = [];
  skipped = 0;
  #timeMs = 0;

  constructor(log: MemoryLog) {
    this.#log = log;
  }

  /** The last entry. */
  get seq(): number {
    for (; this.#read < this.#log.rows.length; this.#read++) this.#take(this.#log.rows[this.#read]!);
    return this.entries.length;
  }

  #take({ bytes, count, timeMs }: LogRow): void {
    const commands = decodeCommands(bytes, count);
    const { node, incarnation, replaces, number } = commands[0] as NodeBatch;
    const known = this.#names.get(node) ?? { incarnation: "", number: 0 };
    const follows = known.incarnation === incarnation ? number > known.number : replaces === known.incarnation;
    if (!follows) {
      this.skipped++;
      return;
    }
    this.#names.set(node, { incarnation, number });
    this.#timeMs = Math.max(this.#timeMs, timeMs);
    for (const command of commands) this.entries.push({ command, timeMs: this.#timeMs });
  }

  /** The engine after all rows; `visit` is called with each entry's events in the state after it. */
  replay(visit: (entry: ModelEntry, events: ReturnType<Engine["apply"]>) => void): Engine {
    const engine = new Engine();
    for (let seq = 1; seq <= this.seq; seq++) {
      const entry = this.entries[seq - 1]!;
      visit(entry, engine.apply({ seq, ...entry }));
    }
    return engine;
  }
}
