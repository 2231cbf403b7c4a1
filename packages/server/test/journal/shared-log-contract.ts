/** The contract of every shared log. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Following, LogPlace, LogRow, LooseBatch, SharedLog } from "../../src/journal/port.ts";

const batch = (node: string, n: number, count = 1 + (n % 3)): LooseBatch => ({
  ...{ id: `${node}/00000000000000aa/${n + 1}`, node, count, timeMs: 1_000 + n },
  bytes: Uint8Array.from({ length: count * 3 }, (_, i) => (n + i) & 0xff),
});

async function take(following: Following, count: number): Promise<LogRow[]> {
  const taken: LogRow[] = [];
  while (taken.length < count) {
    const next = (await following.next()) ?? assert.fail("the log has ended");
    taken.push({ ...next, bytes: Uint8Array.from(next.bytes) });
  }
  return taken;
}

function withoutPlace({ id, node, count, timeMs, bytes }: LogRow): LooseBatch {
  return { id, node, count, timeMs, bytes };
}

/** Opens one node's connection to the log. */
export type NewLine = () => SharedLog;

/** `open` creates an empty log, and resolves to a function that opens connections to it. */
export function sharedLogContract(name: string, open: (t: TestContext) => NewLine | Promise<NewLine>): void {
  const contract = (what: string, run: (newLine: NewLine) => Promise<void>): void => {
    test(`${name}: ${what}`, async (t) => run(await open(t)));
  };

  contract("what anybody submits comes to all, in one order, as it was", async (newLine) => {
    const lines = [newLine(), newLine(), newLine()];
    const written = lines.flatMap((_, at) => Array.from({ length: 20 }, (_n, n) => batch(`n${at}`, n)));
    const early = lines.map((line) => line.follow(null));
    await Promise.all(written.map((one, at) => lines[at % lines.length]!.submit(one)));
    const followings = [...early, newLine().follow(null)];
    const [first, ...rest] = await Promise.all(followings.map((following) => take(following, written.length)));
    for (const other of rest) assert.deepEqual(other, first);
    const byId = (a: LooseBatch, b: LooseBatch): number => (a.id < b.id ? -1 : 1);
    assert.deepEqual(first!.map(withoutPlace).toSorted(byId), written.toSorted(byId));
    for (const following of followings) following.close();
  });

  contract("places count from 1 without gaps, and revisions rise", async (newLine) => {
    const line = newLine();
    for (let n = 0; n < 5; n++) await line.submit(batch("n1", n));
    const following = line.follow(null);
    const places = (await take(following, 5)).map(({ place }) => place);
    assert.deepEqual(
      places.map(({ number }) => number),
      [1, 2, 3, 4, 5],
    );
    const revisions = places.map(({ revision }) => revision);
    assert.ok(revisions.every((revision, at) => revision > (revisions[at - 1] ?? 0)));
    assert.equal(new Set(places.map(({ epoch }) => epoch)).size, 1);
    following.close();
  });

  contract("what is submitted again is there once", async (newLine) => {
    const [line, other] = [newLine(), newLine()];
    await line.submit(batch("n1", 1));
    await Promise.all([line.submit(batch("n1", 1)), other.submit(batch("n1", 1))]);
    await line.submit(batch("n1", 2));
    const following = other.follow(null);
    const ids = (await take(following, 2)).map(({ id }) => id);
    assert.deepEqual(ids, [batch("n1", 1).id, batch("n1", 2).id]);
    following.close();
  });

  contract("is followed from any row on", async (newLine) => {
    const line = newLine();
    for (let n = 0; n < 6; n++) await line.submit(batch("n1", n, 2));
    const whole = line.follow(null);
    const places: (LogPlace | null)[] = [null, ...(await take(whole, 6)).map(({ place }) => place)];
    whole.close();
    for (let at = 0; at < 6; at++) {
      const following = newLine().follow(places[at]!);
      assert.equal((await take(following, 1))[0]?.id, batch("n1", at).id);
      following.close();
    }
  });

  contract("who follows waits for more, until it has enough", async (newLine) => {
    const line = newLine();
    const following = line.follow(null);
    const first = following.next();
    await line.submit(batch("n1", 1));
    assert.equal((await first)?.id, batch("n1", 1).id);
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
    const following = line.follow(null);
    assert.deepEqual((await take(following, 1))[0]?.bytes, batch("n1", 1).bytes);
    following.close();
  });
}
