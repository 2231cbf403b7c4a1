import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { type Batch, headAfter } from "../../../src/journal/port.ts";
import { FreshRows } from "../../../src/lab/storage/fresh-rows.ts";

const ROWS_A_PACK = 5;
const SEEDS = 20;
const ACTS = 300;
const sizeOf = (commandBytes: number): number => commandBytes + 11;

test("packed rows are those of a list, whatever is added, dropped and cut", () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const dice = new Dice(seed);
    const rows = new FreshRows(ROWS_A_PACK, sizeOf);
    let list: Batch[] = [];
    let nextSeq = 1;
    for (let act = 0; act < ACTS; act++) {
      const which = dice.below(20);
      const at = dice.below(Math.max(1, list.length));
      if (which === 0 && list.length > 0) {
        const oldest = rows.oldest();
        assert.deepEqual(oldest, list.slice(0, ROWS_A_PACK), `seed ${seed}`);
        rows.dropOldest();
        list = list.slice(oldest.length);
      } else if (which === 1 && list.length > 0) {
        const seq = (list[at] as Batch).firstSeq + dice.below(3) - 1;
        rows.cutAfter(seq);
        list = list.filter(({ firstSeq }) => firstSeq <= seq);
        nextSeq = Math.max(nextSeq, ...list.map((row) => headAfter(row).lastSeq + 1));
      } else if (which === 2) {
        rows.clear();
        list = [];
      } else {
        const row = rowOf(dice, nextSeq);
        rows.push(row);
        list.push(row);
        nextSeq = headAfter(row).lastSeq + 1;
      }
      assertAlike(rows, list, `seed ${seed}, act ${act}`);
    }
  }
});

function rowOf(dice: Dice, firstSeq: number): Batch {
  const hex = (length: number): string => Array.from({ length }, () => dice.below(16).toString(16)).join("");
  return {
    firstSeq,
    count: 1 + dice.below(3),
    timeMs: 1_767_225_600_000 + firstSeq,
    node: `n${dice.below(3)}`,
    // Some are larger than a pack is meant for.
    bytes: Uint8Array.from({ length: dice.below(10) === 0 ? 2_000 : dice.below(50) }, () => dice.below(256)),
    priorEventDigest: hex(dice.below(2) * 16),
    chainHash: hex(64),
  };
}

function assertAlike(rows: FreshRows, list: readonly Batch[], message: string): void {
  const [first] = list;
  assert.equal(rows.firstSeq, first?.firstSeq, message);
  assert.equal(
    rows.bytes,
    list.reduce((sum, { bytes }) => sum + sizeOf(bytes.length), 0),
    message,
  );
  const lastSeq = list.length === 0 ? 0 : headAfter(list.at(-1) as Batch).lastSeq;
  for (let seq = (first?.firstSeq ?? 1) - 1; seq <= lastSeq + 1; seq++) {
    const row = list.find((one) => one.firstSeq <= seq && seq <= headAfter(one).lastSeq);
    assert.deepEqual(rows.find(seq), row, `${message}, entry ${seq}`);
  }
}
