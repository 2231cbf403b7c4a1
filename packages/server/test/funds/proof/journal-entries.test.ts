/**
 * The journal as people read it: secrets stay encrypted, rows are split at any entry, and damage is reported with its
 * position.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { type Command, encodeCommands, Engine, type Entry, type ImportedCandle } from "@pricetime/engine";
import { createApiKey, requestWithdrawal } from "@pricetime/testkit/commands";
import { setup } from "@pricetime/testkit/journal";
import { SAMPLES } from "@pricetime/testkit/samples";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { journalEntries, MAX_TOLD_CHARACTERS } from "../../../src/journal/storage/journal-entries.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";

const folder = temporaryFolder();
const paths = dataPaths(folder);
after(() => rmSync(folder, { recursive: true }));

const SECRET = "s1.a-sealed-secret";
const withdrawal = requestWithdrawal({
  ...{ withdrawalId: "w", accountId: 100, asset: "BTC", address: "somewhere", amount: "1" },
  confirmationHash: "cd".repeat(32),
});
const COMMANDS: readonly Command[] = [
  ...setup(),
  { ...createApiKey(100, "key", { permissions: ["TRADE"] }), sealedSecret: SECRET },
  { type: "setTotp", accountId: 100, sealedSecret: SECRET, by: "dora" },
  { type: "setTotp", accountId: 100, sealedSecret: null, by: "dora" },
  withdrawal,
  { type: "openListenKey", accountId: 100, listenKey: "a-listen-key-that-opens-a-stream" },
];
const ROW = 4;

const journal = JournalFile.open(paths.journal);
const engine = new Engine();
for (let from = 0; from < COMMANDS.length; from += ROW) {
  const commands = COMMANDS.slice(from, from + ROW);
  const firstSeq = from + 1;
  const priorEventDigest = engine.eventDigest();
  const timeMs = 1000 + from;
  journal.append({
    firstSeq,
    count: commands.length,
    timeMs,
    node: "n",
    bytes: encodeCommands(commands),
    priorEventDigest,
  });
  for (const [n, command] of commands.entries()) engine.apply({ seq: firstSeq + n, timeMs, command } satisfies Entry);
}
journal.close();

const LAST = COMMANDS.length;

test("secrets are named and not shown", () => {
  const { entries } = journalEntries(paths, { from: LAST - 4, limit: 10 });
  const text = JSON.stringify(entries);
  assert.doesNotMatch(text, /s1\.|a-sealed-secret|a-listen-key/);
  const shown = entries.map(({ command }) => command["sealedSecret"] ?? command["listenKey"]);
  assert.deepEqual(shown, ["(sealed)", "(sealed)", undefined, undefined, "(sealed)"]);
  assert.deepEqual([entries[1]?.by, entries[1]?.accountId, entries[1]?.type], ["dora", 100, "setTotp"]);
});

test("what comes from the link of a letter is named and not shown", () => {
  const { confirmationHash } = withdrawal;
  assert.ok(confirmationHash !== "");
  const { entries } = journalEntries(paths, { from: 1, limit: 100 });
  const [asked] = entries.filter(({ type }) => type === "requestWithdrawal");
  assert.equal(asked?.command["confirmationHash"], "(sealed)");
  assert.ok(!JSON.stringify(entries).includes(confirmationHash));
});

test("hashes of passwords and of sessions' secrets are named and not shown, in whatever command", () => {
  const own = temporaryFolder();
  const file = JournalFile.open(dataPaths(own).journal);
  const commands: Command[] = Object.values(SAMPLES).flat();
  const bytes = encodeCommands(commands);
  const row = { firstSeq: 1, count: commands.length, timeMs: 1, node: "n", bytes };
  file.append({ ...row, priorEventDigest: new Engine().eventDigest() });
  file.close();
  const { entries } = journalEntries(dataPaths(own), { from: 1, limit: 500 });
  rmSync(own, { recursive: true });
  assert.equal(entries.length, commands.length);
  assert.doesNotMatch(JSON.stringify(entries), /"s1\.|"(secretHash|newSecretHash|was)":"(?!\(sealed\))/);
});

test("of long commands fewer are told at a time, each once, and the newest are the newest", () => {
  const long = temporaryFolder();
  const longPaths = dataPaths(long);
  const file = JournalFile.open(longPaths.journal);
  const candle = [0, ...Array.from({ length: 6 }, () => "1".repeat(200)), 1, "1", "1"] as unknown as ImportedCandle;
  const candles = Array.from({ length: 200 }, () => candle);
  const command = { type: "importKlines", symbol: "BTCUSDT", interval: "1m", candles, by: "dora" } as const;
  const priorEventDigest = new Engine().eventDigest();
  const count = 20;
  for (let firstSeq = 1; firstSeq <= count; firstSeq++) {
    const bytes = encodeCommands([command]);
    file.append({ firstSeq, count: 1, timeMs: 1000, node: "n", bytes, priorEventDigest });
  }
  file.close();
  const size = (page: object): number => JSON.stringify(page).length;
  const seqs: number[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page = journalEntries(longPaths, { from, limit: 500 });
    assert.ok(page.entries.length > 0 && size(page) < MAX_TOLD_CHARACTERS * 1.1, String(size(page)));
    seqs.push(...page.entries.map(({ seq }) => seq));
    from = page.next;
  }
  assert.deepEqual(
    seqs,
    Array.from({ length: count }, (_, n) => n + 1),
  );
  const newest = journalEntries(longPaths, { from: undefined, limit: 500 });
  assert.ok(size(newest) < MAX_TOLD_CHARACTERS * 1.1);
  assert.deepEqual([newest.entries.at(-1)?.seq, newest.next], [count, null]);
  assert.ok((newest.entries[0]?.seq ?? 0) > 1);
  rmSync(long, { recursive: true });
});

test("pages of any length follow one another", () => {
  for (const limit of [1, 3, ROW, 5, 100]) {
    const seqs: number[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const page = journalEntries(paths, { from, limit });
      assert.ok(page.chain.isWhole && page.entries.length <= limit);
      seqs.push(...page.entries.map(({ seq }) => seq));
      from = page.next;
    }
    assert.deepEqual(
      seqs,
      Array.from({ length: LAST }, (_, n) => n + 1),
    );
  }
});

test("a row that was changed is told, with the entries before it", () => {
  const database = new DatabaseSync(paths.journal);
  database.prepare("UPDATE batches SET node = 'm' WHERE first_seq = ?").run(2 * ROW + 1);
  database.close();
  const { entries, chain, next } = journalEntries(paths, { from: 1, limit: 500 });
  assert.deepEqual([entries.length, next, chain.isWhole, chain.toSeq], [2 * ROW, null, false, 2 * ROW]);
  assert.match(chain.fault ?? "", new RegExp(`damaged at entry ${2 * ROW + 1}: the hash chain is broken`));
  assert.equal(journalEntries(paths, { from: 1, limit: ROW }).chain.isWhole, true, "what is read is whole");
});
