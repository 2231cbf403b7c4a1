/** Reading a chain that changes and does not always answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, ChainUnreachable } from "../../../src/funds/wallet/chain.ts";
import { ReadBlocks } from "../../../src/funds/wallet/seen-on-chain.ts";

const MARGIN = 12;

/** A chain of blocks by height, which answers so many times. */
class Chain {
  hashes: string[];
  answers = Number.POSITIVE_INFINITY;

  constructor(hashes: readonly string[]) {
    this.hashes = [...hashes];
  }

  async block(height: number): Promise<Block | undefined> {
    if (this.answers-- <= 0) throw new ChainUnreachable("nobody answers");
    const hash = this.hashes[height];
    return hash === undefined ? undefined : { height, hash };
  }
}

function readAll(chain: Chain): ReadBlocks {
  const blocks = new ReadBlocks(chain, 0);
  for (const [height, hash] of chain.hashes.entries()) blocks.add({ height, hash }, MARGIN);
  return blocks;
}

test("blocks that left the chain are read again, from the first of them on", async () => {
  const chain = new Chain(["a", "b", "c", "d"]);
  const blocks = readAll(chain);
  assert.equal(await blocks.rewind(MARGIN), undefined);
  chain.hashes = ["a", "b", "C", "D", "E"];
  assert.equal(await blocks.rewind(MARGIN), 2);
  assert.deepEqual([blocks.next, blocks.last], [2, { height: 1, hash: "b" }]);
});

test("a chain that falls silent in between hides nothing: the next look finds the same", async () => {
  for (let answers = 0; answers < 3; answers++) {
    const chain = new Chain(["a", "b", "c", "d"]);
    const blocks = readAll(chain);
    chain.hashes = ["a", "b", "C", "D", "E"];
    chain.answers = answers;
    await assert.rejects(blocks.rewind(MARGIN), ChainUnreachable);
    assert.equal(blocks.next, 4, "until it is known");
    chain.answers = Number.POSITIVE_INFINITY;
    assert.equal(await blocks.rewind(MARGIN), 2, `after ${answers} answers`);
  }
});

test("where nothing that was read is left, more is read again", async () => {
  const chain = new Chain(["a", "b"]);
  const blocks = new ReadBlocks(chain, 1);
  blocks.add({ height: 1, hash: "b" }, MARGIN);
  chain.hashes = ["x", "y"];
  assert.equal(await blocks.rewind(1), 0);
  assert.equal(blocks.last, undefined);
});
