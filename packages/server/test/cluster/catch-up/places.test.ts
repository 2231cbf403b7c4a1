/** A position is accepted if the log confirms it, so that a wrong one never makes a node skip batches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chainOn } from "../../../src/journal/chain.ts";
import { type Batch, EMPTY_HEAD, headAfter, type JournalPlace } from "../../../src/journal/port.ts";
import { checkPlace, reaches } from "../../../src/cluster/catch-up/catch-up.ts";
import type { Timers } from "../../../src/platform/world/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { BATCHES, journalPlace, placeOf, position, TailLog } from "./nodes.ts";

const ROWS: Batch[] = [];
for (const batch of BATCHES) ROWS.push(chainOn(ROWS.length === 0 ? EMPTY_HEAD : headAfter(ROWS.at(-1)!), batch));
const AT = 10;
const ROW = ROWS[AT - 1]!;
const PLACE = journalPlace(AT);

const check = (log: TailLog, place: JournalPlace, row = ROW): Promise<void> => checkPlace(log, place, row);

test("the batch that the log has at the position is accepted, and no other", async () => {
  const log = new TailLog();
  await check(log, PLACE);
  await check(log, journalPlace(1), ROWS[0]);
  const wrong = /not the one that the log has at the place/;
  for (const number of [AT - 1, AT + 1]) await assert.rejects(check(log, { ...PLACE, ...placeOf(number) }), wrong);
  await assert.rejects(check(log, { ...PLACE, revision: PLACE.revision + 1 }), wrong);
  await assert.rejects(check(log, { ...PLACE, revision: PLACE.revision - 1 }), wrong);
  await assert.rejects(check(log, { ...PLACE, number: BATCHES.length + 1 }), wrong);
});

test("a batch that the log no longer has is accepted if another published position confirms it", async () => {
  const log = new TailLog();
  log.trimmed = AT + 5;
  const cannot = /cannot be compared with anything yet/;
  await assert.rejects(check(log, PLACE), cannot);
  log.told = [position("n1", "", AT, PLACE.seq + 1), position("n2", "", AT + 1, PLACE.seq)];
  await assert.rejects(check(log, PLACE), cannot);
  log.told = [position("n3", "", AT, PLACE.seq)];
  await check(log, PLACE);
});

test("whether the log continues after a position", async () => {
  const log = new TailLog();
  log.trimmed = AT;
  assert.equal(await reaches(log, placeOf(AT), MACHINE), true);
  assert.equal(await reaches(log, placeOf(AT - 1), MACHINE), false);
  assert.equal(await reaches(log, null, MACHINE), false);
  // Nothing is missing if there were no later batches.
  log.trimmed = BATCHES.length + 1;
  assert.equal(await reaches(log, placeOf(BATCHES.length), MACHINE), true);
  const closed = Promise.withResolvers<undefined>();
  log.follow = () => ({ next: () => closed.promise, close: () => closed.resolve(undefined) });
  const hasty: Timers = { ...MACHINE, after: (_, task) => MACHINE.after(20, task) };
  await assert.rejects(reaches(log, placeOf(AT), hasty), /no row has come/);
});
