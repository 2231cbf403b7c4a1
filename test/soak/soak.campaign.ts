/** A short soak of the real program, and whether its reconciliation finds what is planted. `npm run soak` is the long one. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import type { Evidence } from "../../soak/evidence.ts";
import { ANSWER_BYTES, DIGEST_BYTES } from "../../soak/records.ts";
import { reconcile } from "../../soak/reconcile/reconcile.ts";
import { soak, type SoakResult } from "../../soak/soak.ts";
import { temporaryFolder } from "@pricetime/testkit/scratch";

const folder = temporaryFolder();
let result: SoakResult;

before(async () => {
  result = await soak({
    folder,
    seconds: 3,
    sampleSeconds: 1,
    // A rate that any machine keeps up with: nothing here hangs on it.
    rate: 200,
    share: 1,
    calibrationSeconds: 0,
    settlingSeconds: 1,
    connections: 90,
    orderConnections: 8,
    accounts: 4,
    seed: 20191021,
    say: () => {},
    onSample: () => {},
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const PLANTED = "planted";

/** The evidence with one file replaced by a copy that `change` makes of it. */
function planted(file: string, change: (bytes: Buffer) => Buffer): Evidence {
  const path = join(folder, PLANTED);
  writeFileSync(path, change(readFileSync(file)));
  const { evidence } = result;
  const streams = evidence.streams.map((each) => (each.file === file ? { ...each, file: path } : each));
  return { ...evidence, streams, answersFile: evidence.answersFile === file ? path : evidence.answersFile };
}

const without = (bytes: Buffer, at: number, length: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);

function finds(evidence: Evidence, what: RegExp): void {
  const { differences, first } = reconcile(evidence);
  assert.ok(differences > 0, `not found: ${what}`);
  assert.match(first.join("\n"), what);
}

test("a sound run has no difference, and did what it is for", () => {
  const { evidence, counts, problems, samples } = result;
  assert.deepEqual(problems, []);
  const { differences, first, checked } = reconcile(evidence);
  assert.deepEqual(first, []);
  assert.equal(differences, 0);
  assert.equal(checked["requests"], evidence.sent);
  assert.equal((checked["matched"] ?? 0) + (checked["refusedAtGate"] ?? 0), evidence.sent);
  assert.ok((checked["trades"] ?? 0) > 0 && (checked["messages"] ?? 0) > 0, JSON.stringify(checked));
  assert.ok((counts["cancel 400 -2011"] ?? 0) > 0 && (counts["cancel 200"] ?? 0) > 0, JSON.stringify(counts));
  for (const kind of ["list", "amend"]) assert.ok((counts[`${kind} 200`] ?? 0) > 0, JSON.stringify(counts));
  assert.equal(samples.length, 3);
});

/** Position of an answer in the middle. */
const middle = (bytes: Buffer): number => Math.floor(bytes.length / ANSWER_BYTES / 2) * ANSWER_BYTES;

test("an answer that says something else is found", () => {
  const { answersFile } = result.evidence;
  const altered = planted(answersFile, (bytes) => {
    const at = middle(bytes) + ANSWER_BYTES - 1;
    bytes[at] = (bytes[at] as number) ^ 1;
    return bytes;
  });
  const { differences, first } = reconcile(altered);
  assert.equal(differences, 1, first.join("\n"));
  assert.match(first[0] ?? "", /^request \d+.*was answered/);
});

test("an answer that is missing is found", () => {
  const dropped = planted(result.evidence.answersFile, (bytes) => without(bytes, middle(bytes), ANSWER_BYTES));
  const { differences, first } = reconcile(dropped);
  assert.equal(differences, 1, first.join("\n"));
  assert.match(first[0] ?? "", /^request \d+.*never answered/);
});

test("an answer that came twice is found", () => {
  const doubled = planted(result.evidence.answersFile, (bytes) =>
    Buffer.concat([bytes, bytes.subarray(middle(bytes), middle(bytes) + ANSWER_BYTES)]),
  );
  const { differences, first } = reconcile(doubled);
  assert.equal(differences, 1, first.join("\n"));
  assert.match(first[0] ?? "", /^request \d+: one answer too many$/);
});

test("answers to each other's requests are found", () => {
  const swapped = planted(result.evidence.answersFile, (bytes) => {
    const [one, other] = [4, middle(bytes) + 4];
    const kept = Buffer.from(bytes.subarray(one, one + 12));
    bytes.copy(bytes, one, other, other + 12);
    kept.copy(bytes, other);
    return bytes;
  });
  finds(swapped, /^request \d+/);
});

for (const kind of ["trade", "user"] as const) {
  test(`a message of a ${kind} stream that was lost, or came twice, is found`, () => {
    const heard = result.evidence.streams.filter((each) => each.kind === kind);
    const busy = heard.find(({ file }) => readFileSync(file).length >= 2 * DIGEST_BYTES);
    assert.ok(busy !== undefined, `no ${kind} stream said anything`);
    finds(
      planted(busy.file, (bytes) => without(bytes, 0, DIGEST_BYTES)),
      /^stream of .*message 1:/,
    );
    finds(
      planted(busy.file, (bytes) => Buffer.concat([bytes, bytes.subarray(0, DIGEST_BYTES)])),
      /^messages of /,
    );
  });
}

test("a balance that was told wrongly, and an order too few in the book, are found", () => {
  const { evidence } = result;
  const [email = "", said = []] = Object.entries(evidence.balances)[0] ?? [];
  const wrong = said.map((each, at) => (at === 0 ? { ...each, free: `1${each.free}` } : each));
  finds({ ...evidence, balances: { ...evidence.balances, [email]: wrong } }, /^account \d+, \w+, free: /);
  finds({ ...evidence, openOrders: evidence.openOrders - 1 }, /^open orders: /);
});

test("a journal that ends early is found, and history that does not follow it", () => {
  const data = join(folder, "cut");
  mkdirSync(data);
  for (const name of ["journal.sqlite", "history.sqlite"])
    copyFileSync(join(result.evidence.dataFolder, name), join(data, name));
  const journal = new DatabaseSync(join(data, "journal.sqlite"));
  journal.exec("DELETE FROM batches WHERE first_seq = (SELECT max(first_seq) FROM batches)");
  journal.close();
  finds({ ...result.evidence, dataFolder: data }, /the last entry of history/);
});
