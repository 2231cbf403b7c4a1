import assert from "node:assert/strict";
import { statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { type Files, REAL_FILES, SnapshotDamaged, SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";

const HASHES = { chainHash: "ab".repeat(32), eventDigest: "cd".repeat(8) };

function bytesOf(seq: number, length: number): Uint8Array {
  return new Uint8Array(length).fill(seq % 251);
}

class Snapshots {
  readonly path: string;
  readonly folder: SnapshotFolder;

  constructor(t: TestContext, files?: Partial<Files>) {
    this.path = join(scratchFolder(t), "snapshots");
    this.folder = new SnapshotFolder(this.path, { ...REAL_FILES, ...files });
  }

  write(seq: number, length: number): void {
    const bytes = bytesOf(seq, length);
    this.folder.write({ seq, ...HASHES }, (sink) => {
      for (let at = 0; at < length; at += 70_000) sink(bytes.subarray(at, at + 70_000));
    });
  }

  /** Newest first; each is read completely. */
  seqs(): number[] {
    return this.folder.list().map((name) => {
      const { seq, bytes, chainHash, eventDigest } = this.folder.read(name);
      assert.deepEqual({ seq, chainHash, eventDigest }, { seq: name.seq, ...HASHES });
      assert.deepEqual(Buffer.from(bytes), Buffer.from(bytesOf(seq, bytes.length)));
      return seq;
    });
  }

  file(seq: number): string {
    return join(this.path, `${seq}.snap`);
  }

  names(): string[] {
    return REAL_FILES.list(this.path).sort();
  }
}

test("three are kept; the oldest is overwritten, by a shorter one or a longer one", (t) => {
  const snapshots = new Snapshots(t);
  const places = new Map<number, number>();
  for (const [seq, length] of [9, 3_000_000, 100, 20, 40, 2_500_000, 0, 1].entries()) {
    snapshots.write(seq + 1, length);
    const { ino, size } = statSync(snapshots.file(seq + 1));
    assert.equal(size, length + 92);
    if (seq >= 3) assert.equal(ino, places.get(seq - 2), "in the place of the one that goes");
    places.set(seq + 1, ino);
  }
  assert.deepEqual(snapshots.seqs(), [8, 7, 6]);
  assert.deepEqual(snapshots.names(), ["6.snap", "7.snap", "8.snap"]);
});

test("a partial file of a crash is overwritten, and nothing else", (t) => {
  const snapshots = new Snapshots(t);
  for (const seq of [1, 2, 3, 4, 5]) {
    REAL_FILES.makeFolder(snapshots.path);
    writeFileSync(join(snapshots.path, "next.partial"), Buffer.alloc(50_000, 7));
    snapshots.write(seq, 2000);
  }
  assert.deepEqual(snapshots.seqs(), [5, 4, 3]);
  assert.deepEqual(snapshots.names(), ["3.snap", "4.snap", "5.snap"]);
});

test("an older state does not replace a newer one", (t) => {
  const snapshots = new Snapshots(t);
  for (const seq of [100, 200, 300]) snapshots.write(seq, 1000);
  snapshots.write(50, 1000);
  assert.deepEqual(snapshots.seqs(), [300, 200, 100]);
  snapshots.write(150, 1000);
  assert.deepEqual(snapshots.seqs(), [300, 200, 150]);
});

test("a disk that fails while the oldest is overwritten leaves the newer ones, and no partial file", (t) => {
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  let isFull = false;
  const snapshots = new Snapshots(t, {
    writeOver: (path) => {
      const file = REAL_FILES.writeOver(path);
      const write = (bytes: Uint8Array): void => {
        if (isFull) throw full;
        file.write(bytes);
      };
      return { ...file, write };
    },
  });
  for (const seq of [1, 2, 3]) snapshots.write(seq, 1000);
  isFull = true;
  assert.throws(() => snapshots.write(4, 1000), full);
  assert.deepEqual(snapshots.names(), ["2.snap", "3.snap"]);
  isFull = false;
  snapshots.write(5, 1000);
  assert.deepEqual(snapshots.seqs(), [5, 3, 2]);
});

test("every truncation is detected, and so is a tail that was not cut off", (t) => {
  const snapshots = new Snapshots(t);
  snapshots.write(1, 300);
  const [name] = snapshots.folder.list();
  assert.ok(name !== undefined);
  const whole = REAL_FILES.read(name.path);
  for (let length = 0; length < whole.length; length++) {
    truncateSync(name.path, length);
    assert.throws(() => snapshots.folder.read(name), SnapshotDamaged, `${length} bytes`);
    writeFileSync(name.path, whole);
  }
  writeFileSync(name.path, Buffer.concat([whole, Buffer.of(0)]));
  assert.throws(() => snapshots.folder.read(name), SnapshotDamaged);
});
