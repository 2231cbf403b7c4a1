/** Pages of the journal: walks to older and to newer entries return each matching entry once, in order. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { type Command, encodeCommands, Engine, type ImportedCandle } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { journalEntries, MAX_TOLD_CHARACTERS } from "../../../src/journal/storage/journal-entries.ts";
import type { EntriesQuery, EntryFilter, JournalEntries } from "../../../src/journal/port.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";

const SEEDS = 8;
const WALKS_A_SEED = 10;
const MAX_ROW = 9;
const ACCOUNTS = [100, 101];
const OPERATORS = ["dora", "emil"];

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

interface Made {
  readonly paths: ReturnType<typeof dataPaths>;
  readonly commands: readonly Command[];
  /** The first entry of each row. */
  readonly rows: readonly number[];
}

function journalOf(commands: readonly Command[], rowLength: () => number): Made {
  const folder = temporaryFolder();
  folders.push(folder);
  const paths = dataPaths(folder);
  const file = JournalFile.open(paths.journal, { unsynced: true });
  const priorEventDigest = new Engine().eventDigest();
  const rows: number[] = [];
  for (let from = 0; from < commands.length; ) {
    const row = commands.slice(from, from + rowLength());
    const firstSeq = from + 1;
    rows.push(firstSeq);
    const bytes = encodeCommands(row);
    file.append({ firstSeq, count: row.length, timeMs: 1000 + from, node: "n", bytes, priorEventDigest });
    from += row.length;
  }
  file.close();
  return { paths, commands, rows };
}

/** A few of them fill a page whatever its limit. */
const LONG_CANDLES = Array.from(
  { length: 200 },
  () => [0, ...Array.from({ length: 6 }, () => "1".repeat(300)), 1, "1", "1"] as unknown as ImportedCandle,
);

function randomCommand(dice: Dice, withLong: boolean): Command {
  if (withLong && dice.oneIn(12))
    return { type: "importKlines", symbol: "BTCUSDT", interval: "1m", candles: LONG_CANDLES, by: dice.pick(OPERATORS) };
  const accountId = dice.pick(ACCOUNTS);
  if (dice.oneIn(2)) return { type: "openListenKey", accountId, listenKey: "k" };
  return { type: "setTotp", accountId, sealedSecret: null, by: dice.pick(OPERATORS) };
}

/** Long commands take time: few journals have them. */
function randomJournal(dice: Dice): Made {
  const withLong = dice.oneIn(5);
  const commands = Array.from({ length: dice.between(1, 80) }, () => randomCommand(dice, withLong));
  return journalOf(commands, () => dice.between(1, MAX_ROW));
}

function randomFilter(dice: Dice): EntryFilter | undefined {
  const filter: EntryFilter = {
    ...(dice.oneIn(3) && { type: dice.pick(["setTotp", "openListenKey", "importKlines", "none"]) }),
    ...(dice.oneIn(3) && { by: dice.pick(OPERATORS) }),
    ...(dice.oneIn(3) && { accountId: dice.pick(ACCOUNTS) }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}

interface Walk {
  readonly made: Made;
  readonly only: EntryFilter | undefined;
  readonly limit: number;
  readonly lookedThrough: number;
}

const lastOf = ({ commands }: Made): number => commands.length;

function wantedIn({ made, only = {} }: Walk, fromSeq: number, toSeq: number): number[] {
  return made.commands.flatMap((command, n) => {
    const isWanted = Object.entries(only).every(([name, value]) => (command as never)[name] === value);
    return isWanted && n + 1 >= fromSeq && n + 1 <= toSeq ? [n + 1] : [];
  });
}

const seqsOf = ({ entries }: JournalEntries): number[] => entries.map(({ seq }) => seq);

/** A page that matches its description. */
function pageOf(walk: Walk, bound: Pick<EntriesQuery, "from" | "before">): JournalEntries {
  const { made, only, limit, lookedThrough } = walk;
  const page = journalEntries(made.paths, { ...bound, limit, only }, lookedThrough);
  const { looked, chain } = page;
  assert.deepEqual(seqsOf(page), wantedIn(walk, looked.fromSeq, looked.toSeq));
  assert.ok(page.entries.length <= limit);
  assert.ok(looked.toSeq + 1 - looked.fromSeq <= (only === undefined ? limit : lookedThrough));
  assert.ok(page.entries.length <= 1 || JSON.stringify(page.entries).length < MAX_TOLD_CHARACTERS * 1.1);
  assert.ok(chain.isWhole && (made.rows.includes(chain.fromSeq) || chain.fromSeq > lastOf(made)));
  assert.ok(made.rows.includes(chain.toSeq + 1) || chain.toSeq === lastOf(made) || chain.toSeq === 0);
  assert.ok(looked.toSeq < looked.fromSeq || (chain.fromSeq <= looked.fromSeq && chain.toSeq >= looked.toSeq));
  return page;
}

/** From before `before`, or the newest, to the first. */
function walkOlder(walk: Walk, before: number | undefined): number[] {
  const seqs: number[] = [];
  let end = before ?? lastOf(walk.made) + 1;
  for (let asked = before; ; asked = end) {
    const page = pageOf(walk, { before: asked });
    assert.equal(page.next, end > lastOf(walk.made) ? null : end);
    assert.equal(page.looked.toSeq, end - 1);
    seqs.unshift(...seqsOf(page));
    if (page.prior === null) return seqs;
    assert.ok(page.prior < end, "it goes on");
    end = page.prior;
  }
}

/** From an entry to the newest. */
function walkNewer(walk: Walk, first: number): number[] {
  const seqs: number[] = [];
  for (let from = first; ; ) {
    const page = pageOf(walk, { from });
    assert.equal(page.prior, from === 1 ? null : from);
    assert.equal(page.looked.fromSeq, from);
    seqs.push(...seqsOf(page));
    if (page.next === null) return seqs;
    assert.ok(page.next > from, "it goes on");
    from = page.next;
  }
}

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`walks through a journal tell every entry that is wanted once, in order (seed ${seed})`, () => {
    const dice = new Dice(seed);
    const made = randomJournal(dice);
    for (let n = 0; n < WALKS_A_SEED; n++) {
      const walk: Walk = {
        made,
        only: randomFilter(dice),
        limit: dice.between(1, 20),
        lookedThrough: dice.between(2, 40),
      };
      const wanted = wantedIn(walk, 1, lastOf(made));
      assert.deepEqual(walkOlder(walk, undefined), wanted);
      assert.deepEqual(walkNewer(walk, 1), wanted);
      const anywhere = dice.between(2, lastOf(made) + 1);
      assert.deepEqual([...walkOlder(walk, anywhere), ...walkNewer(walk, anywhere)], wanted, `from ${anywhere}`);
    }
  });
}

const ROW = 4;
const short = (): Command[] =>
  Array.from({ length: 5 * ROW }, () => ({ type: "openListenKey", accountId: 100, listenKey: "k" }));

test("the newest are those before the entry after the last, and beyond it nothing else is", () => {
  const { paths, commands } = journalOf(short(), () => ROW);
  const newest = journalEntries(paths, { limit: 3 });
  for (const before of [commands.length + 1, commands.length + 1000])
    assert.deepEqual(journalEntries(paths, { before, limit: 3 }), newest);
  assert.deepEqual([newest.prior, newest.next], [commands.length - 2, null]);
  const none = journalEntries(paths, { before: 1, limit: 3 });
  assert.deepEqual([none.entries, none.prior, none.next, none.chain.isWhole], [[], null, 1, true]);
  const { paths: empty } = journalOf([], () => ROW);
  for (const bound of [{}, { before: 7 }, { from: 7 }]) {
    const { entries, prior, next, chain } = journalEntries(empty, { ...bound, limit: 3 });
    assert.deepEqual([entries, prior, next, chain.isWhole], [[], null, null, true]);
  }
});

test("of matches that do not fit, the last before the entry are told, and the others on the next page", () => {
  const { paths } = journalOf(short(), () => ROW);
  const only = { accountId: 100 };
  const page = journalEntries(paths, { before: 16, limit: 3, only }, 10);
  assert.deepEqual([seqsOf(page), page.prior, page.next], [[13, 14, 15], 13, 16]);
  assert.deepEqual([page.chain.fromSeq, page.chain.toSeq], [5, 16], "the rows of all that was looked through");
  const none = journalEntries(paths, { before: 16, limit: 3, only: { accountId: 101 } }, 10);
  assert.deepEqual([none.entries, none.prior, none.looked], [[], 6, { fromSeq: 6, toSeq: 15 }]);
});

test("a damaged row is told to who looks back, with the last entries before it, and older ones lead on", () => {
  const { paths } = journalOf(short(), () => ROW);
  const database = new DatabaseSync(paths.journal);
  database.prepare("UPDATE batches SET node = 'm' WHERE first_seq = ?").run(2 * ROW + 1);
  database.close();
  const only = { accountId: 100 };
  const page = journalEntries(paths, { before: 4 * ROW + 1, limit: 3, only });
  assert.match(page.chain.fault ?? "", new RegExp(`damaged at entry ${2 * ROW + 1}: the hash chain is broken`));
  assert.deepEqual([page.chain.isWhole, page.chain.fromSeq, page.chain.toSeq], [false, 1, 2 * ROW]);
  assert.deepEqual([seqsOf(page), page.prior, page.next], [[6, 7, 8], 6, 4 * ROW + 1]);
  const older = journalEntries(paths, { before: 6, limit: 3, only });
  assert.deepEqual([older.chain.isWhole, seqsOf(older)], [true, [3, 4, 5]], "what is read is whole");
  const within = journalEntries(paths, { before: 2 * ROW + 3, limit: 2 });
  assert.deepEqual([within.chain.isWhole, within.entries], [false, []]);
});
