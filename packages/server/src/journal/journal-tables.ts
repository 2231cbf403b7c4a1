/** The tables in a journal's file besides its rows: the position in a shared log, and the cuts of a lab's journal. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { transaction } from "../platform/disk.ts";
import { JournalDamaged, type JournalHead, type JournalPlace, JournalUnreadable } from "./port.ts";
import { createHash } from "node:crypto";

const MAKE = `
  CREATE TABLE IF NOT EXISTS shared_place (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    epoch    TEXT NOT NULL,
    number   INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    seq      INTEGER NOT NULL
  ) STRICT`;
const WRITE = `
  INSERT INTO shared_place VALUES (1, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET
    epoch = excluded.epoch, number = excluded.number, revision = excluded.revision, seq = excluded.seq`;
const IS_THERE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'shared_place'";
const READ = "SELECT epoch, number, revision, seq FROM shared_place";

export class PlaceTable {
  readonly #database: DatabaseSync;
  /** Undefined until a transaction has created the table or found it. */
  #write: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The stored position; null if no row came from a shared log. Throws `JournalUnreadable` for invalid values. */
  read(): JournalPlace | null {
    if (this.#database.prepare(IS_THERE).get() === undefined) return null;
    const place = this.#database.prepare(READ).get() as unknown as JournalPlace | undefined;
    if (place === undefined) return null;
    const { epoch, number, revision, seq } = place;
    if (epoch === "" || number < 1 || revision < 1 || seq < 1) {
      throw new JournalUnreadable("The journal's position in the shared log is damaged");
    }
    return { epoch, number, revision, seq };
  }

  /** Removes the position, because the journal no longer belongs to a shared log. */
  forget(): void {
    this.#write = undefined;
    this.#database.exec("DROP TABLE IF EXISTS shared_place");
  }

  /** Runs `work` and stores the position in one transaction. If either throws, nothing is changed. */
  writeWith(work: () => void, { epoch, number, revision, seq }: JournalPlace): void {
    let write = this.#write;
    // If the transaction fails, the creation of the table may also be rolled back.
    this.#write = undefined;
    transaction(this.#database, "IMMEDIATE", () => {
      work();
      if (write === undefined) {
        this.#database.exec(MAKE);
        write = this.#database.prepare(WRITE);
      }
      write.run(epoch, number, revision, seq);
    });
    this.#write = write;
  }
}

export interface JournalCut {
  /** The number of the cut, counted from 1. */
  readonly number: number;
  /** The last entry before the cut, and the chain hash after it. */
  readonly fromSeq: number;
  readonly fromChainHash: string;
  /** The last entry that the cut kept, and the chain hash after it. */
  readonly toSeq: number;
  readonly toChainHash: string;
  /** SHA-256 (hex) over the previous cut's hash and all other fields. */
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

  /** Records a cut. Must be called in the transaction of the cut. */
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

  /** The cuts, oldest first. Throws `JournalDamaged` if their hashes do not match. */
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
