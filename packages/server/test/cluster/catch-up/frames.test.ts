/** Batches sent to another node: unchanged, in chunks of any size; truncation and changes are detected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { checkFollows, chainOn } from "../../../src/journal/chain.ts";
import { type Batch, EMPTY_HEAD, headAfter } from "../../../src/journal/port.ts";
import {
  beginFrame,
  endFrame,
  type Frame,
  MAX_FRAME_BYTES,
  readFrames,
  rowFrame,
  StreamBroken,
} from "../../../src/cluster/catch-up/frames.ts";
import { BATCHES, journalPlace } from "./nodes.ts";

const ROWS: Batch[] = [];
for (const batch of BATCHES) ROWS.push(chainOn(ROWS.length === 0 ? EMPTY_HEAD : headAfter(ROWS.at(-1)!), batch));
const BEGIN = { head: headAfter(ROWS.at(-1)!), place: journalPlace(ROWS.length), arePaymentsHeld: true };
const STREAM = Buffer.concat([beginFrame(BEGIN), ...ROWS.map(rowFrame), endFrame()]);

async function* inPieces(bytes: Buffer, dice: Dice): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + dice.between(1, 5000);
    yield bytes.subarray(at, end);
    at = end;
  }
}

async function all(bytes: Buffer, dice = new Dice(1)): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(inPieces(bytes, dice))) frames.push(frame);
  return frames;
}

test("batches arrive unchanged, in chunks of any size", async () => {
  for (let seed = 0; seed < 10; seed++) {
    const [first, ...rest] = await all(STREAM, new Dice(seed));
    assert.deepEqual(first, { kind: "begin", begin: BEGIN });
    assert.equal(rest.pop()?.kind, "end");
    const rows = rest.map((frame) =>
      frame.kind === "row" ? { ...frame.row, bytes: Buffer.from(frame.row.bytes) } : frame,
    );
    assert.deepEqual(
      rows,
      ROWS.map((row) => ({ ...row, bytes: Buffer.from(row.bytes) })),
    );
  }
});

test("truncation at any point is detected", async () => {
  const dice = new Dice(2);
  for (let n = 0; n < 200; n++) await assert.rejects(all(STREAM.subarray(0, dice.below(STREAM.length))), StreamBroken);
});

test("a flipped bit in a batch breaks the stream or the chain", async () => {
  const dice = new Dice(3);
  const rowsAt = beginFrame(BEGIN).length;
  for (let n = 0; n < 300; n++) {
    const altered = Buffer.from(STREAM);
    const at = dice.between(rowsAt, STREAM.length - 1);
    altered[at] = (altered[at] ?? 0) ^ (1 << dice.below(8));
    await assert.rejects(async () => {
      let head = EMPTY_HEAD;
      for (const frame of await all(altered)) if (frame.kind === "row") head = checkFollows(head, frame.row);
      assert.deepEqual(head, BEGIN.head);
    }, `byte ${at}`);
  }
});

test("an invalid stream is rejected, whatever length it announces", async () => {
  await assert.rejects(all(Buffer.from("<html>not found</html>")), /sends no rows of a journal/);
  const long = Buffer.concat([beginFrame(BEGIN), Buffer.alloc(5)]);
  long.writeUInt32BE(MAX_FRAME_BYTES + 1, long.length - 5);
  await assert.rejects(all(long), /sends a frame of \d+ bytes/);
  for (const begin of [
    null,
    7,
    {},
    { head: null, place: null },
    { ...BEGIN, head: undefined },
    { ...BEGIN, arePaymentsHeld: 1 },
  ]) {
    await assert.rejects(all(Buffer.concat([beginFrame(begin as never), endFrame()])), /does not say what it has/);
  }
  const place = { ...BEGIN.place, number: -1 };
  await assert.rejects(all(Buffer.concat([beginFrame({ ...BEGIN, place }), endFrame()])), /does not say what it has/);
});

test("ending the iteration closes the stream", async () => {
  let isEnded = false;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield STREAM;
      assert.fail("nobody asked");
    } finally {
      isEnded = true;
    }
  };
  for await (const { kind } of readFrames(source())) if (kind === "row") break;
  assert.ok(isEnded);
});
