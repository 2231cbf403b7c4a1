/** The snapshots of a node; several are kept, so that a damaged one is no disaster. */
import { join } from "node:path";
import type { Engine } from "@pricetime/engine";
import { type Files, REAL_FILES } from "./files.ts";
import { type Pieces, readSnapshotFile, type Snapshot, type SnapshotOf, writeSnapshotFile } from "./snapshot-file.ts";

const KEPT = 3;
const NAME = /^(?<seq>\d{1,16})\.snap$/;

export interface SnapshotName {
  readonly seq: number;
  readonly path: string;
}

export class SnapshotFolder {
  readonly #folder: string;
  readonly #files: Files;

  constructor(folder: string, files: Files = REAL_FILES) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Returns the snapshots, newest first. */
  list(): SnapshotName[] {
    return this.#files
      .list(this.#folder)
      .flatMap((name) => {
        const seq = NAME.exec(name)?.groups?.["seq"];
        return seq === undefined ? [] : [{ seq: Number(seq), path: join(this.#folder, name) }];
      })
      .sort((a, b) => b.seq - a.seq);
  }

  /** Throws `SnapshotDamaged`. */
  read({ path }: SnapshotName): Snapshot {
    return readSnapshotFile(this.#files, path);
  }

  /** Writes the engine's present state. `chainHash` is the journal's, just after the engine's last entry. */
  take(engine: Engine, chainHash: string): void {
    const of = { seq: engine.seq, chainHash, eventDigest: engine.eventDigest() };
    this.write(of, (sink) => engine.snapshotInPieces(sink));
  }

  /** Writes a snapshot, overwriting the oldest when as many exist as are kept. */
  write(of: SnapshotOf, pieces: Pieces): void {
    this.#files.makeFolder(this.#folder);
    const oldest = this.list()[KEPT - 1];
    const spare = oldest !== undefined && oldest.seq < of.seq ? oldest.path : undefined;
    writeSnapshotFile(this.#files, join(this.#folder, `${of.seq}.snap`), of, pieces, spare);
    for (const { path } of this.list().slice(KEPT)) this.#files.remove(path);
  }
}
