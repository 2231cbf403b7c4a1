/**
 * A data folder that each earlier release has written is opened, found sound and answers as it did: from a snapshot
 * where this release reads its layout, else from the journal; with its history, or one made anew.
 */
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Engine, NEWEST_EDITION } from "@pricetime/engine";
import { JournalFile, REAL_FILES, replayBatch, SnapshotFolder } from "@pricetime/server/data-folder";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { pricetime, ROOT, startExchange } from "@pricetime/testkit/venue";
import { type Answers, askAll, type Balance } from "./questions.ts";

const GOLDEN = join(ROOT, "test/golden-data");

/** What a release has left: the last entry of its journal, with a snapshot there, and the rules that it follows. */
interface Release {
  readonly version: string;
  readonly seq: number;
  readonly layout: number;
  readonly edition: number;
}

const RELEASES: readonly Release[] = [
  { version: "0.1.0", seq: 167, layout: 4, edition: 1 },
  { version: "0.2.0", seq: 186, layout: 6, edition: 2 },
];
const LATEST = RELEASES.at(-1) as Release;
/** The oldest layout that is read. */
const OLDEST_READ = 6;

function copy(t: TestContext, { version }: Release): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(GOLDEN, version, "data"), folder, { recursive: true });
  return folder;
}

/** Gives what the command has printed. */
function check(what: "journal" | "history", folder: string, ...options: readonly string[]): string {
  const { code, stdout, stderr } = pricetime(what, "verify", "--data", folder, ...options);
  assert.equal(code, 0, `${what} verify: ${stdout}${stderr}`);
  return stdout;
}

/** What demos have listed since, and given to their accounts: all else is as it was. */
const NEW_ASSETS = ["LTC", "TRX"];

/** Fields that answers have had since, with the values that they have for what the releases have written. */
const ACCOUNT_FIELDS = ["commissionRates", "uid", "brokered", "requireSelfTradePrevention", "preventSor"];

interface OldOrder {
  readonly time: number;
  readonly isWorking: boolean;
  readonly stopPrice: string;
  readonly workingTime: number;
  readonly selfTradePreventionMode: string;
}

/** The answers without what there is since. */
function asBefore(answers: Answers | string): unknown {
  return JSON.parse(typeof answers === "string" ? answers : JSON.stringify(answers), (key, value: unknown) => {
    if (key === "balances") return (value as Balance[]).filter(({ asset }) => !NEW_ASSETS.includes(asset));
    if (typeof value !== "object" || value === null) return value;
    if ("workingTime" in value) return withoutLater(value as OldOrder);
    if (!("makerCommission" in value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !ACCOUNT_FIELDS.includes(name)));
  });
}

/** An order of an old journal: a plain one works from its placement; when a stop began to, nobody knows. */
function withoutLater({ workingTime, selfTradePreventionMode, ...order }: OldOrder): object {
  const isKnown = order.isWorking && Number(order.stopPrice) === 0;
  assert.deepEqual([workingTime, selfTradePreventionMode], [isKnown ? order.time : -1, "NONE"]);
  return order;
}

/** Gives what the node has said. */
async function answersAsBefore(dataFolder: string, { version }: Release): Promise<string> {
  const wanted = asBefore(readFileSync(join(GOLDEN, version, "answers.json"), "utf8"));
  const exchange = await startExchange({ dataFolder, args: ["--bots", "off", "--limits", "off"] });
  try {
    assert.deepEqual(asBefore(await askAll(exchange)), wanted);
    assert.equal(await exchange.stop(), 0);
    return exchange.output();
  } finally {
    await exchange.kill();
  }
}

/** The entry of the snapshot that a start went on from; 0: it used none. */
function snapshotUsed(said: string): unknown {
  const [line] = said.split("\n").filter((one) => one.includes('"serving"'));
  return (JSON.parse(line ?? assert.fail(said)) as { fromSnapshot?: unknown }).fromSnapshot;
}

for (const release of RELEASES) {
  const { version, seq, layout, edition } = release;

  test(`${version}: as it was left, then by the rules of today`, async (t) => {
    const folder = copy(t, release);
    const before = replayed(folder);
    assert.deepEqual([before.engine.seq, before.engine.edition], [seq, edition]);
    const isRead = layout >= OLDEST_READ;
    // A snapshot of an older layout that is read is compared; of one that is not, nothing is known.
    const unread = `snapshot layout ${layout} is not `;
    const { notCompared = [] } = JSON.parse(check("journal", folder, "--json")) as {
      readonly notCompared?: readonly { readonly snapshot: string; readonly reason: string }[];
    };
    assert.equal(notCompared.length, isRead ? 0 : 1);
    for (const { snapshot, reason } of notCompared) {
      assert.ok(snapshot.endsWith(`${seq}.snap`) && reason.startsWith(unread), `${snapshot}: ${reason}`);
    }
    assert.equal(check("journal", folder).includes(`not compared\n`), !isRead);
    check("history", folder);
    // The first start is from what the release has left, the second from what this one adds.
    for (let starts = 0; starts < 2; starts++) {
      const [newest] = new SnapshotFolder(join(folder, "snapshots")).list();
      const said = await answersAsBefore(folder, release);
      if (starts === 0) {
        assert.equal(said.includes(`${seq}.snap: ${unread}`), !isRead, said);
        assert.equal(snapshotUsed(said), isRead ? seq : 0);
      } else {
        assert.ok(newest !== undefined && newest.seq > seq);
        assert.equal(snapshotUsed(said), newest.seq);
      }
      const { engine, adopted } = replayed(folder);
      assert.equal(engine.edition, NEWEST_EDITION);
      const now = edition === NEWEST_EDITION ? [] : [{ seq: seq + 1, edition: NEWEST_EDITION }];
      assert.deepEqual(adopted, [...before.adopted, ...now], "once, and first of all");
    }
    check("journal", folder);
    check("history", folder);
  });

  test(`${version}: from the journal alone`, async (t) => {
    const folder = copy(t, release);
    for (const name of readdirSync(folder)) {
      if (name !== "journal.sqlite" && name !== "master.key") rmSync(join(folder, name), { recursive: true });
    }
    assert.equal(snapshotUsed(await answersAsBefore(folder, release)), 0);
    check("history", folder);
  });
}

test("every release has a folder, and none is left out", () => {
  const versions = RELEASES.map(({ version }) => version);
  const releases = readdirSync(GOLDEN).filter((name) => /^\d/.test(name));
  assert.deepEqual(releases.sort(), versions);
});

/** The folder's journal, carried out, and where it adopts rules. */
function replayed(folder: string): { engine: Engine; adopted: { seq: number; edition: number }[] } {
  const engine = new Engine();
  const adopted: { seq: number; edition: number }[] = [];
  const journal = JournalFile.openReadOnly(join(folder, "journal.sqlite"));
  try {
    // The state before each batch is compared with what its writer had.
    for (const batch of journal.read(1)) {
      replayBatch(engine, batch, ({ seq, command }) => {
        if (command.type === "adoptRules") adopted.push({ seq, edition: engine.edition });
      });
    }
  } finally {
    journal.close();
  }
  return { engine, adopted };
}

test("the guide says what each edition of the rules changed", () => {
  const guide = readFileSync(join(ROOT, "docs/guides/upgrade.md"), "utf8");
  const told = [...guide.matchAll(/^\| (\d+) \| /gm)].map(([, edition]) => Number(edition));
  assert.deepEqual(
    told,
    Array.from({ length: NEWEST_EDITION }, (_, i) => i + 1),
  );
});

test("with a snapshot of a layout that this release does not know: it is passed over, by name", async (t) => {
  const folder = copy(t, LATEST);
  const snapshots = new SnapshotFolder(join(folder, "snapshots"));
  const [newest] = snapshots.list();
  assert.ok(newest !== undefined);
  const snapshot = snapshots.read(newest);
  const bytes = Uint8Array.from(snapshot.bytes);
  // The layout is its first number.
  bytes[0] = 127;
  REAL_FILES.remove(newest.path);
  snapshots.write(snapshot, (sink) => sink(bytes));
  const said = await answersAsBefore(folder, LATEST);
  assert.match(said, /\.snap: snapshot layout 127 is not \d+/);
  assert.equal(snapshotUsed(said), 0);
});
