/** Where a lab's journal was cut: what was there is gone, and these notes, chained as rows are, say that it was. */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { JournalDamaged, type JournalHead } from "./port.ts";

export interface JournalCut {
  /** Counts from 1. */
  readonly number: number;
  /** The last entry before the cut, and the chain there. */
  readonly fromSeq: number;
  readonly fromChainHash: string;
  /** The last entry that stayed, and the chain there. */
  readonly toSeq: number;
  readonly toChainHash: string;
  /** SHA-256 (hex) over the hash of the cut before and all of these. */
  readonly hash: string;
}

const TABLE = "cuts";
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    number          INTEGER PRIMARY KEY,
    from_seq        INTEGER NOT NULL,
    from_chain_hash TEXT NOT NULL,
    to_seq          INTEGER NOT NULL,
    to_chain_hash   TEXT NOT NULL,
    hash            TEXT NOT NULL
  ) STRICT;
`;

export class CutTable {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Call it within the transaction that cuts. */
  note(from: JournalHead, to: JournalHead): void {
    this.#database.exec(SCHEMA);
    const last = this.#database
      .prepare(`SELECT number, hash FROM ${TABLE} ORDER BY number DESC LIMIT 1`)
      .get() as unknown as Pick<JournalCut, "number" | "hash"> | undefined;
    const cut = {
      number: (last?.number ?? 0) + 1,
      fromSeq: from.lastSeq,
      fromChainHash: from.chainHash,
      toSeq: to.lastSeq,
      toChainHash: to.chainHash,
    };
    this.#database
      .prepare(`INSERT INTO ${TABLE} VALUES (?, ?, ?, ?, ?, ?)`)
      .run(...Object.values(cut), hashOf(last?.hash ?? "", cut));
  }

  /** Throws `JournalDamaged`. */
  read(): readonly JournalCut[] {
    if (this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(TABLE) === undefined) return [];
    const cuts = this.#database
      .prepare(
        `SELECT number, from_seq AS fromSeq, from_chain_hash AS fromChainHash, to_seq AS toSeq,
           to_chain_hash AS toChainHash, hash FROM ${TABLE} ORDER BY number`,
      )
      .all() as unknown as JournalCut[];
    let prior = "";
    for (const [index, cut] of cuts.entries()) {
      if (cut.number !== index + 1 || cut.hash !== hashOf(prior, cut)) {
        throw new JournalDamaged(cut.toSeq, `the records of restored checkpoints are damaged at record ${index + 1}`);
      }
      prior = cut.hash;
    }
    return cuts;
  }
}

function hashOf(prior: string, cut: Omit<JournalCut, "hash">): string {
  const { number, fromSeq, fromChainHash, toSeq, toChainHash } = cut;
  const text = JSON.stringify([prior, number, fromSeq, fromChainHash, toSeq, toChainHash]);
  return createHash("sha256").update(text).digest("hex");
}
