/** Nodes that serve their journals over real admin ports, and an in-memory log with a part of the same batches. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { decodeCommands, encodeCommands, Engine, type NodeBatch } from "@pricetime/engine";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { startAdmin, NODE_TOKEN } from "../../people/admin/running.ts";
import { folderWith } from "../../journal/replica/data-folder.ts";
import { catchUp, type CatchUpOptions, type CaughtUp } from "../../../src/cluster/catch-up/catch-up.ts";
import { FolderSource } from "../../../src/cluster/catch-up/serve-rows.ts";
import type { Epoch, NodePosition } from "../../../src/cluster/port.ts";
import {
  type Following,
  type JournalHead,
  type JournalPlace,
  type LogPlace,
  LogTrimmed,
  type LogRow,
  type NewBatch,
} from "../../../src/journal/port.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { batchIdOf, headerOf } from "../../../src/journal/sequencer/batch.ts";
import type { DataPaths } from "../../../src/journal/storage/data-folder.ts";
import { openCopy } from "../../../src/journal/storage/open-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

export const BATCHES = nodeBatches(7);
export const OTHERS = nodeBatches(8);
export const GENESIS: Epoch = { epoch: "e0e0e0e0e0e0e0e0", baseSeq: 0, baseChainHash: "0".repeat(64), priorEpoch: "" };

export const placeOf = (number: number, epoch = GENESIS.epoch): LogPlace => ({ epoch, number, revision: 3 * number });

/** Batches as written by a node of a cluster: each starts with its header. */
function nodeBatches(seed: number): NewBatch[] {
  const engine = new Engine();
  return batchesOf(seed, randomFlow(seed, 400)).map(({ count, bytes, timeMs, node }, at) => {
    const process = { node, incarnation: "1".repeat(16), release: "test" };
    const header = headerOf(process, at + 1, engine);
    const batch = { firstSeq: engine.seq + 1, count: count + 1, timeMs, node, priorEventDigest: engine.eventDigest() };
    const commands = [header, ...decodeCommands(bytes, count)];
    for (const command of commands) engine.apply({ seq: engine.seq + 1, timeMs, command });
    return { ...batch, bytes: encodeCommands(commands) };
  });
}

function idOf({ bytes, count }: NewBatch): string {
  return batchIdOf(decodeCommands(bytes, count)[0] as NodeBatch);
}

/** The position of the `number`th batch, as a journal stores it. */
export function journalPlace(number: number, batches: readonly NewBatch[] = BATCHES): JournalPlace {
  const { firstSeq, count } = batches[number - 1] ?? assert.fail(`no batch ${number}`);
  return { ...placeOf(number), seq: firstSeq + count - 1 };
}

/** A log with the batches from `trimmed` on, of an epoch that started with the first one. */
export class TailLog {
  readonly epoch: Epoch;
  /** Earlier batches were removed. */
  trimmed = 0;
  /** The number of batches ever written. */
  length: number;
  told: NodePosition[] = [];
  readonly #batches: readonly NewBatch[];

  constructor({ epoch = GENESIS, batches = BATCHES }: { epoch?: Epoch; batches?: readonly NewBatch[] } = {}) {
    this.epoch = epoch;
    this.#batches = batches;
    this.length = batches.length;
  }

  async lastNumber(): Promise<number> {
    return this.length;
  }

  async positions(): Promise<readonly NodePosition[]> {
    return this.told;
  }

  follow(place: LogPlace | null): Following {
    let at = place?.number ?? 0;
    const closed = Promise.withResolvers<undefined>();
    return {
      next: async () => {
        if (at < this.trimmed) throw new LogTrimmed("the rows are gone");
        return at < this.length ? this.#row(++at) : closed.promise;
      },
      close: () => closed.resolve(undefined),
    };
  }

  async isAt(place: LogPlace, batchId: string): Promise<boolean | undefined> {
    if (place.number > this.length) return false;
    if (place.number < this.trimmed) return undefined;
    return place.revision === placeOf(place.number).revision && this.#row(place.number).id === batchId;
  }

  #row(number: number): LogRow {
    const batch = this.#batches[number - 1] ?? assert.fail();
    return { ...batch, id: idOf(batch), place: placeOf(number, this.epoch.epoch) };
  }
}

export const position = (node: string, admin: string, number: number, seq: number): NodePosition => ({
  ...{ node, admin, seq, place: placeOf(number), incarnation: "0".repeat(16), eventDigest: "" },
  ...{ clockMs: 0, release: "test", bans: {} },
});

export interface Peer {
  readonly url: string;
  readonly paths: DataPaths;
  readonly source: FolderSource;
  stop(): Promise<void>;
}

/** A node with the first `length` batches; `place` null: it publishes none. */
export async function startPeer(
  t: TestContext,
  batches: readonly NewBatch[] = BATCHES,
  place: JournalPlace | null = journalPlace(batches.length, batches),
  arePaymentsHeld = false,
): Promise<Peer> {
  const paths = folderWith(t, batches);
  setPlace(paths, place);
  const source = new FolderSource(paths, () => arePaymentsHeld);
  const admin = await startAdmin({ source });
  const stop = async (): Promise<void> => {
    await admin.close();
    await source.close();
  };
  inTheEnd(t, stop);
  return { url: admin.url, paths, source, stop };
}

function setPlace({ journal }: DataPaths, place: JournalPlace | null): void {
  if (place === null) return;
  const file = JournalFile.open(journal);
  file.copy([], place);
  file.close();
}

export interface Own {
  readonly paths: DataPaths;
  head(): JournalHead;
  place(): JournalPlace | null;
  catchUp(options?: Partial<CatchUpOptions>): Promise<CaughtUp>;
}

/** A node with `batches` that must catch up with the log. */
export function ownNode(t: TestContext, store: TailLog, batches: readonly NewBatch[] = []): Own {
  const paths = folderWith(t, batches);
  const look = <T>(ask: (file: JournalFile) => T): T => {
    const file = JournalFile.open(paths.journal);
    try {
      return ask(file);
    } finally {
      file.close();
    }
  };
  return {
    paths,
    head: () => look((file) => file.head()),
    place: () => look((file) => file.place()),
    catchUp: async (options) => {
      const journal = openCopy(paths.journal);
      try {
        return await catchUp({
          journal,
          store,
          node: "n9",
          token: NODE_TOKEN,
          world: MACHINE,
          signal: t.signal,
          holdPayments: () => {},
          ...options,
        });
      } finally {
        journal.closeWhole();
      }
    },
  };
}
