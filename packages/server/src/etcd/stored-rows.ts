/**
 * Batches after a row, read from the store itself: for when its changes were compacted further than its batches were
 * removed. Their numbers follow from the counter, if none of them is missing.
 */
import { LogTrimmed } from "../journal/port.ts";
import { StoreUnfit } from "./failure.ts";
import { wentBack } from "./check-place.ts";
import type { Members } from "./members.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { numberOf, type KeyValue, type RangeRequest } from "./protocol.ts";
import type { Reached } from "./row-assembler.ts";

/** Batches that are read by one call. */
const PAGE = 32;

export interface StoredRow {
  readonly number: number;
  readonly batch: KeyValue;
}

/** All of one moment, in order. Throws `LogTrimmed` when rows after `reached` are gone, also while it reads. */
export async function* readStoredRows(members: Members, epoch: OpenEpoch, reached: Reached): AsyncGenerator<StoredRow> {
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
  if (last < reached.number) throw new StoreUnfit(wentBack(`it ends with row ${last}`));
  if (batches === undefined || batches.length !== last - reached.number) throw trimmed();
  for (let at = 0; at < batches.length; at += PAGE) {
    const page = batches.slice(at, at + PAGE);
    const success = page.map(({ key }) => ({ range: { key } }));
    const { responses } = await members.call("KV/Txn", { compare: [], success });
    for (const [i, { range }] of responses.entries()) {
      const batch = range?.kvs[0];
      if (batch === undefined) throw trimmed();
      yield { number: reached.number + at + i + 1, batch };
    }
  }
}
