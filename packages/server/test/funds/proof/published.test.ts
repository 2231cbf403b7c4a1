/**
 * Published roots: a chain in the journal, from which each proof can be recreated, and how a venue that lies is
 * detected.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hash } from "node:crypto";
import { test } from "node:test";
import { DAY_MS } from "@pricetime/engine";
import { DailyProofs } from "../../../src/funds/proof/folder/daily-proofs.ts";
import { storedProof, proofsFolder } from "../../../src/funds/proof/folder/stored-proofs.ts";
import { AuditRefused } from "../../../src/funds/proof/folder/port.ts";
import { verifyProof, verifyPublished } from "../../../src/funds/proof/folder/verify-proof.ts";
import { proofKeyOf, signingKeyOf } from "../../../src/funds/proof/keys.ts";
import { ProofRefused } from "../../../src/funds/proof/lines.ts";
import { type SignedStatement, signStatement, type Statement } from "../../../src/funds/proof/statement.ts";
import { openReader } from "../../../src/journal/storage/open-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { liveVenue, type LiveVenue } from "./live-venue.ts";
import { MASTER_KEY } from "./venue.ts";

const world = MACHINE;
const HOUR_MS = DAY_MS / 24;

const verify = (signed: SignedStatement, { paths }: LiveVenue): boolean =>
  verifyProof(signed, { paths, world, proofKey: proofKeyOf(MASTER_KEY, signed.statement.chainHash) });
const numbersIn = ({ paths }: LiveVenue): number[] =>
  verifyPublished({ paths, world, masterKey: MASTER_KEY }).map(({ number }) => number);
const resigned = ({ statement }: SignedStatement, change: Partial<Statement>): SignedStatement =>
  signStatement({ ...statement, ...change }, signingKeyOf(MASTER_KEY));
const refused = (why: RegExp) => (error: Error) => error instanceof ProofRefused && why.test(error.message);
const notPossible = (why: RegExp) => (error: Error) =>
  error instanceof AuditRefused && error.fault === "NOT_POSSIBLE" && why.test(error.message);

test("roots follow each other in the journal, and each is made again from it alone", async (t) => {
  const venue = await liveVenue(t);
  const [first, second, third] = [await venue.make(), await venue.make(), await venue.make()];
  assert.deepEqual(numbersIn(venue), []);
  assert.deepEqual(await venue.publish(first.seq), [1]);
  // The second one, which the third names, is published with it.
  assert.deepEqual(await venue.publish(third.seq), [2, 3]);
  rmSync(proofsFolder(venue.folder), { recursive: true });
  assert.deepEqual(numbersIn(venue), [1, 2, 3]);
  assert.equal(venue.engine.venue.lastProof?.root, third.digest);
  assert.equal(venue.engine.venue.lastProof?.previous, second.digest);
  await assert.rejects(venue.publish(third.seq), AuditRefused);
});

test("a proof of an earlier entry follows, too; what is not after the last one cannot be published", async (t) => {
  const venue = await liveVenue(t);
  const [early, late] = [await venue.make(), await venue.make()];
  await venue.publish(late.seq);
  const between = await venue.auditor.makeProof(early.seq - 1);
  assert.deepEqual([late.number, between.number], [2, 3]);
  assert.deepEqual(await venue.publish(between.seq), [3]);
  await assert.rejects(venue.publish(early.seq), notPossible(/is not before it/));
  await assert.rejects(venue.publish(between.seq), notPossible(/published already/));
  assert.deepEqual(numbersIn(venue), [2, 3]);
  // An intermediate one is lost.
  const lost = await venue.make();
  const last = await venue.make();
  rmSync(join(proofsFolder(venue.folder), String(lost.seq)), { recursive: true });
  await assert.rejects(venue.publish(last.seq), notPossible(/follows one that is not kept here/));
});

test("a folder that lost its proofs goes on after the last one that was published, and makes that one again", async (t) => {
  const venue = await liveVenue(t);
  await venue.make();
  const published = await venue.make();
  await venue.publish(published.seq);
  rmSync(proofsFolder(venue.folder), { recursive: true });
  const next = await venue.make();
  assert.equal(next.number, 3);
  const { lastProof } = venue.engine.venue;
  assert.ok(lastProof);
  assert.equal((await venue.auditor.makePublished(lastProof)).digest, published.digest);
  assert.equal((await venue.auditor.makePublished(lastProof)).digest, published.digest);
  assert.deepEqual(await venue.publish(next.seq), [3]);
  assert.deepEqual(numbersIn(venue), [2, 3]);
});

test("a root in the journal that the journal does not lead to is found", async (t) => {
  const venue = await liveVenue(t);
  const { seq } = await venue.make();
  const honest = storedProof(venue.folder, seq);
  const [first, ...others] = honest.statement.assets;
  assert.ok(first);
  const lie = resigned(honest, { assets: [{ ...first, total: "5", leaving: "0", net: "5" }, ...others] });
  const { number, previous } = lie.statement;
  await venue.must({ type: "publishProof", by: "test", number, seq, previous, root: lie.digest });
  assert.throws(() => numbersIn(venue), refused(/number 1: the root .* was published, and the journal leads to/));
  // Whoever receives the honest one sees that another was published.
  assert.throws(() => verify(honest, venue), refused(/TWO VIEWS/));
});

test("a proof that was not published is told from one that was, and from one in its place", async (t) => {
  const venue = await liveVenue(t);
  const [one, two] = [await venue.make(), await venue.make()];
  const [first, second] = [storedProof(venue.folder, one.seq), storedProof(venue.folder, two.seq)];
  assert.equal(verify(first, venue), false);
  await venue.publish(one.seq);
  assert.equal(verify(first, venue), true);
  assert.equal(verify(second, venue), false);
  // A forged chain: the journal's number 1 is replaced by another.
  const other = resigned(second, { number: 1, previous: "0".repeat(64) });
  assert.throws(() => verify(other, venue), refused(/TWO VIEWS: the journal has published/));
  const skipping = { number: 3, seq: two.seq, root: two.digest, previous: one.digest };
  const { events } = await venue.sequencer.run({ type: "publishProof", by: "test", ...skipping });
  assert.deepEqual(events, [{ type: "rejected", reason: "WRONG_STATUS" }]);
});

test("each day a proof of the moment that the journal draws is published, later if need be, and once", async (t) => {
  let nowMs = Date.UTC(2026, 10, 26, 0, 0);
  const clock = { ...MACHINE, nowMs: () => nowMs };
  const venue = await liveVenue(t, clock);
  const said: string[] = [];
  const log = {
    info: (_: object, text: string) => said.push(text),
    warn: (_: object, text: string) => said.push(text),
  };
  const { engine: view, sequencer, auditor } = venue;
  let isBusy = false;
  const audits = {
    publications: (...asked: Parameters<typeof auditor.publications>) => auditor.publications(...asked),
    newestMoment: (at: number) => auditor.newestMoment(at),
    makeProof: (at: number) =>
      isBusy ? Promise.reject(new AuditRefused("BUSY", "another one")) : auditor.makeProof(at),
  };
  const daily = new DailyProofs({ isOn: true, view, sequencer, audits, world: clock, log });
  const published = (): number => view.venue.lastProof?.number ?? 0;
  /** What the rule says, from the rows alone. */
  const rows: { endSeq: number; timeMs: number; chainHash: string }[] = [];
  const note = (): void => {
    const journal = openReader(venue.paths.journal);
    const { lastSeq: endSeq, lastTimeMs: timeMs, chainHash } = journal.head();
    journal.close();
    rows.push({ endSeq, timeMs, chainHash });
  };
  const ruled = (dayMs: number): { atMs: number; seq: number } => {
    for (let slot = 0; slot < 144; slot++) {
      const atMs = dayMs + slot * 600_000;
      const row = rows.findLast(({ timeMs }) => timeMs < atMs);
      if (row === undefined) continue;
      const of = `pricetime daily proof\n${dayMs / 86_400_000}\n${slot}\n${row.chainHash}`;
      const drawn = Number.parseInt(hash("sha256", of, "hex").slice(0, 12), 16);
      if (drawn % (144 - slot) === 0) return { atMs, seq: row.endSeq };
    }
    return assert.fail("the last slot is drawn where none was before");
  };
  const moments = new Set<number>();
  for (const day of [0, 1]) {
    const dayMs = Date.UTC(2026, 10, 26 + day);
    for (let minute = 0; minute < 1440 && published() === day; minute += 10) {
      nowMs = dayMs + minute * 60_000;
      await venue.must({ type: "setMaintenance", isOn: minute % 20 === 0, by: "test" });
      await Promise.all([daily.look(), daily.look()]);
      note();
    }
    const { atMs, seq } = ruled(dayMs);
    assert.deepEqual([published(), view.venue.lastProof?.seq], [day + 1, seq]);
    assert.ok(nowMs >= atMs && nowMs <= atMs + 10 * 60_000, `${nowMs} ${atMs}`);
    moments.add(atMs - dayMs);
    for (nowMs; nowMs < dayMs + 23 * HOUR_MS; nowMs += HOUR_MS) await daily.look();
    assert.equal(published(), day + 1);
  }
  assert.equal(moments.size, 2);
  // A failure is retried after a pause, for the position that has passed.
  await venue.must({ type: "setMaintenance", isOn: false, by: "test" });
  nowMs = Date.UTC(2026, 10, 29, 12);
  isBusy = true;
  await daily.look();
  isBusy = false;
  await daily.look();
  assert.equal(published(), 2);
  nowMs += 10 * 60_000;
  await daily.look();
  assert.equal(published(), 3);
  assert.equal(said.filter((text) => text.includes("failed, retrying")).length, 1);
  // A chosen one differs from those.
  const { seq } = await venue.make();
  await venue.publish(seq);
  const all = verifyPublished({ paths: venue.paths, world: MACHINE, masterKey: MASTER_KEY });
  assert.deepEqual(
    all.map(({ number, isDrawn }) => [number, isDrawn]),
    [
      [1, true],
      [2, true],
      [3, true],
      [4, false],
    ],
  );
  const idle = new DailyProofs({ isOn: false, view, sequencer, audits, world: clock, log });
  idle.start();
  await idle.stop();
});
