/**
 * Creates data of a size that a load would take too long to create, in the program's own format: commands in a journal,
 * applied by the engine, and a snapshot of the final state. The program cannot tell the difference.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import {
  ADOPT_NEWEST_RULES,
  type Command,
  Engine,
  encodeCommands,
  type Event,
  type PlaceOrder,
  type Side,
} from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { dataPaths, JournalFile, SnapshotFolder } from "@pricetime/server/data-folder";
import { equip, listingCommands, openAccount } from "./listing.ts";

const MOST_COMMANDS_A_BATCH = 1000;

export interface MakerOptions {
  readonly folder: string;
  readonly symbols?: number;
  readonly accounts: number;
  /** The number of accounts, from the first on, that get an API key. */
  readonly keys: number;
  /** The time of the first entry. Default: an hour ago. */
  readonly startMs?: number;
}

export class JournalMaker {
  readonly engine = new Engine();
  /** Their account IDs in the engine, in the order of `accountKeys`. */
  readonly accountIds: number[] = [];
  readonly #folder: string;
  readonly #journal: JournalFile;
  #timeMs: number;
  #batch: Command[] = [];
  #firstSeq = 1;
  #priorEventDigest = "";

  constructor({ folder, symbols = 1, accounts, keys, startMs }: MakerOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#journal = JournalFile.open(dataPaths(folder).journal);
    this.#timeMs = startMs ?? Date.now() - 3_600_000;
    for (const command of [ADOPT_NEWEST_RULES, ...listingCommands(symbols)]) this.apply(command);
    for (let n = 0; n < accounts; n++) {
      const [opened] = this.apply(openAccount(n));
      assert(opened?.type === "accountOpened");
      const { accountId } = opened;
      this.accountIds.push(accountId);
      for (const command of equip(n, accountId, symbols, n < keys)) this.apply(command);
    }
    this.flush();
  }

  get timeMs(): number {
    return this.#timeMs;
  }

  /** Ends the current batch; the next one is so much later. */
  pass(elapsedMs: number): void {
    this.flush();
    this.#timeMs += elapsedMs;
  }

  /** Returns its events. A rejection is an error of the benchmark. */
  apply(command: Command): readonly Event[] {
    const { engine } = this;
    if (this.#batch.length === 0) {
      this.#firstSeq = engine.seq + 1;
      this.#priorEventDigest = engine.eventDigest();
    }
    this.#batch.push(command);
    const events = engine.apply({ seq: engine.seq + 1, timeMs: this.#timeMs, command });
    const [first] = events;
    if (first?.type === "rejected") assert.fail(`${command.type} was refused: ${first.reason}`);
    if (this.#batch.length === MOST_COMMANDS_A_BATCH) this.flush();
    return events;
  }

  flush(): void {
    if (this.#batch.length === 0) return;
    const bytes = encodeCommands(this.#batch);
    const batch = { firstSeq: this.#firstSeq, count: this.#batch.length, timeMs: this.#timeMs, node: "bench", bytes };
    this.#journal.append({ ...batch, priorEventDigest: this.#priorEventDigest });
    this.#batch = [];
  }

  /** Returns the last entry. */
  close({ snapshot }: { readonly snapshot: boolean }): number {
    this.flush();
    const { engine } = this;
    const { seq } = engine;
    if (snapshot) {
      new SnapshotFolder(dataPaths(this.#folder).snapshots).take(engine, this.#journal.head().chainHash);
    }
    this.#journal.close();
    return seq;
  }
}

/** A LIMIT order, in ticks and lots. */
export function limitOrder(
  accountId: number,
  order: {
    readonly symbolId?: number;
    readonly side: Side;
    readonly ticks: number;
    readonly lots: number;
    readonly id: string;
  },
): PlaceOrder {
  const { symbolId = 0, side, ticks, lots, id } = order;
  return placeOrder({ accountId, symbolId, side, priceTicks: ticks, quantityLots: lots, clientOrderId: id });
}
