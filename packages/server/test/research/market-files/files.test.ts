/** A written file: its contents, and its name. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { fill, mountSmallDisk, unmount } from "@pricetime/testkit/small-disk";
import { CsvWriter } from "../../../src/research/market-files/write-table.ts";
import { VisibleBook } from "../../../src/research/market-files/write-lobster.ts";
import { OutputFile, OutputRefused } from "../../../src/research/market-files/output-file.ts";
import { archiveCloseTime, archiveTime } from "../../../src/research/market-files/public-archive.ts";

const FRESH = { overwrite: false };

test("CSV quotes what needs it, and leaves empty what is absent", (t) => {
  const path = join(scratchFolder(t), "a.csv");
  const file = new OutputFile(path, FRESH);
  const columns = [
    { name: "time", kind: "time" },
    { name: "word", kind: "text" },
    { name: "price", kind: "price", places: 2, isOptional: true },
    { name: "amount", kind: "amount", places: 0 },
    { name: "is", kind: "boolean" },
  ] as const;
  const csv = new CsvWriter(file, columns, { hasHeader: true });
  csv.add([1, 'says "a, b"', 1234, -(10n ** 20n), true]);
  csv.add([2, "line\nend", null, 0n, false]);
  file.finish();
  const amount = "-100000000000000000000.00000000";
  const lines = [`1,"says ""a, b""",12.34000000,${amount},true`, '2,"line\nend",,0.00000000,false', ""];
  assert.equal(readFileSync(path, "utf8"), ["time,word,price,amount,is", ...lines].join("\n"));
});

test("a file has its name when it is whole, and leaves nothing when it is given up", (t) => {
  const folder = scratchFolder(t);
  const path = join(folder, "a.csv");
  const file = new OutputFile(path, FRESH);
  file.addText("x".repeat(100_000));
  assert.deepEqual(readdirSync(folder), ["a.csv.part"]);
  file.abandon();
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(path, "of yesterday");
  assert.throws(() => new OutputFile(path, FRESH), /a\.csv exists already\. Choose another file, or use --overwrite/);
  const over = new OutputFile(path, { overwrite: true });
  over.addText("new");
  assert.equal(readFileSync(path, "utf8"), "of yesterday", "until the new one is whole");
  over.finish();
  assert.equal(readFileSync(path, "utf8"), "new");
});

test("a place where no file can be made is named", (t) => {
  const folder = scratchFolder(t);
  mkdirSync(join(folder, "a.csv.part"));
  for (const path of [join(folder, "absent", "a.csv"), join(folder, "a.csv")]) {
    assert.throws(
      () => new OutputFile(path, FRESH),
      (error) => error instanceof OutputRefused && error.message.includes(path),
    );
  }
});

test("a disk that is full is told of, and the part is removed", (t) => {
  const disk = join(scratchFolder(t), "disk");
  if (!mountSmallDisk(disk, 1 << 20)) return t.skip("this user may not mount");
  inTheEnd(t, () => unmount(disk));
  const path = join(disk, "a.csv");
  const file = new OutputFile(path, FRESH);
  fill(disk);
  const work = (): void => {
    for (let i = 0; i < 100; i++) file.addText("x".repeat(60_000));
  };
  assert.throws(
    work,
    (error) => error instanceof OutputRefused && /a\.csv cannot be written: ENOSPC/.test(error.message),
  );
  file.abandon();
  assert.ok(!existsSync(`${path}.part`));
});

test("the archive's times are in microseconds from 2025 on", () => {
  const newYearMs = Date.UTC(2025, 0);
  assert.deepEqual([archiveTime(newYearMs - 1), archiveTime(newYearMs)], ["1735689599999", "1735689600000000"]);
  assert.deepEqual(
    [archiveCloseTime(newYearMs - 1), archiveCloseTime(newYearMs + 59_999)],
    ["1735689599999", "1735689659999999"],
  );
});

test("the best levels of a book are shown from the best on, with those that are absent", () => {
  const book = new VisibleBook(2);
  assert.equal(book.line(), "9999999999,0,-9999999999,0,9999999999,0,-9999999999,0");
  for (const price of [103, 101, 102, 104]) book.add(-1, price, price * 10);
  for (const price of [98, 99, 97]) book.add(1, price, price * 10);
  assert.equal(book.line(), "101,1010,99,990,102,1020,98,980");
  book.add(-1, 101, -1010);
  book.add(1, 99, -1);
  assert.equal(book.line(), "102,1020,99,989,103,1030,98,980");
  book.add(-1, 102, -1020);
  book.add(-1, 103, -1030);
  assert.equal(book.line(), "104,1040,99,989,9999999999,0,98,980");
});
