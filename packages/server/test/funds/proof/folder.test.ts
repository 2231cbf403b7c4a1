/** Proofs and treasury of a data folder: from its journal alone, at any position, stored and verified. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type Command, Engine } from "@pricetime/engine";
import { byTwo, TWO_OPERATORS } from "@pricetime/testkit/commands";
import { batchesOf, randomFlow, setup } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { checkCustomer, readCustomer } from "../../../src/funds/proof/proof.ts";
import { exportProof, verifyProof } from "../../../src/funds/proof/folder/verify-proof.ts";
import { customerFile, storeProof, storedProof, storedProofs } from "../../../src/funds/proof/folder/stored-proofs.ts";
import { makeProof } from "../../../src/funds/proof/folder/make-proof.ts";
import { AuditRefused } from "../../../src/funds/proof/folder/port.ts";
import { stateAt } from "../../../src/funds/proof/folder/state-at.ts";
import { treasuryAt } from "../../../src/funds/proof/folder/treasury.ts";
import { proofKeyOf, signingKeyOf } from "../../../src/funds/proof/keys.ts";
import { ProofRefused } from "../../../src/funds/proof/lines.ts";
import {
  compareStatements,
  type SignedStatement,
  signStatement,
  type Statement,
} from "../../../src/funds/proof/statement.ts";
import { recover } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { dataPaths, type DataPaths } from "../../../src/journal/storage/data-folder.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { MASTER_KEY } from "./venue.ts";

const SEED = 7;
const world = MACHINE;

interface Folder {
  readonly folder: string;
  readonly paths: DataPaths;
  /** The ends of its rows. */
  readonly ends: readonly number[];
}

/** A journal of random orders, deposits and withdrawals. */
function folderWith(
  t: TestContext,
  commands: readonly Command[] = randomFlow(SEED, 150),
  { eachAlone = false } = {},
): Folder {
  const folder = scratchFolder(t);
  const paths = dataPaths(folder);
  const journal = JournalFile.open(paths.journal);
  const ends: number[] = [];
  const engine = new Engine();
  for (const together of eachAlone ? commands.map((command) => [command]) : [commands]) {
    for (const batch of batchesOf(SEED, together, engine)) ends.push(journal.append(batch).lastSeq);
  }
  journal.close();
  return { folder, paths, ends };
}

const make = ({ folder, paths }: Folder, at?: number): SignedStatement =>
  makeProof({ dataFolder: folder, paths, world, at, masterKey: MASTER_KEY });
const verify = (signed: SignedStatement, { paths }: Folder): boolean =>
  verifyProof(signed, { paths, world, proofKey: proofKeyOf(MASTER_KEY, signed.statement.chainHash) });
const resigned = ({ statement }: SignedStatement, change: Partial<Statement>): SignedStatement =>
  signStatement({ ...statement, ...change }, signingKeyOf(MASTER_KEY));
const refused = (why: RegExp) => (error: Error) => error instanceof ProofRefused && why.test(error.message);
const auditRefused = (why: RegExp) => (error: Error) => error instanceof AuditRefused && why.test(error.message);

test("7: any position has a proof, one, which the journal alone leads to", (t) => {
  const folder = folderWith(t);
  const [early = 0, late = 0] = [folder.ends[5], folder.ends.at(-1)];
  const newest = make(folder);
  const earlier = make(folder, early);
  assert.deepEqual([newest.statement.seq, earlier.statement.seq], [late, early]);
  assert.deepEqual([newest.statement.number, earlier.statement.number], [1, 2]);
  assert.equal(compareStatements(newest, earlier), "next");
  for (const signed of [newest, earlier]) verify(signed, folder);
  // Again: the same one, not another of the same instant.
  assert.equal(make(folder).text, newest.text);
  assert.deepEqual(
    storedProofs(folder.folder).map(({ digest }) => digest),
    [earlier.digest, newest.digest],
  );
  // A position within a row: the row before it.
  const within = folder.ends.findIndex((end, n) => n > 5 && end - (folder.ends[n - 1] ?? 0) > 1);
  assert.equal(make(folder, (folder.ends[within] ?? 0) - 1).statement.seq, folder.ends[within - 1]);
  assert.throws(() => make(folder, late + 1), auditRefused(/ends with entry/));
});

test("7: money borrowed for the day of the proof is not there at another position", (t) => {
  const move = (type: "deposit" | "debit", reference: string): Command => ({
    ...{ type, by: "test", accountId: 4, asset: "BTC", amount: "1000", reference },
  });
  const day = setup().length + 1;
  const folder = folderWith(t, [...setup(), move("deposit", "borrowed"), move("debit", "given back")], {
    eachAlone: true,
  });
  const held = [day - 1, day, day + 1].map((at) => make(folder, at).statement.assets[0]?.treasury);
  assert.deepEqual(held, ["0", "100000000000", "0"]);
  const flows = treasuryAt({ paths: folder.paths, world }, true).assets[0]?.flows;
  assert.deepEqual([flows?.in["deposit"], flows?.out["debit"]], ["270000000000000001000.00000000", "1000.00000000"]);
});

test("10: an auditor with the journal finds whatever is told otherwise", (t) => {
  const folder = folderWith(t);
  const honest = make(folder);
  const [first, ...others] = honest.statement.assets;
  assert.ok(first);
  const units = String(BigInt(first.total) - 1n);
  const net = String(BigInt(first.net) - 1n);
  const lies: [Partial<Statement>, RegExp][] = [
    [{ assets: [{ ...first, total: units, net }, ...others] }, /BTC: total is/],
    [{ assets: [{ ...first, root: "00".repeat(32) }, ...others] }, /BTC: root is/],
    [{ assets: [{ ...first, leaving: "1" }, ...others] }, /BTC: leaving is/],
    [{ assets: others }, /has 3 assets/],
    [{ chainHash: "00".repeat(32) }, /chainHash/],
    [{ stateHash: "00".repeat(8) }, /stateHash/],
    [{ timeMs: honest.statement.timeMs + 1 }, /timeMs/],
    [{ seq: folder.ends[4] ?? 0 }, /chainHash/],
  ];
  for (const [change, why] of lies) assert.throws(() => verify(resigned(honest, change), folder), refused(why));
  // Without the proof's key everything but the roots is created again.
  const withoutKey = (signed: SignedStatement): boolean =>
    verifyProof(signed, { paths: folder.paths, world, proofKey: undefined });
  withoutKey(honest);
  withoutKey(resigned(honest, { assets: [{ ...first, root: "00".repeat(32) }, ...others] }));
  const [[change, why] = [{}, /./]] = lies;
  assert.throws(() => withoutKey(resigned(honest, change)), refused(why));
});

test("a proof from a snapshot is the one from the first row", (t) => {
  const folder = folderWith(t);
  const at = folder.ends[10] ?? 0;
  const fromRows = make(folder, folder.ends[12]);
  const journal = JournalFile.openReadOnly(folder.paths.journal);
  const snapshots = new SnapshotFolder(folder.paths.snapshots);
  const { engine, head } = recover(journal, snapshots, { world, untilSeq: at });
  snapshots.take(engine, head.chainHash);
  journal.close();
  rmSync(join(folder.folder, "proofs"), { recursive: true });
  assert.equal(make(folder, folder.ends[12]).text, fromRows.text);
  // A proof of an instant before the snapshot is also possible.
  assert.equal(make(folder, folder.ends[8]).statement.seq, folder.ends[8]);
});

test("every customer's part is read from the kept trees and holds; who has nothing has an empty one", (t) => {
  const folder = folderWith(t, [
    ...randomFlow(SEED, 150),
    { type: "openAccount", by: "test", email: "none@test", name: "n", makerBps: 0, takerBps: 0 },
  ]);
  const signed = make(folder);
  const to = join(folder.folder, "out");
  const written = exportProof({
    dataFolder: folder.folder,
    paths: folder.paths,
    world,
    of: signed,
    masterKey: MASTER_KEY,
    to,
  });
  assert.equal(written.customers, 4);
  const engine = new Engine();
  for (const batch of batchesOf(SEED, randomFlow(SEED, 150), engine)) assert.ok(batch.count > 0);
  for (const accountId of [100, 101, 102, 103]) {
    const part = readCustomer(readFileSync(join(to, `customer-${accountId}.json`), "utf8"));
    checkCustomer(part, signed);
    const amounts = new Map(part.holdings.map(({ asset, amount }) => [asset, BigInt(amount)]));
    for (const { assetId, spec } of engine.assets()) {
      const { free, locked } = engine.balance(accountId, assetId);
      assert.equal(amounts.get(spec.asset) ?? 0n, free + locked);
    }
  }
  assert.equal(readFileSync(join(to, "public.jsonl"), "utf8"), signed.text);
  assert.throws(
    () =>
      exportProof({
        dataFolder: folder.folder,
        paths: folder.paths,
        world,
        of: signed,
        masterKey: MASTER_KEY,
        to,
        accountIds: [7],
      }),
    auditRefused(/no account 7/),
  );
});

test("trees that are lost are made again; the public part stays, and one that was changed is found", (t) => {
  const folder = folderWith(t);
  const signed = make(folder);
  const at = join(folder.folder, "proofs", String(signed.statement.seq));
  rmSync(join(at, "tree-1"));
  const account = { accountId: 100, email: "100@test" };
  assert.throws(
    () => customerFile(folder.folder, signed.statement.seq, account, MASTER_KEY),
    auditRefused(/Recreate them/),
  );
  assert.equal(make(folder).text, signed.text);
  assert.ok(existsSync(join(at, "tree-1")));
  const file = join(at, "public.jsonl");
  writeFileSync(file, signed.text.replace('"number":1', '"number":9'));
  assert.throws(() => storedProof(folder.folder, signed.statement.seq), refused(/signature/));
  assert.throws(() => make(folder), refused(/signature/));
  // Signed again by someone who has the key: the journal shows that it is another.
  rmSync(join(at, "tree-1"));
  writeFileSync(file, resigned(signed, { stateHash: "00".repeat(8) }).text);
  assert.throws(() => make(folder), auditRefused(/does not match the journal/));
});

test("a proof that fails midway leaves nothing behind, and one that was killed only until the next", (t) => {
  const { folder, paths } = folderWith(t);
  const proofs = join(folder, "proofs");
  const state = stateAt({ paths, world });
  const partial = join(proofs, `${state.head.lastSeq}.partial`);
  const { assets } = state.engine;
  // The place of the second tree is taken.
  const spoilt = t.mock.method(state.engine, "assets", () => {
    mkdirSync(join(partial, "tree-2"));
    return assets.call(state.engine);
  });
  assert.throws(() => storeProof(folder, state, MASTER_KEY), /EEXIST.*tree-2/);
  assert.deepEqual(readdirSync(proofs), []);
  spoilt.mock.restore();
  mkdirSync(join(proofs, "3.partial"));
  writeFileSync(join(proofs, "3.partial", "tree-1"), "as far as it came");
  storeProof(folder, state, MASTER_KEY);
  assert.deepEqual(readdirSync(proofs), [String(state.head.lastSeq)]);
});

test("the treasury sums to what came in less what went out, at every position and by reason", (t) => {
  const folder = folderWith(t);
  for (const at of [undefined, folder.ends[8], folder.ends[20]]) {
    const plain = treasuryAt({ paths: folder.paths, world, at }, false);
    const { assets, isBalanced } = treasuryAt({ paths: folder.paths, world, at }, true);
    assert.ok(isBalanced && plain.isBalanced);
    assert.deepEqual(
      assets.map(({ flows: _flows, ...asset }) => asset),
      plain.assets,
    );
    for (const { net, difference, flows } of assets) assert.deepEqual([flows?.net, difference], [net, "0.00000000"]);
  }
});

test("adjustments and coins of nobody add up: against the house, and as what came in", (t) => {
  const why = { category: "correction", why: "a test" } as const;
  const money = { accountId: 100, asset: "BTC" } as const;
  const credit = { direction: "credit", amount: "1.5", house: "treasury", reference: "a" } as const;
  const debit = { direction: "debit", amount: "0.25", house: "fees", reference: "b" } as const;
  const coin = { network: "ANY", txId: "t", output: 0 };
  const seen = { ...coin, address: "a", tag: "", coin: "0xdead", amount: "7", reason: "other" } as const;
  const settle = { type: "settleUnknownDeposit", by: "", asset: "BTC", why: "a test" } as const;
  const commands: Command[] = [
    ...[...setup(), ...TWO_OPERATORS],
    ...byTwo(1, { type: "adjust", by: "", ...money, ...credit, ...why }),
    ...byTwo(2, { type: "adjust", by: "", ...money, ...debit, ...why }),
    ...[0, 1].map((output): Command => ({ type: "noteUnknownDeposit", ...seen, output })),
    ...byTwo(3, { ...settle, ...coin, how: "credit", toAccountId: 100, amount: "3" }),
    ...byTwo(4, { ...settle, ...coin, output: 1, how: "keep", toAccountId: null, amount: "2" }),
  ];
  const before = treasuryAt({ paths: folderWith(t, setup()).paths, world }, true).assets[0];
  const folder = folderWith(t, commands);
  const { assets, isBalanced } = treasuryAt({ paths: folder.paths, world }, true);
  const [btc] = assets;
  assert.ok(isBalanced && assets.every(({ difference }) => difference === "0.00000000"));
  const units = (decimal = "0.00000000"): bigint => BigInt(decimal.replace(".", ""));
  const rise = (of: (asset: typeof btc) => string | undefined): bigint => units(of(btc)) - units(of(before));
  assert.deepEqual(
    [rise((asset) => asset?.customers), rise((asset) => asset?.house.treasury), rise((asset) => asset?.house.fees)],
    [425_000_000n, 50_000_000n, 25_000_000n],
  );
  assert.deepEqual([rise((asset) => asset?.net), Object.keys(btc?.flows?.in ?? {})], [500_000_000n, ["deposit"]]);
  const signed = make(folder);
  verify(signed, folder);
  const account = { accountId: 100, email: "100@test" };
  checkCustomer(readCustomer(customerFile(folder.folder, signed.statement.seq, account, MASTER_KEY)), signed);
});
