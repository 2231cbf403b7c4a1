/** Proof-of-work challenges: valid for one holder, for a limited time, and once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { solved } from "@pricetime/testkit/sign-in-work";
import { createLinkSecrets } from "../../../src/platform/secrets/link-secrets.ts";
import { MAX_USED_WORK, WORK_LIFE_MS, WORK_PIECES } from "../../../src/people/sign-in/limits.ts";
import { doneWork, Work } from "../../../src/people/sign-in/work.ts";
import { restoring } from "../../platform/world/goes-on.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const NOW_MS = 1_600_000_000_000;
const ANN = "mail ann@example.com";
const links = createLinkSecrets("22".repeat(32));
const newWork = (): Work => new Work(links, MACHINE);

test("a solved challenge is valid once, also at a node that did not issue it", () => {
  const offered = newWork().offer(ANN, 5, NOW_MS);
  assert.deepEqual([offered.pieces, offered.bits, offered.untilMs], [WORK_PIECES, 5, NOW_MS + WORK_LIFE_MS]);
  const work = newWork();
  const done = solved(offered);
  assert.ok(doneWork.safeParse(done).success);
  const taken = work.take(done, ANN, NOW_MS) ?? assert.fail();
  assert.equal(taken.bits, 5);
  assert.equal(work.take(done, ANN, NOW_MS), undefined, "used");
  work.giveBack(taken);
  assert.ok(work.take(done, ANN, NOW_MS), "the try was not made");
});

test("work for another holder or challenge, too late or too little is rejected", () => {
  const work = newWork();
  const offered = work.offer(ANN, 5, NOW_MS);
  const done = solved(offered);
  const { challenge, nonces } = done;
  assert.equal(work.take(done, "mail bob@example.com", NOW_MS), undefined);
  assert.equal(work.take(done, ANN, NOW_MS + WORK_LIFE_MS), undefined);
  assert.equal(work.take({ challenge, nonces: nonces.with(3, (nonces[3] ?? 0) + 1) }, ANN, NOW_MS), undefined);
  assert.equal(work.take({ challenge, nonces: nonces.slice(1) }, ANN, NOW_MS), undefined);
  for (const [part, other] of [
    [/\.5\./, ".1."],
    [/^[0-9a-f]{32}/, "0".repeat(32)],
    [/\.16[0-9]+\./, `.${NOW_MS * 2}.`],
  ] as const) {
    assert.equal(work.take({ challenge: challenge.replace(part, other), nonces }, ANN, NOW_MS), undefined, other);
  }
  assert.equal(work.take({ challenge: "", nonces }, ANN, NOW_MS), undefined);
  assert.ok(work.take(done, ANN, NOW_MS + WORK_LIFE_MS - 1));
});

test("used challenges are remembered until they expire, up to a bound", () => {
  const used = Array.from({ length: MAX_USED_WORK }, (_, i) => ({ id: `${i}`, untilMs: NOW_MS + 1 }));
  const saved = restoring({ "signIn/work": used });
  const work = new Work(links, { ...MACHINE, saved });
  const count = (): number => (saved.saveOne("signIn/work") as readonly unknown[]).length;
  assert.ok(work.take(solved(work.offer(ANN, 1, NOW_MS)), ANN, NOW_MS));
  assert.equal(count(), MAX_USED_WORK);
  assert.ok(work.take(solved(work.offer(ANN, 1, NOW_MS + 1)), ANN, NOW_MS + 1));
  assert.equal(count(), 2);
});
