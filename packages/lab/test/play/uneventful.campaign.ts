/**
 * No scenario of the package holds without its subject, or for a bot that does nothing: each can fail. WITHOUT_OF_EACH:
 * how many points of a scenario's subject are left out, one after the other; default: all.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { FOLDER, makerOf, NAMES, playByCommand, type PlayedByCommand } from "./by-command.ts";
import { EVENTS, without } from "./uneventful.ts";

const WITHOUT_OF_EACH = Number(process.env["WITHOUT_OF_EACH"] ?? Number.POSITIVE_INFINITY);

/** Ends by itself when it is told to, so only assertions can fail. */
const IDLE = 'setInterval(() => {}, 60_000); process.once("SIGTERM", () => process.exit(0));\n';
/** The failed assertion; an exit with status 1 for another reason proves nothing. */
const FAILED = /^FAILED (?:always|never|sometimes|finally) /m;
const OTHERWISE_FAILED = /was refused|FAILED the bot|: FAILED: /;

/** It exited with 1 because of the file's assertions, and for nothing else. */
function assertNotHeld({ code, said }: PlayedByCommand): void {
  assert.equal(code, 1, said);
  assert.match(said, FAILED);
  assert.doesNotMatch(said, OTHERWISE_FAILED);
}

test("each scenario is known by what it is about", () => {
  assert.deepEqual(Object.keys(EVENTS).toSorted(), NAMES);
});

const IN_TURN = process.env["SCENARIOS_IN_TURN"] === "1";

for (const [index, name] of NAMES.entries()) {
  const isWithout = !IN_TURN || index % 2 === 0;
  for (const [what, isOfIt] of Object.entries(EVENTS[name] ?? {}).slice(0, isWithout ? WITHOUT_OF_EACH : 0)) {
    test(`${name} without ${what}`, async (t) => {
      const file = join(scratchFolder(t), `${name}.yaml`);
      writeFileSync(file, without(isOfIt, readFileSync(join(FOLDER, `${name}.yaml`), "utf8")));
      assertNotHeld(await playByCommand(file, "--", ...makerOf(name)));
    });
  }

  if (IN_TURN && isWithout) continue;
  test(`${name} with a bot that does nothing`, async (t) => {
    const idle = join(scratchFolder(t), "idle.mjs");
    writeFileSync(idle, IDLE);
    assertNotHeld(await playByCommand(name, "--", "node", idle));
  });
}
