/**
 * Reads the order of entries from a node's journal file, by SQL and with this campaign's own hash chain. Of the
 * exchange's code it uses only the decoder of commands; a wrong decoder shows when commands are compared with the
 * clients' requests.
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
  /** The node that appended it. */
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

/**
 * Checks that numbers have no gaps, that time does not go back, and that the hash chain is intact; returns the entries.
 */
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

/** Whether a row's hash covers its content and the row before it. */
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
