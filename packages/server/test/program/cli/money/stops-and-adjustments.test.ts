/** Stops, adjustments, notes and unattributed deposits by the command line. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, test } from "node:test";
import { SignedInOperator } from "../../../people/admin/signed-in-operator.ts";
import { TOKEN } from "../../../people/admin/running.ts";
import { AdminVenue } from "../../../people/admin/admin-venue.ts";
import { doneIn, folderOf, jsonIn, runIn } from "../command-line.ts";

let venue: AdminVenue;
let folder = "";
beforeEach(async () => {
  venue = await AdminVenue.open();
  folder = folderOf(venue.admin.url);
});
afterEach(async () => {
  await venue.close();
  rmSync(folder, { recursive: true });
});

const done = (...words: readonly string[]): Promise<string> => doneIn(folder, words);
const json = (...words: readonly string[]): Promise<Record<string, unknown>> => jsonIn(folder, words);

test("a stop is set, listed and lifted", async () => {
  const untilMs = Date.now() + 3_600_000;
  const stop = await json("suspension", "set", "asset:COIN", "a fork", "--until", String(untilMs));
  assert.deepEqual([stop["scope"], stop["untilMs"], stop["isOn"]], ["asset:COIN", untilMs, true]);
  await done("suspension", "set", "placing", "a drill");
  assert.match(await done("suspension", "list"), /asset:COIN +a fork[^]*placing +a drill/);
  assert.match((await runIn(folder, ["suspension", "lift", "trading"])).err, /suspension does not exist/);
  await done("suspension", "lift", "placing");
  assert.doesNotMatch(await done("suspension", "list"), /placing/);
  assert.match(await done("overview"), /asset:COIN/);
});

test("an adjustment is proposed by one and approved by another, and listed", async () => {
  const carol = await SignedInOperator.open(venue, "carol", "treasurer");
  const bob = await SignedInOperator.open(venue, "bob", "treasurer");
  const words = ["adjustment", "request", "a@example.com", "credit", "COIN", "1.5", "--why", "an outage"];
  const reference = ["--reference", "ticket 7", "--category", "goodwill", "--token"];
  assert.match((await runIn(folder, [...words, ...reference, TOKEN])).err, /does not identify a person/);
  const { request } = await jsonIn<{ request: { requestId: string } }>(folder, [...words, ...reference, carol.token]);
  await done("approval-request", "approve", request.requestId, "--at-version", "1", "--token", bob.token);
  assert.equal(await venue.balance(), "11.50000000 0.00000000");
  assert.match(await done("adjustment", "list", "100"), /1\.50000000 +treasury +goodwill +an outage +ticket 7/);
  assert.match(await done("adjustment", "list"), /ticket 7/);
});

test("notes are written and read", async () => {
  await done("account", "note", "a@example.com", "called, and was angry");
  assert.match(await done("account", "notes", "100"), /called, and was angry/);
});

test("an unattributed deposit is recorded, listed and resolved; blocks are scanned again", async () => {
  const [carol, bob] = [
    await SignedInOperator.open(venue, "carol", "treasurer"),
    await SignedInOperator.open(venue, "bob", "treasurer"),
  ];
  const note = [
    "unattributed-deposit",
    "record",
    "HAND",
    "tx-1",
    "COIN",
    "2",
    "--address",
    "hand-9",
    "--reason",
    "noTag",
  ];
  for (const output of ["0", "1"]) await done(...note, "--output", output);
  assert.match(await done("unattributed-deposit", "list"), /HAND +tx-1 +1[^]*HAND +tx-1 +0/);
  const settle = ["unattributed-deposit", "resolve", "HAND", "tx-1"];
  await done(...settle, "dismiss", "--output", "1", "--why", "an error");
  const credit = ["credit", "--account", "100", "--asset", "COIN", "--amount", "2", "--why", "her receipt"];
  const answer = await json(...settle, ...credit, "--token", carol.token);
  await bob.approve(answer);
  assert.equal(await venue.balance(), "12.00000000 0.00000000");
  assert.match(await done("unattributed-deposit", "list", "--status", "credit"), /tx-1/);
  assert.doesNotMatch(await done("unattributed-deposit", "list"), /tx-1/);
  await done("sandbox", "mine", "SAND", "3");
  const found = { network: "SAND", fromHeight: 1, toHeight: 3, found: 0 };
  assert.deepEqual(await json("network", "rescan", "SAND", "1", "3"), found);
});
