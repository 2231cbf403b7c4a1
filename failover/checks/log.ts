/**
 * The order of things, read from a node's own copy of it: its journal file, by SQL and a chain of hashes of this
 * campaign's own. Of the exchange's code it uses the decoder of commands alone; a decoder that is wrong shows where
 * commands are compared with what clients sent.
 */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type Command, decodeCommands } from "@pricetime/engine";
import type { Findings } from "./findings.ts";

export interface LoggedRow {
  readonly firstSeq: number;
  readonly count: number;
  readonly timeMs: number;
  readonly node: string;
  readonly bytes: Uint8Array;
  readonly priorEventDigest: string;
  readonly chainHash: string;
}

export interface LoggedEntry {
  readonly seq: number;
  readonly timeMs: number;
  /** The node that put it there. */
  readonly node: string;
  readonly command: Command;
}

const ROWS = `SELECT first_seq AS firstSeq, count, time_ms AS timeMs, node, bytes,
  prior_state_hash AS priorEventDigest, chain_hash AS chainHash FROM batches ORDER BY first_seq`;

/** Reads all rows of a journal file; a node may be running. */
export function readRows(path: string): LoggedRow[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(ROWS).all() as unknown as LoggedRow[];
  } finally {
    database.close();
  }
}

/** Checks that numbers have no gaps, time does not go back and the chain holds; returns the entries. */
export function entriesOf(rows: readonly LoggedRow[], findings: Findings): LoggedEntry[] {
  const entries: LoggedEntry[] = [];
  let [lastSeq, lastTimeMs] = [0, 0];
  for (const [i, row] of rows.entries()) {
    const { firstSeq, count, timeMs, node, bytes } = row;
    if (firstSeq !== lastSeq + 1) findings.add("log", `row ${firstSeq} follows entry ${lastSeq}`);
    if (timeMs < lastTimeMs) findings.add("log", `time goes back at entry ${firstSeq}: ${lastTimeMs}, ${timeMs}`);
    if (!isChained(rows, i)) findings.add("log", `the chain breaks at entry ${firstSeq}`);
    const commands = decodeCommands(bytes, count);
    for (const [at, command] of commands.entries()) entries.push({ seq: firstSeq + at, timeMs, node, command });
    [lastSeq, lastTimeMs] = [firstSeq + count - 1, timeMs];
  }
  return entries;
}

/** Whether a row's hash is that of its content and of the row before it. */
export function isChained(rows: readonly LoggedRow[], at: number): boolean {
  const row = rows[at] as LoggedRow;
  return chained(rows[at - 1]?.chainHash ?? "0".repeat(64), row) === row.chainHash;
}

function chained(before: string, { firstSeq, count, timeMs, node, bytes, priorEventDigest }: LoggedRow): string {
  const texts = [Buffer.from(node), Buffer.from(priorEventDigest), Buffer.from(bytes)];
  const numbers = [firstSeq, count, timeMs, ...texts.map(({ length }) => length)];
  const fixed = Buffer.alloc(8 * numbers.length);
  for (const [at, number] of numbers.entries()) fixed.writeBigUInt64BE(BigInt(number), 8 * at);
  return createHash("sha256")
    .update(Buffer.concat([Buffer.from(before, "hex"), fixed, ...texts]))
    .digest("hex");
}
