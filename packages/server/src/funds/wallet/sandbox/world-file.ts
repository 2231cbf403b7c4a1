/**
 * A sandbox chain in a separate file: blocks, transactions, and scheduled faults. It simulates an external network, so
 * it has no access to the journal, and its data is independent of the node's.
 *
 * Blocks are not stored: the hash of a block is derived from its height and its fork, so years of empty blocks cost
 * nothing. A reorg begins a new fork; no hash ever repeats.
 *
 * In a lab, where days pass within minutes and no other process writes the file, empty blocks are only counted, and
 * written with the next change or when a block is requested.
 */
import { z } from "zod";
import { savedCount, SavedStateUnreadable } from "../../../platform/world/saved-state.ts";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { isDiskTrouble, OPEN_PATIENCE_MS, transaction } from "../../../platform/disk.ts";
import type { Dice, SavedValue, Saves } from "../../../platform/world/port.ts";
import { ChainUnreachable, type EmptyBlocks } from "../chain.ts";

const SAVED_WORLD = z.strictObject({
  world: z.strictObject({
    genesis: z.string().regex(/^[0-9a-f]{32}$/),
    height: savedCount,
    nextFork: savedCount,
    nextStranger: savedCount,
    reverts: savedCount,
    losses: savedCount,
    takenNonces: savedCount,
  }),
  forks: z.array(z.strictObject({ fromHeight: savedCount, fork: savedCount })),
  transactions: z.array(
    z.strictObject({
      number: savedCount,
      txId: z.string(),
      asset: z.string(),
      address: z.string(),
      tag: z.string(),
      amount: z.string(),
      nonce: savedCount.nullable(),
      height: savedCount.nullable(),
      isSuccess: z.literal([0, 1]),
    }),
  ),
});

type SavedWorld = z.infer<typeof SAVED_WORLD>;

/**
 * How long a write waits for another process's write. This is only exceeded if that process was stopped while writing.
 */
const WRITE_PATIENCE_MS = 50;
/** SQLite application id "PTS1", which marks the file as a sandbox. */
const APPLICATION_ID = 0x50545331;
const SCHEMA = `
  CREATE TABLE world (
    id               INTEGER PRIMARY KEY CHECK (id = 1),
    genesis          TEXT NOT NULL,
    height           INTEGER NOT NULL,
    next_fork        INTEGER NOT NULL,
    next_stranger    INTEGER NOT NULL,
    reverts          INTEGER NOT NULL,
    losses           INTEGER NOT NULL,
    taken_nonces     INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE forks (from_height INTEGER PRIMARY KEY, fork INTEGER NOT NULL) STRICT;
  CREATE TABLE transactions (
    number     INTEGER PRIMARY KEY,
    tx_id      TEXT NOT NULL UNIQUE,
    asset      TEXT NOT NULL,
    address    TEXT NOT NULL,
    tag        TEXT NOT NULL,
    amount     TEXT NOT NULL,
    nonce      INTEGER,
    height     INTEGER,
    is_success INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX transactions_by_height ON transactions (height);
  CREATE INDEX transactions_by_nonce ON transactions (nonce) WHERE nonce IS NOT NULL;
  PRAGMA application_id = ${APPLICATION_ID};
`;

export interface WorldTransaction {
  readonly txId: string;
  readonly asset: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: string;
  /** The nonce of the exchange's paying account; null for transactions from outside. */
  readonly nonce: number | null;
  /** The height of the transaction's block; null if it is pending. */
  readonly height: number | null;
  readonly isSuccess: boolean;
}

export interface World {
  /** A random value that distinguishes this chain from all others. */
  readonly genesis: string;
  readonly height: number;
  readonly nextFork: number;
  readonly nextStranger: number;
  /** Number of upcoming payments that will revert, be lost, or have their nonce taken. */
  readonly reverts: number;
  readonly losses: number;
  readonly takenNonces: number;
}

const WORLD = `SELECT genesis, height, next_fork AS nextFork, next_stranger AS nextStranger, reverts, losses,
  taken_nonces AS takenNonces FROM world`;
const COLUMNS = `tx_id AS txId, asset, address, tag, amount, nonce, height, is_success AS isSuccess`;

interface CountedBlocks extends EmptyBlocks {
  height: number;
}

const COMMITS = "PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL;";
/** A rollback journal is needed because the process may be killed during a commit. */
const COMMITS_OF_LAB = "PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE;";

export class WorldFile {
  /** Cached, because it never changes. */
  #genesis: string | undefined;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #isAlone: boolean;
  /** Empty blocks that are not written yet. null: the next block is not empty; undefined: not checked yet. */
  #empty: CountedBlocks | null | undefined;

  /**
   * Opens the file, and creates it if it is missing. Throws an `Error` if the file is something else. `isOfLab`: writes
   * are not synced, and no other process writes the file.
   */
  static open(path: string, world: Dice & Saves, isOfLab = false): WorldFile {
    closeSync(openSync(path, "a", 0o600));
    const database = new DatabaseSync(path, { timeout: OPEN_PATIENCE_MS });
    // `synchronous` comes first, because switching to WAL mode itself syncs. A lab uses no WAL, because every restore
    // would have to recreate it.
    database.exec(isOfLab ? COMMITS_OF_LAB : COMMITS);
    const file = new WorldFile(database, path, world, isOfLab);
    database.exec(`PRAGMA busy_timeout = ${WRITE_PATIENCE_MS}`);
    return file;
  }

  /**
   * `name` is the database's name in messages. If a checkpoint is restored, its chain replaces the contents of the
   * file. `isOfLab`: see `open`.
   */
  constructor(database: DatabaseSync, name: string, world: Dice & Saves, isOfLab = false) {
    this.#database = database;
    this.#isAlone = isOfLab;
    const before = world.saved.restore("chain", SAVED_WORLD, () => this.#state());
    if (this.#isEmpty) this.#make(before?.world.genesis ?? world.randomBytes(16).toString("hex"));
    const { application_id: id } = this.#database.prepare("PRAGMA application_id").get() as { application_id: number };
    if (id !== APPLICATION_ID) throw new Error(`${name} is not a sandbox chain`);
    if (before !== undefined) this.#goBackTo(before);
  }

  #state(): SavedValue {
    const forks = this.#prepared("SELECT from_height AS fromHeight, fork FROM forks ORDER BY from_height").all();
    const rows = this.#prepared(`SELECT number, ${COLUMNS} FROM transactions ORDER BY number`).all();
    // Copied because SQLite rows have no prototype.
    const plain = (all: readonly object[]): SavedValue => all.map((row) => ({ ...row }));
    return { world: { ...this.world() }, forks: plain(forks), transactions: plain(rows) };
  }

  #goBackTo(saved: SavedWorld): void {
    try {
      this.#put(saved);
    } catch (error) {
      if (isDiskTrouble(error)) throw error;
      const why = (error as Error).message;
      throw new SavedStateUnreadable(`the checkpoint is damaged: sandbox chain: ${why}`, { cause: error });
    }
  }

  #put({ world, forks, transactions }: SavedWorld): void {
    transaction(this.#database, "IMMEDIATE", () => {
      this.#database.exec("DELETE FROM forks; DELETE FROM transactions;");
      this.#run("UPDATE world SET genesis = ?", world.genesis);
      this.set(world);
      for (const { fromHeight, fork } of forks) this.#run("INSERT INTO forks VALUES (?, ?)", fromHeight, fork);
      for (const { number, txId, asset, address, tag, amount, nonce, height, isSuccess } of transactions) {
        const values = [number, txId, asset, address, tag, amount, nonce, height, isSuccess];
        this.#run("INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ...values);
      }
    });
  }

  get #isEmpty(): boolean {
    return this.#database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  }

  #make(genesis: string): void {
    transaction(this.#database, "IMMEDIATE", () => {
      // Another process may have created the chain meanwhile.
      if (!this.#isEmpty) return;
      this.#database.exec(SCHEMA);
      this.#run("INSERT INTO world VALUES (1, ?, 0, 1, 1, 0, 0, 0)", genesis);
    });
  }

  /** Runs a change atomically. Throws `ChainUnreachable` while the disk fails; no blocks are then mined. */
  write<T>(change: () => T): T {
    const empty = this.#empty;
    try {
      const result = transaction(this.#database, "IMMEDIATE", () => {
        if (empty) this.set({ height: empty.height });
        this.#empty = undefined;
        return change();
      });
      return result;
    } catch (error) {
      this.#empty = empty;
      if (!isDiskTrouble(error)) throw error;
      throw new ChainUnreachable((error as Error).message, { cause: error });
    }
  }

  /**
   * Counts an empty block, to be written later. Returns false if the block must be mined instead: transactions are
   * pending, or other processes may write.
   */
  addEmptyBlock(): boolean {
    if (!this.#isAlone) return false;
    if (this.#empty === undefined) this.#empty = this.#noneYet();
    if (this.#empty === null) return false;
    this.#empty.height++;
    return true;
  }

  /** The empty blocks that are not written yet. */
  get emptyBlocks(): EmptyBlocks | undefined {
    return this.#empty ?? undefined;
  }

  /** Writes the counted empty blocks. Throws like `write`. */
  writeEmptyBlocks(): void {
    if (this.#empty && this.#empty.height > this.#empty.afterHeight) this.write(() => {});
  }

  #noneYet(): CountedBlocks | null {
    const { genesis, height, takenNonces } = this.world();
    if (takenNonces > 0 || this.countWaiting() > 0) return null;
    const fork = this.#forkAt(height + 1);
    return { afterHeight: height, height, hashAt: (at) => hashOf(genesis, fork, at) };
  }

  world(): World {
    const world = this.#prepared(WORLD).get() as unknown as World;
    return this.#empty ? { ...world, height: this.#empty.height } : world;
  }

  set(change: Partial<Omit<World, "genesis">>): void {
    const { height, nextFork, nextStranger, reverts, losses, takenNonces } = { ...this.world(), ...change };
    this.#run(
      "UPDATE world SET height = ?, next_fork = ?, next_stranger = ?, reverts = ?, losses = ?, taken_nonces = ?",
      ...[height, nextFork, nextStranger, reverts, losses, takenNonces],
    );
  }

  hashAt(height: number): string {
    this.#genesis ??= this.world().genesis;
    return hashOf(this.#genesis, this.#forkAt(height), height);
  }

  #forkAt(height: number): number {
    const row = this.#prepared("SELECT fork FROM forks WHERE from_height <= ? ORDER BY from_height DESC LIMIT 1").get(
      height,
    ) as { fork: number } | undefined;
    return row?.fork ?? 0;
  }

  /** Replaces the blocks from this height on with a new fork. */
  fork(fromHeight: number): void {
    const { nextFork } = this.world();
    this.#run("DELETE FROM forks WHERE from_height >= ?", fromHeight);
    this.#run("INSERT INTO forks VALUES (?, ?)", fromHeight, nextFork);
    this.set({ nextFork: nextFork + 1 });
  }

  transaction(txId: string): WorldTransaction | undefined {
    return this.#transactions("WHERE tx_id = ?", txId)[0];
  }

  minedBetween(fromHeight: number, toHeight: number): WorldTransaction[] {
    return this.#transactions("WHERE height BETWEEN ? AND ? ORDER BY height, number", fromHeight, toHeight);
  }

  /** Pending transactions in order: those of the exchange if `isVenues`, otherwise all others. */
  waiting(isVenues: boolean, limit: number): WorldTransaction[] {
    const whose = isVenues ? "nonce IS NOT NULL ORDER BY nonce, number" : "nonce IS NULL ORDER BY number";
    return this.#transactions(`WHERE height IS NULL AND ${whose} LIMIT ?`, limit);
  }

  countWaiting(): number {
    const row = this.#prepared("SELECT count(*) AS n FROM transactions WHERE height IS NULL").get();
    return (row as { n: number }).n;
  }

  /** The next nonce of the exchange's paying account as of the block at this height. */
  nextNonce(height: number): number {
    const row = this.#prepared(
      "SELECT max(nonce) AS last FROM transactions WHERE nonce IS NOT NULL AND height <= ?",
    ).get(height) as { last: number | null };
    return row.last === null ? 0 : row.last + 1;
  }

  add({ txId, asset, address, tag, amount, nonce, height, isSuccess }: WorldTransaction): void {
    this.#run(
      `INSERT INTO transactions (tx_id, asset, address, tag, amount, nonce, height, is_success)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[txId, asset, address, tag, amount, nonce, height, Number(isSuccess)],
    );
  }

  /** Adds a transaction to the block at a height; null makes it pending again. */
  place(txId: string, height: number | null): void {
    this.#run("UPDATE transactions SET height = ? WHERE tx_id = ?", height, txId);
  }

  /** Removes the exchange's pending transaction with this nonce, because a new one replaces it. */
  removeWaiting(nonce: number): void {
    this.#run("DELETE FROM transactions WHERE height IS NULL AND nonce = ?", nonce);
  }

  remove(txId: string): void {
    this.#run("DELETE FROM transactions WHERE tx_id = ?", txId);
  }

  close(): void {
    this.#database.close();
  }

  #transactions(where: string, ...values: SQLInputValue[]): WorldTransaction[] {
    const rows = this.#prepared(`SELECT ${COLUMNS} FROM transactions ${where}`).all(...values);
    return rows.map((row) => ({ ...(row as unknown as WorldTransaction), isSuccess: row["isSuccess"] === 1 }));
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }
}

function hashOf(genesis: string, fork: number, height: number): string {
  return createHash("sha256").update(`${genesis}/${fork}/${height}`).digest("hex");
}
