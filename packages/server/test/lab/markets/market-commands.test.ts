/** The market of a lab from the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { doneIn, jsonIn, runIn } from "../../program/cli/command-line.ts";
import { startLab } from "../checkpoints/running-lab.ts";

interface Shown {
  readonly id?: number;
  readonly scheduled: readonly { readonly id: number }[];
}

test("moves are scheduled, shown, and taken back: some, or all of a symbol", async (t) => {
  const lab = await startLab(t);
  const json = (words: string): Promise<Shown> => jsonIn<Shown>(lab.folder, `lab ${words}`);
  const ids: number[] = [];
  for (const minutes of [1, 2, 3, 4])
    ids.push((await json(`market BTCUSDT halt=true inMs=${minutes * 60_000}`)).id ?? 0);
  const [first, second, third, fourth] = ids;
  await json("market ETHUSDT halt=true inMs=60000");
  assert.match(
    await doneIn(lab.folder, "lab market btc/usdt"),
    new RegExp(`scheduled\\nid +at +move\\n *${first} +2026-01-01 00:01:00Z +halt=true\\n`),
  );
  const left = await jsonIn<{ id: number }[]>(lab.folder, `lab cancel btc/usdt ${first} ${third}`);
  assert.deepEqual(
    left.map(({ id }) => id),
    [second, fourth],
  );
  assert.match(
    (await runIn(lab.folder, `lab cancel BTCUSDT ${first}`)).err,
    /^pricetime: No scheduled change has this id\.$/,
  );
  assert.match(await doneIn(lab.folder, "lab cancel BTCUSDT"), /\(none\)$/);
  assert.deepEqual((await json("market BTCUSDT")).scheduled, []);
  assert.equal((await json("market ETHUSDT")).scheduled.length, 1, "another symbol's moves stay");
  assert.match((await runIn(lab.folder, "lab cancel NOSUCH")).err, /NOSUCH/);
});
