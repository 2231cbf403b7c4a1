/** The loop in which watchers and senders run. The interval is an hour, so whatever happens has another cause. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Loop } from "../../../src/funds/wallet/chain-follower.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const HOUR_MS = 3_600_000;

class Rounds {
  count = 0;
  running = 0;
  /** What the next rounds do; then they are done. */
  readonly script: (() => boolean)[] = [];
  readonly results: (string | null)[] = [];
  readonly loop: Loop;
  #seen: (() => void) | undefined;

  constructor(pollMs = HOUR_MS) {
    this.loop = new Loop({
      world: MACHINE,
      saved: MACHINE.saved,
      part: "loop",
      pollMs,
      round: async () => {
        this.count++;
        this.running++;
        await sleep(1);
        this.running--;
        return this.script.shift()?.() ?? true;
      },
      onResult: (error) => {
        this.results.push(error?.message ?? null);
        this.#seen?.();
      },
    });
  }

  async until(count: number): Promise<void> {
    while (this.results.length < count) await new Promise<void>((resolve) => (this.#seen = resolve));
  }
}

function looped(what: string, run: (rounds: Rounds) => Promise<void>, pollMs?: number): void {
  test(`loop: ${what}`, { timeout: 60_000 }, async () => {
    const rounds = new Rounds(pollMs);
    try {
      await run(rounds);
    } finally {
      await rounds.loop.stop();
    }
    assert.equal(rounds.running, 0, "it stops after the round that runs");
  });
}

const again = (): boolean => false;
const fails = (): never => {
  throw new Error("no");
};

looped("comes again at once as long as there is more, then waits until it is woken", async (rounds) => {
  rounds.script.push(again, again);
  rounds.loop.start();
  await rounds.until(3);
  await sleep(20);
  assert.equal(rounds.count, 3);
  rounds.loop.wake();
  await rounds.until(4);
  await sleep(20);
  assert.equal(rounds.count, 4);
});

looped(
  "comes again by itself",
  async (rounds) => {
    rounds.loop.start();
    await rounds.until(5);
  },
  1,
);

looped(
  "tries again after a failure, and no sooner for being woken; then all is as before",
  async (rounds) => {
    rounds.script.push(fails);
    rounds.loop.start();
    await rounds.until(1);
    for (let i = 0; i < 10; i++) {
      rounds.loop.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(rounds.count, 1);
    await rounds.until(2);
    assert.deepEqual(rounds.results.slice(0, 2), ["no", null]);
    rounds.script.push(again);
    await rounds.until(4);
  },
  1,
);

looped("is woken as ever after it failed once", async (rounds) => {
  rounds.script.push(fails);
  rounds.loop.start();
  await rounds.until(1);
  await rounds.loop.between(async () => {});
  await rounds.until(2);
  await sleep(5);
  rounds.loop.wake();
  await rounds.until(3);
});

looped("what runs between rounds runs while none does, and its failure is its caller's", async (rounds) => {
  rounds.script.push(...Array.from({ length: 20 }, () => again));
  rounds.loop.start();
  const seen = await Promise.all([1, 2, 3].map(() => rounds.loop.between(async () => rounds.running)));
  assert.deepEqual(seen, [0, 0, 0]);
  await assert.rejects(
    rounds.loop.between(async () => fails()),
    /no/,
  );
  await rounds.loop.stop();
  assert.equal(await rounds.loop.between(async () => "still"), "still");
});
