/** The snapshots of a node, newest first; a few are kept, so that a damaged one is no disaster. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../journal/private-file.ts";
import { readSnapshotFile, type Snapshot, writeSnapshotFile } from "./snapshot-file.ts";

const KEPT = 3;
const NAME = /^(?<seq>\d{1,16})\.snap$/;

export interface SnapshotName {
  readonly seq: number;
  readonly path: string;
}

export class SnapshotFolder {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Newest first. */
  list(): SnapshotName[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .flatMap((name) => {
        const seq = NAME.exec(name)?.groups?.["seq"];
        return seq === undefined ? [] : [{ seq: Number(seq), path: join(this.folder, name) }];
      })
      .sort((a, b) => b.seq - a.seq);
  }

  /** Throws `SnapshotDamaged`. */
  read({ path }: SnapshotName): Snapshot {
    return readSnapshotFile(path);
  }

  /** Writes a snapshot and drops the oldest above the number that is kept. */
  write(snapshot: Snapshot): void {
    makePrivateFolder(this.folder);
    writeSnapshotFile(join(this.folder, `${snapshot.seq}.snap`), snapshot);
    for (const { path } of this.list().slice(KEPT)) rmSync(path, { force: true });
  }
}
