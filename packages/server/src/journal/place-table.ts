/**
 * The table in a journal's file that says where the journal stands in a shared log. It is made when the first row comes
 * from such a log, so the file of a node that is alone stays as it was; releases that know nothing of it pass it over.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { transaction } from "../platform/disk/transaction.ts";
import { type JournalPlace, JournalUnreadable } from "./port.ts";

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
  /** Undefined until a transaction has ensured that the table exists. */
  #write: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns null when no row came from a shared log. Throws `JournalUnreadable` for values that no place has. */
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

  /** The journal is in no shared log any more. */
  forget(): void {
    this.#write = undefined;
    this.#database.exec("DROP TABLE IF EXISTS shared_place");
  }

  /** Does the work and keeps the place in one transaction. Throws the first error; then nothing was done. */
  writeWith(work: () => void, { epoch, number, revision, seq }: JournalPlace): void {
    let write = this.#write;
    // If the transaction fails, the table may be gone with it.
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
