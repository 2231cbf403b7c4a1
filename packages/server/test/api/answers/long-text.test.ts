/** Texts that are compressed once, and the queue for compression. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import {
  crcOfBoth,
  crcShift,
  LongTextWriter,
  MAX_PACKED_AT_A_TIME,
  MAX_WAITING_TO_BE_PACKED,
  Packer,
  textOf,
} from "../../../src/api/answers/long-text.ts";

function written(...pieces: string[]): LongTextWriter {
  const text = new LongTextWriter(true);
  for (const piece of pieces) text.add(piece);
  return text;
}

test("the checksum of two texts is that of their concatenation", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 5000 }), (one, other) => {
      const [first, second] = [Buffer.from(one), Buffer.from(other)];
      const both = crcOfBoth(first, crc32(second), crcShift(second.length));
      assert.equal(both, crc32(Buffer.concat([first, second])));
    }),
  );
});

test("a head before a compressed text: one gzip member, for any head and any pieces", async () => {
  const packer = new Packer();
  for (const length of [0, 1, 70_000, 1_000_000]) {
    const whole = "symbol,".repeat(length / 7 + 1).slice(0, length);
    const text = written(whole.slice(0, length / 3), whole.slice(length / 3)).text();
    for (const head of ["", "{", `{"serverTime":1614834367000,`]) {
      const packed = await text.packed(packer, head);
      assert.ok(packed !== null);
      assert.equal(gunzipSync(Buffer.concat(packed)).toString(), head + whole);
      assert.equal(textOf({ head, text }), head + whole);
    }
  }
});

test("a text is compressed once, however many requests need it and when", async () => {
  let count = 0;
  const packer = new Packer();
  const counting = { run: <Packed>(work: () => Promise<Packed>) => (count++, packer.run(work)) } as Packer;
  const text = written("a".repeat(10_000)).text();
  await Promise.all([1, 2, 3].map((n) => text.packed(counting, `{"n":${n},`)));
  await text.packed(counting, "");
  assert.equal(count, 1);
});

test("equal texts have equal ETags, whatever pieces they were made of", () => {
  const [a, b, c] = [written("ab", "c").text(), written("a", "bc").text(), written("abd").text()];
  assert.equal(a.etag, b.etag);
  assert.notEqual(a.etag, c.etag);
  assert.match(a.etag ?? "", /^W\/"[A-Za-z0-9_-]{22}"$/);
});

test("few texts are compressed at a time, some wait, and others are sent uncompressed", async () => {
  const begun: PromiseWithResolvers<number>[] = [];
  const held = (): Promise<number> => {
    const work = Promise.withResolvers<number>();
    begun.push(work);
    return work.promise;
  };
  const packer = new Packer();
  const room = MAX_PACKED_AT_A_TIME + MAX_WAITING_TO_BE_PACKED;
  const taken = Array.from({ length: room }, () => packer.run(held));
  assert.deepEqual(await Promise.all([packer.run(held), packer.run(held)]), [null, null]);
  assert.equal(begun.length, MAX_PACKED_AT_A_TIME);
  for (let done = 0; done < room; done++) {
    begun[done]?.resolve(done);
    await taken[done];
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(begun.length, Math.min(room, MAX_PACKED_AT_A_TIME + done + 1));
  }
  assert.equal((await Promise.all(taken)).length, room);
});

test("a text that could not be compressed is sent uncompressed, and compressed for the next request", async () => {
  const text = written("a".repeat(1000)).text();
  const failing = { run: async () => null } as unknown as Packer;
  assert.equal(await text.packed(failing, "{"), null);
  assert.ok((await text.packed(new Packer(), "{")) !== null);
  assert.equal(await new Packer().run(() => Promise.reject(new Error("out of memory"))), null);
});
