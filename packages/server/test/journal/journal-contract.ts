/** The contract of every journal. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { chainHashOf, GENESIS_CHAIN_HASH } from "../../src/journal/chain.ts";
import { type Batch, type Journal, JournalRefused, type NewBatch } from "../../src/journal/port.ts";

const batch = (firstSeq: number, count: number, timeMs = 1_000): NewBatch => ({
  firstSeq,
  count,
  timeMs,
  node: "n1",
  bytes: Uint8Array.from({ length: count * 3 }, (_, i) => (firstSeq + i) & 0xff),
  priorEventDigest: firstSeq.toString(16).padStart(16, "0"),
});

async function readAll(journal: Journal, fromSeq: number): Promise<Batch[]> {
  const rows: Batch[] = [];
  for await (const row of journal.read(fromSeq)) rows.push(row);
  return rows;
}

export function journalContract(name: string, open: (t: TestContext) => Journal): void {
  const contract = (what: string, run: (journal: Journal) => Promise<void>): void => {
    test(`${name}: ${what}`, async (t) => {
      const journal = open(t);
      try {
        await run(journal);
      } finally {
        await journal.close();
      }
    });
  };

  contract("is empty at first", async (journal) => {
    assert.deepEqual(await journal.head(), { lastSeq: 0, lastTimeMs: 0, chainHash: GENESIS_CHAIN_HASH });
    assert.deepEqual(await readAll(journal, 1), []);
  });

  contract("gives back what was appended, chained", async (journal) => {
    const written = [batch(1, 3), batch(4, 1, 1_000), batch(5, 2, 2_000)];
    let chainHash = GENESIS_CHAIN_HASH;
    const expected: Batch[] = [];
    for (const row of written) {
      chainHash = chainHashOf(chainHash, row);
      const head = await journal.append(row);
      assert.deepEqual(head, { lastSeq: row.firstSeq + row.count - 1, lastTimeMs: row.timeMs, chainHash });
      assert.deepEqual(await journal.head(), head);
      expected.push({ ...row, chainHash });
    }
    const rows = (await readAll(journal, 1)).map((row) => ({ ...row, bytes: Uint8Array.from(row.bytes) }));
    assert.deepEqual(rows, expected);
  });

  contract("reads from the row that holds an entry", async (journal) => {
    for (const row of [batch(1, 3), batch(4, 1), batch(5, 2)]) await journal.append(row);
    const firstSeqs = async (fromSeq: number): Promise<number[]> =>
      (await readAll(journal, fromSeq)).map((row) => row.firstSeq);
    assert.deepEqual(await firstSeqs(1), [1, 4, 5]);
    assert.deepEqual(await firstSeqs(3), [1, 4, 5]);
    assert.deepEqual(await firstSeqs(4), [4, 5]);
    assert.deepEqual(await firstSeqs(6), [5]);
    assert.deepEqual(await firstSeqs(7), []);
  });

  contract("reads many rows", async (journal) => {
    const count = 300;
    await Promise.all(Array.from({ length: count }, (_, i) => journal.append(batch(i + 1, 1))));
    assert.equal((await readAll(journal, 1)).length, count);
    assert.equal((await readAll(journal, 250)).length, 51);
  });

  contract("refuses what does not follow, and writes nothing then", async (journal) => {
    await journal.append(batch(1, 3));
    const head = await journal.head();
    const wrong = [batch(3, 1), batch(5, 1), batch(1, 3), batch(4, 0), batch(4, 1, 999), batch(4, -1), batch(4, 1.5)];
    for (const row of wrong) await assert.rejects(journal.append(row), JournalRefused);
    assert.deepEqual(await journal.head(), head);
    await journal.append(batch(4, 1));
  });

  contract("keeps what it was given, not the buffer", async (journal) => {
    const row = batch(1, 1);
    const bytes = row.bytes.slice();
    await journal.append(row);
    row.bytes.fill(0);
    assert.deepEqual(Uint8Array.from((await readAll(journal, 1))[0]?.bytes ?? []), bytes);
  });
}
