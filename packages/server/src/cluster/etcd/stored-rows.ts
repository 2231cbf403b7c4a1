/**
 * Reads batches after a row from the store itself, for a node whose place in the changes was compacted while the
 * batches are still there. Their numbers follow from the counter, provided that none is missing.
 */
import { LogTrimmed } from "../../journal/port.ts";
import { StoreUnfit } from "../port.ts";
import { wentBack } from "./check-place.ts";
import type { Members } from "./members.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { numberOf, type KeyValue, type RangeRequest } from "./protocol.ts";
import type { Reached } from "./row-assembler.ts";

/** Batches that are read by one call. */
const PAGE = 32;

export interface StoredRows {
  /** Nothing is missing up to this revision once all of `pages` is taken: a watch may begin after it. */
  readonly revision: number;
  /** All rows of one moment, in order. Throws `LogTrimmed` when some are removed meanwhile. */
  readonly pages: AsyncIterable<readonly StoredRow[]>;
}

export interface StoredRow {
  readonly number: number;
  readonly batch: KeyValue;
}

/** Throws `LogTrimmed` when rows after `reached` are gone. */
export async function readStoredRows(members: Members, epoch: OpenEpoch, reached: Reached): Promise<StoredRows> {
  const { keys } = epoch;
  const trimmed = (): LogTrimmed =>
    new LogTrimmed(`the log does not hold the rows after row ${reached.number} any more: this node needs a backup`);
  const list: RangeRequest = {
    ...keys.batches,
    ...{ keysOnly: true, sortOrder: "ASCEND", sortTarget: "MOD", minModRevision: reached.revision + 1 },
  };
  const answer = await members.call("KV/Txn", {
    compare: [],
    success: [{ range: { key: keys.counter } }, { range: list }],
  });
  const [counter, batches] = answer.responses.map(({ range }) => range?.kvs ?? []);
  const last = counter?.[0] === undefined ? 0 : numberOf(counter[0].version);
  const lastId = counter?.[0]?.value.toString("utf8");
  const isAnother = last === reached.number && reached.id !== "" && lastId !== reached.id;
  if (last < reached.number || isAnother) throw new StoreUnfit(wentBack(`its log ends with batch ${last}, ${lastId}`));
  if (batches === undefined || batches.length !== last - reached.number) throw trimmed();
  return { revision: numberOf(answer.header.revision), pages: pagesOf(members, batches, reached.number, trimmed) };
}

async function* pagesOf(
  members: Members,
  batches: readonly KeyValue[],
  before: number,
  trimmed: () => LogTrimmed,
): AsyncGenerator<StoredRow[]> {
  for (let at = 0; at < batches.length; at += PAGE) {
    const success = batches.slice(at, at + PAGE).map(({ key }) => ({ range: { key } }));
    const { responses } = await members.call("KV/Txn", { compare: [], success });
    yield responses.map(({ range }, i) => {
      const batch = range?.kvs[0];
      if (batch === undefined) throw trimmed();
      return { number: before + at + i + 1, batch };
    });
  }
}
