/** The saved state of the sequencer: ticks come at the same times after a restore, to the millisecond. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, LISTEN_KEY_LIFE_MS } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { setup } from "@pricetime/testkit/journal";
import { asInFile, restoring } from "../../platform/world/goes-on.ts";
import { VirtualWorld } from "../../platform/world/virtual-world.ts";
import { VirtualNode } from "./virtual-node.ts";

const START_MS = 1_609_459_230_000;
const SEEDS = 12;
/** Keys are opened, extended and abandoned within this time. */
const OPENING_MS = 3_000;

async function traffic(node: VirtualNode, dice: Dice): Promise<void> {
  for (let at = 0; at < OPENING_MS; ) {
    const waitMs = dice.below(200);
    await node.world.advance(waitMs);
    at += waitMs;
    const listenKey = String(dice.below(10)).repeat(64);
    await node.run({ type: "openListenKey", accountId: dice.pick([100, 101]), listenKey });
  }
}

test("a due tick is still due after a restore", async () => {
  let ticks = 0;
  let differ = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const dice = new Dice(seed);
    const node = new VirtualNode(new VirtualWorld(START_MS), new Engine());
    for (const command of setup()) await node.run(command);
    await traffic(node, dice);
    // Just before keys expire, so that the least time between ticks matters.
    await node.world.advance(LISTEN_KEY_LIFE_MS - dice.below(OPENING_MS));
    const firstSeq = node.engine.seq + 1;
    const states = asInFile(node.world.saved.save());
    const others = [await node.copy(restoring(states)), await node.copy()];
    for (const each of [node, ...others]) {
      await each.world.advance(2 * OPENING_MS);
      await traffic(each, new Dice(seed + SEEDS));
      await each.world.advance(LISTEN_KEY_LIFE_MS + OPENING_MS);
    }
    const [own, same, without] = [node, ...others].map((each) => each.entriesFrom(firstSeq));
    assert.deepEqual(same, own, `seed ${seed}`);
    ticks += own?.length ?? 0;
    if (JSON.stringify(without) !== JSON.stringify(own)) differ++;
  }
  assert.ok(ticks > SEEDS, "keys ended");
  assert.ok(differ > 0, "and saved state decides when");
});
