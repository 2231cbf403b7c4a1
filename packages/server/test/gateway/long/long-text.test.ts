/** Texts that are compressed once, and what waits for compression. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, gunzipSync, gzip } from "node:zlib";
import fc from "fast-check";
import { crcOfBoth, crcShift } from "../../../src/gateway/long/crc.ts";
import { keptText, LongText } from "../../../src/gateway/long/long-text.ts";
import { type Gzip, MAX_PACKED_AT_A_TIME, MAX_WAITING_TO_BE_PACKED, Packer } from "../../../src/gateway/long/packer.ts";

test("the checksum of two texts is that of the text they make", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 5000 }), (one, other) => {
      const [first, second] = [Buffer.from(one), Buffer.from(other)];
      const both = crcOfBoth(first, crc32(second), crcShift(second.length));
      assert.equal(both, crc32(Buffer.concat([first, second])));
    }),
  );
});

test("a head before a text that is compressed already: one member of gzip, for any head", async () => {
  const packer = new Packer();
  for (const length of [0, 1, 70_000, 1_000_000]) {
    const text = new LongText(Buffer.from("symbol,".repeat(length / 7 + 1).slice(0, length)));
    for (const head of ["", "{", `{"serverTime":1614834367000,`]) {
      const packed = await text.packed(packer, head);
      assert.ok(packed !== null);
      assert.equal(gunzipSync(Buffer.concat(packed)).toString(), head + text.bytes.toString());
    }
  }
});

test("a text is compressed once, however many ask for it and whenever", async () => {
  let count = 0;
  const packer = new Packer((data, done) => {
    count++;
    gzip(data, done);
  });
  const text = new LongText(Buffer.from("a".repeat(10_000)));
  await Promise.all([1, 2, 3].map((n) => text.packed(packer, `{"n":${n},`)));
  await text.packed(packer, "");
  assert.equal(count, 1);
});

test("equal texts have equal tags, whatever pieces they were made of", () => {
  const [a, b, c] = [["ab", "c"], ["a", "bc"], ["abd"]].map((pieces) =>
    keptText(pieces.map((one) => Buffer.from(one))),
  );
  assert.equal(a?.etag, b?.etag);
  assert.notEqual(a?.etag, c?.etag);
  assert.match(a?.etag ?? "", /^W\/"[A-Za-z0-9_-]{22}"$/);
});

test("few are compressed at a time, some wait, and all others are sent as they are", async () => {
  const begun: (() => void)[] = [];
  const held: Gzip = (data, done) => void begun.push(() => done(null, Buffer.from(data)));
  const packer = new Packer(held);
  const outcomes: (Buffer | null)[] = [];
  const asked = MAX_PACKED_AT_A_TIME + MAX_WAITING_TO_BE_PACKED + 5;
  for (let n = 0; n < asked; n++) packer.pack(`${n}`, (packed) => outcomes.push(packed));
  assert.deepEqual(outcomes, [null, null, null, null, null]);
  assert.equal(begun.length, MAX_PACKED_AT_A_TIME);
  for (let finish = begun.shift(); finish !== undefined; finish = begun.shift()) {
    finish();
    assert.ok(begun.length <= MAX_PACKED_AT_A_TIME);
  }
  assert.equal(outcomes.length, asked);
  const full = new LongText(Buffer.from("a".repeat(1000)));
  const nowhere = new Packer((_data, done) => done(new Error("out of memory"), Buffer.alloc(0)));
  assert.equal(await full.packed(nowhere, "{"), null);
  assert.ok((await full.packed(new Packer(), "{")) !== null, "and is tried again");
});
