/** What every log that several nodes share must do, whatever keeps it. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Following, LooseBatch, SharedLog } from "../../src/journal/port.ts";

const batch = (node: string, n: number, count = 1 + (n % 3)): LooseBatch => ({
  ...{ id: `${node}/${n}`, node, count, timeMs: 1_000 + n },
  bytes: Uint8Array.from({ length: count * 3 }, (_, i) => (n + i) & 0xff),
});

async function take(following: Following, count: number): Promise<LooseBatch[]> {
  const taken: LooseBatch[] = [];
  while (taken.length < count) {
    const next = (await following.next()) ?? assert.fail("the log has ended");
    taken.push({ ...next, bytes: Uint8Array.from(next.bytes) });
  }
  return taken;
}

/** `open`: an empty log; gives what opens one node's line to it. */
export function sharedLogContract(name: string, open: (t: TestContext) => () => SharedLog): void {
  const contract = (what: string, run: (newLine: () => SharedLog) => Promise<void>): void => {
    test(`${name}: ${what}`, (t) => run(open(t)));
  };

  contract("what anybody submits comes to all, in one order, as it was", async (newLine) => {
    const lines = [newLine(), newLine(), newLine()];
    const written = lines.flatMap((_, at) => Array.from({ length: 20 }, (_n, n) => batch(`n${at}`, n)));
    const early = lines.map((line) => line.follow(0));
    await Promise.all(written.map((one, at) => lines[at % lines.length]!.submit(one)));
    const followings = [...early, newLine().follow(0)];
    const [first, ...rest] = await Promise.all(followings.map((following) => take(following, written.length)));
    for (const other of rest) assert.deepEqual(other, first);
    const byId = (a: LooseBatch, b: LooseBatch): number => (a.id < b.id ? -1 : 1);
    assert.deepEqual(first!.toSorted(byId), written.toSorted(byId));
    for (const following of followings) following.close();
  });

  contract("what is submitted again is there once", async (newLine) => {
    const [line, other] = [newLine(), newLine()];
    await line.submit(batch("n1", 1));
    await Promise.all([line.submit(batch("n1", 1)), other.submit(batch("n1", 1))]);
    await line.submit(batch("n1", 2));
    const following = other.follow(0);
    const ids = (await take(following, 2)).map(({ id }) => id);
    assert.deepEqual(ids, ["n1/1", "n1/2"]);
    following.close();
  });

  contract("is followed from the end of any batch on", async (newLine) => {
    const line = newLine();
    for (let n = 0; n < 6; n++) await line.submit(batch("n1", n, 2));
    for (let at = 0; at < 6; at++) {
      const following = newLine().follow(2 * at);
      assert.equal((await take(following, 1))[0]?.id, `n1/${at}`);
      following.close();
    }
  });

  contract("who follows waits for more, until it has enough", async (newLine) => {
    const line = newLine();
    const following = line.follow(0);
    const first = following.next();
    await line.submit(batch("n1", 1));
    assert.equal((await first)?.id, "n1/1");
    const second = following.next();
    following.close();
    assert.equal(await second, undefined);
    await line.submit(batch("n1", 2));
    assert.equal(await following.next(), undefined);
  });

  contract("keeps what it was given, not the buffer", async (newLine) => {
    const line = newLine();
    const given = batch("n1", 1);
    await line.submit(given);
    given.bytes.fill(0);
    const following = line.follow(0);
    assert.deepEqual((await take(following, 1))[0]?.bytes, batch("n1", 1).bytes);
    following.close();
  });
}
