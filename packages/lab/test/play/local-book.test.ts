/** The example's book: changes in order build it; after a missing one it is invalid until the next snapshot. */
import assert from "node:assert/strict";
import { test } from "node:test";

interface LocalBook {
  readonly isWhole: boolean;
  readonly best: { readonly bid: number | undefined; readonly ask: number | undefined };
  readonly holes: number;
  change(event: object): boolean;
  snapshot(answer: object): boolean;
  forget(): void;
}
const path = new URL("../../../../examples/scenarios/local-book.mjs", import.meta.url).href;
const { LocalBook: Book } = (await import(path)) as { readonly LocalBook: new () => LocalBook };

const change = (first: number, last: number, bids: readonly string[][], asks: readonly string[][] = []): object => ({
  ...{ e: "depthUpdate", U: first, u: last, b: bids, a: asks },
});
const SNAPSHOT = {
  lastUpdateId: 10,
  bids: [
    ["99.0", "1"],
    ["98.0", "1"],
  ],
  asks: [["101.0", "1"]],
};

test("changes from before the snapshot wait for it; those that it has are left out", () => {
  const book = new Book();
  assert.ok(book.change(change(8, 9, [["97.0", "5"]])));
  assert.ok(book.change(change(10, 12, [["99.0", "0"]])));
  assert.deepEqual([book.isWhole, book.best], [false, { bid: undefined, ask: undefined }]);
  assert.ok(book.snapshot(SNAPSHOT));
  assert.deepEqual([book.isWhole, book.best], [true, { bid: 98, ask: 101 }]);
  assert.ok(book.change(change(13, 13, [], [["101.00", "0"]])));
  assert.deepEqual(book.best, { bid: 98, ask: undefined });
});

test("a change that came twice changes nothing; after one that is missing the book is none until a snapshot", () => {
  const book = new Book();
  book.snapshot(SNAPSHOT);
  const bought = change(11, 12, [["100.0", "1"]]);
  assert.ok(book.change(bought) && book.change(change(13, 13, [["100.0", "0"]])) && book.change(bought));
  assert.deepEqual([book.best, book.holes], [{ bid: 99, ask: 101 }, 0]);
  assert.equal(book.change(change(15, 16, [["100.5", "1"]])), false);
  assert.deepEqual([book.isWhole, book.holes, book.best.bid], [false, 1, undefined]);
  assert.ok(book.change(change(17, 17, [["100.6", "1"]])));
  assert.equal(book.snapshot({ ...SNAPSHOT, lastUpdateId: 12 }), false, "it is older than the hole");
  assert.deepEqual([book.isWhole, book.holes], [false, 2]);
  assert.ok(book.snapshot({ ...SNAPSHOT, lastUpdateId: 16 }));
  assert.deepEqual([book.isWhole, book.best], [true, { bid: 100.6, ask: 101 }], "and the one after it has waited");
  book.forget();
  assert.equal(book.isWhole, false);
});
