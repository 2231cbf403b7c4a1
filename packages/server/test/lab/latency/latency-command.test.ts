/** The latency of a lab from the command line. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { doneIn, jsonIn, runIn } from "../../program/cli/command-line.ts";
import { startLab } from "../checkpoints/running-lab.ts";

test("latency is shown, set by words and from a file, and ended", async (t) => {
  const lab = await startLab(t);
  const inForce = (): Promise<unknown> => lab.ask("GET", "/v1/lab/latency");
  assert.match(await doneIn(lab.folder, "lab latency"), /^market data +none\norder entry +none\nanswer +none$/);
  const words = "marketData.ms=20 orderEntry.place.medianMs=40 orderEntry.place.sigma=0.5 orderEntry.cancel.ms=3";
  const set = { marketData: { ms: 20 }, orderEntry: { place: { medianMs: 40, sigma: 0.5 }, cancel: { ms: 3 } } };
  assert.deepEqual(await jsonIn(lab.folder, `lab latency ${words}`), set);
  assert.deepEqual(await inForce(), set);
  assert.deepEqual(await jsonIn(lab.folder, "lab latency"), set, "to look changes nothing");
  assert.match(
    await doneIn(lab.folder, "lab latency"),
    /^market data +ms=20\norder entry +place=\{"medianMs":40,"sigma":0\.5\} cancel=\{"ms":3\}\nanswer +none$/,
  );
  const file = join(scratchFolder(t), "waits.txt");
  writeFileSync(file, "3\n5\n");
  await doneIn(lab.folder, `lab latency answer.file=${file}`);
  assert.deepEqual(await inForce(), { answer: { samplesMs: [3, 5] } }, "what was set before is gone");
  assert.deepEqual(await jsonIn(lab.folder, "lab latency --off"), {});
  assert.deepEqual(await inForce(), {});
});

test("what is wrong is said", async (t) => {
  const lab = await startLab(t);
  for (const [words, why] of [
    ["latency marketData=20", /^pricetime: marketData/],
    ["latency 20", /^pricetime: '20' is not a setting\. Use name=value\.$/],
    // The node may run in another folder than the command.
    ["latency answer.file=no/such/file", new RegExp(`^pricetime: file: ${resolve("no/such/file")} cannot be read`)],
    ["latency --off answer.ms=1", /^pricetime: Use --off without settings\.$/],
  ] as const) {
    const { code, err } = await runIn(lab.folder, `lab ${words}`);
    assert.notEqual(code, 0, words);
    assert.match(err, why);
  }
});
