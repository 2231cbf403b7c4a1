/** Replays a whole journal into an engine and tables of its own, beside those that are in use. */
import { Engine } from "@pricetime/engine";
import { type HistoryScope, HistoryWriter } from "../../history/history-writer.ts";
import { checkedAfter } from "../../journal/check.ts";
import { type Batch, EMPTY_HEAD, headAfter, JournalDamaged, type JournalHead } from "../../journal/port.ts";
import { replayBatch } from "../../journal/replica/replay.ts";
import { openTablesFile, type TablesFileOptions } from "./tables-file.ts";

export interface ReplayBesideOptions {
  /** Where the tables are made; undefined: no history is. */
  readonly path: string | undefined;
  readonly scope: HistoryScope;
  readonly file: TablesFileOptions;
  readonly hashSeed: number;
  /** The entries of one transaction, after which others have their turn. */
  readonly entriesAtATime: number;
  readonly rest: () => Promise<void>;
}

/** Rejects with `JournalDamaged` when a row does not follow, or does not lead to what its writer had. */
export async function replayBeside(
  rows: Iterable<Batch>,
  { path, scope, file, hashSeed, entriesAtATime, rest }: ReplayBesideOptions,
): Promise<{ readonly engine: Engine; readonly head: JournalHead }> {
  const engine = new Engine({ hashSeed, recordPostings: path !== undefined && scope === "all" });
  const database = path === undefined ? undefined : openTablesFile({ ...file, path, kind: "temporary" });
  try {
    const writer = database && new HistoryWriter(database, scope);
    let head = EMPTY_HEAD;
    let writtenSeq = 0;
    for (const row of checkedAfter(EMPTY_HEAD, rows)) {
      replay(engine, row, (entry, events) => writer?.record(engine, entry, events, engine.postings));
      head = headAfter(row);
      if (engine.seq - writtenSeq < entriesAtATime && writer?.isFull !== true) continue;
      writer?.commit(engine, head.chainHash);
      writtenSeq = engine.seq;
      await rest();
    }
    writer?.commit(engine, head.chainHash);
    return { engine, head };
  } finally {
    database?.close();
  }
}

/** The rows may come from a stranger: what the engine takes for a bug of ours is a journal that no engine wrote. */
function replay(engine: Engine, row: Batch, visit: Parameters<typeof replayBatch>[2]): void {
  try {
    replayBatch(engine, row, visit);
  } catch (error) {
    if (error instanceof JournalDamaged) throw error;
    throw new JournalDamaged(row.firstSeq, `it cannot be replayed: ${(error as Error).message}`, { cause: error });
  }
}
