/**
 * The history of a lab, in the node's own thread. It has no replica, because the serving engine provides the events of
 * each entry. Events are written to the tables when a query arrives, or when many are buffered. A query is answered in
 * the same turn, so that an instant of the lab has ended when no work is pending.
 */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import type { Engine, Entry, Event } from "@pricetime/engine";
import type { HistoryScope, HistoryWriter } from "../../history/writing/history-writer.ts";
import { type Answer, type Arguments, type History, HistoryBehind, type QueryName } from "../../history/port.ts";
import { openQueries, type Query } from "../../history/reading/queries.ts";
import type { JournalHead } from "../../journal/port.ts";

/** `off`: nothing is written, and queries are rejected; `candles`: only candles are written. */
export type LabHistoryMode = "on" | "candles" | "off";

export const scopeOf = (mode: LabHistoryMode): HistoryScope => (mode === "candles" ? "candles" : "all");

/** Whether a query needs only candles. Those of a second are computed from trades. */
function isOfCandles<Name extends QueryName>(name: Name, args: Arguments<Name>): boolean {
  return (name === "klines" || name === "klinePage") && (args as Arguments<"klines">).interval !== "1s";
}

/**
 * The tables of the history. Candles alone are in a separate file, so that it is never mistaken for the complete
 * history.
 */
export interface LabTables {
  readonly database: DatabaseSync;
  readonly writer: HistoryWriter;
}

export interface LabHistoryParts {
  /** The tables and their writer, at the engine's position; undefined without history. */
  readonly tables: LabTables | undefined;
  readonly mode: LabHistoryMode;
  /** The serving engine. */
  readonly engine: Engine;
  /** Returns the journal's head just after entry `seq`; undefined if no row ends there. */
  readonly headAt: (seq: number) => JournalHead | undefined;
  /** The maximum number of buffered entries. */
  readonly unwrittenEntries: number;
  /** Called when history cannot be written. */
  readonly onFatal: (error: Error) => void;
}

export class LabHistory implements History {
  readonly #parts: LabHistoryParts;
  readonly #writer: HistoryWriter | undefined;
  readonly #query: Query | undefined;
  /** The last entry that was written to the tables. */
  #writtenSeq: number;
  /** The last entry of the last complete batch. */
  #appliedSeq: number;
  /** Queries that arrived while a batch was applied. */
  readonly #waiting: (() => void)[] = [];

  constructor(parts: LabHistoryParts) {
    const { tables, engine, mode } = parts;
    this.#parts = parts;
    this.#writtenSeq = engine.seq;
    this.#appliedSeq = engine.seq;
    assert((mode === "off") === (tables === undefined), "a history that is kept has tables");
    this.#writer = tables?.writer;
    this.#query = tables && openQueries(tables.database);
  }

  /** The last entry that the history includes. */
  get seq(): number {
    return this.#parts.engine.seq;
  }

  /** Called after each entry; undefined without history. */
  get record(): ((entry: Entry, events: readonly Event[]) => void) | undefined {
    const writer = this.#writer;
    const { engine } = this.#parts;
    return writer && ((entry, events) => writer.record(engine, entry, events, engine.postings));
  }

  /** Called when the batch that ends with entry `seq` is completely applied. */
  publish(seq: number): void {
    this.#appliedSeq = seq;
    const isMuch = seq - this.#writtenSeq >= this.#parts.unwrittenEntries || this.#writer?.isFull === true;
    if (isMuch) this.write();
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Writes buffered entries. Called at the end of a batch. Throws disk errors, after which the lab ends. */
  write(): void {
    const { engine, headAt, onFatal } = this.#parts;
    if (this.#writer === undefined || this.#writtenSeq === engine.seq) return;
    const head = headAt(engine.seq);
    assert(head !== undefined, "history is written at the end of a row");
    try {
      this.#writer.commit(engine, head.chainHash);
    } catch (error) {
      onFatal(error as Error);
      throw error;
    }
    this.#writtenSeq = engine.seq;
  }

  async query<Name extends QueryName>(seq: number, name: Name, args: Arguments<Name>): Promise<Answer<Name>> {
    const { engine, mode } = this.#parts;
    // An empty answer would mean to a bot that its filled order does not exist.
    if (this.#query === undefined || (mode === "candles" && !isOfCandles(name, args)))
      throw new HistoryBehind(`this lab keeps no such history (--history ${mode})`);
    if (seq > engine.seq) throw new HistoryBehind(`history stands at entry ${engine.seq}, ${seq} was asked for`);
    if (this.#appliedSeq < engine.seq) await new Promise<void>((go) => this.#waiting.push(go));
    this.write();
    return this.#query(name, args);
  }
}
