/**
 * The history of a lab, in the node's own thread: no replica and no thread of its own, since the serving engine tells
 * what came of each entry. It is written when a question comes, or when much has gathered. A question is answered in
 * the turn in which it is asked, so that a moment of the lab is over when nothing waits any more.
 */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import type { Engine, Entry, Event } from "@pricetime/engine";
import type { HistoryScope, HistoryWriter } from "../../history/writing/history-writer.ts";
import { type Answer, type Arguments, type History, HistoryBehind, type QueryName } from "../../history/port.ts";
import { openQueries, type Query } from "../../history/reading/queries.ts";
import type { JournalHead } from "../../journal/port.ts";

/** `off`: nothing is written, and every question is refused; `candles`: candles alone are. */
export type LabHistoryMode = "on" | "candles" | "off";

export const scopeOf = (mode: LabHistoryMode): HistoryScope => (mode === "candles" ? "candles" : "all");

/** The queries that candles alone can answer. */
const OF_CANDLES: ReadonlySet<QueryName> = new Set<QueryName>(["klines", "klinePage"]);

/** Which file holds it: that of candles is another, so that neither is ever mistaken for the other. */
export interface LabTables {
  readonly database: DatabaseSync;
  readonly writer: HistoryWriter;
}

export interface LabHistoryParts {
  /** The tables and their writer, at the engine's position; undefined: no history is kept. */
  readonly tables: LabTables | undefined;
  readonly mode: LabHistoryMode;
  /** The serving engine. */
  readonly engine: Engine;
  /** Returns the journal's head just after entry `seq`, where a row ends. */
  readonly headAt: (seq: number) => JournalHead | undefined;
  /** The entries that may wait to be written. */
  readonly unwrittenEntries: number;
  /** Called when history cannot be written any more. */
  readonly onFatal: (error: Error) => void;
}

export class LabHistory implements History {
  readonly #parts: LabHistoryParts;
  readonly #writer: HistoryWriter | undefined;
  readonly #query: Query | undefined;
  /** The last entry that is written. */
  #writtenSeq: number;
  /** The last entry of the last batch that is applied as a whole. */
  #appliedSeq: number;
  /** Questions that came in the midst of a batch. */
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

  /** The last entry that history includes. */
  get seq(): number {
    return this.#parts.engine.seq;
  }

  /** Call it after each entry; undefined where no history is kept. */
  get record(): ((entry: Entry, events: readonly Event[]) => void) | undefined {
    const writer = this.#writer;
    const { engine } = this.#parts;
    return writer && ((entry, events) => writer.record(engine, entry, events, engine.postings));
  }

  /** The batch that ends with entry `seq` is applied as a whole. */
  publish(seq: number): void {
    this.#appliedSeq = seq;
    const isMuch = seq - this.#writtenSeq >= this.#parts.unwrittenEntries || this.#writer?.isFull === true;
    if (isMuch) this.write();
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Writes what has gathered. Call it at the end of a batch. Throws when the disk fails, and the lab ends. */
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
    // An empty answer would tell a bot that an order which was filled does not exist.
    if (this.#query === undefined || (mode === "candles" && !OF_CANDLES.has(name)))
      throw new HistoryBehind(`this lab keeps no such history (--history ${mode})`);
    if (seq > engine.seq) throw new HistoryBehind(`history stands at entry ${engine.seq}, ${seq} was asked for`);
    if (this.#appliedSeq < engine.seq) await new Promise<void>((go) => this.#waiting.push(go));
    this.write();
    return this.#query(name, args);
  }
}
