/** Events of a lab's accounts, from the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { doneIn, jsonIn, runIn } from "../../program/cli/command-line.ts";
import { startLab } from "../checkpoints/running-lab.ts";

interface Told {
  readonly number: number;
  readonly kind: string;
}

test("accounts and symbols are watched, what happens to them is shown, and nobody is watched any more", async (t) => {
  const lab = await startLab(t);
  const alice = lab.accounts[0]?.email ?? "";
  const told = (words = ""): Promise<Told[]> => jsonIn<Told[]>(lab.folder, `lab watch${words}`);
  assert.deepEqual(await told(), []);
  const { last } = await jsonIn<{ last: number }>(lab.folder, `lab watch ${alice} --symbols btc/usdt`);
  const before = await told();
  assert.deepEqual([before.length, before.at(-1)?.number], [last, last]);
  assert.ok(before.some(({ kind }) => kind === "status") && before.some(({ kind }) => kind === "balance"));
  await lab.ask("POST", `/v1/lab/accounts/${alice}/balances`, { USDT: "12.5" });
  const since = await told(` --after ${last}`);
  assert.deepEqual(
    since.map(({ number, kind }) => [number, kind]),
    [
      [last + 1, "moved"],
      [last + 2, "balance"],
    ],
  );
  assert.match(
    await doneIn(lab.folder, `lab watch --after ${last}`),
    /^ *\d+ +2026-01-01 00:00:00Z +balance +account=alice@demo\.pricetime asset=USDT free=12\.5\d* locked=0/m,
  );
  await doneIn(lab.folder, "lab watch --off");
  assert.deepEqual(await told(), []);
  for (const [words, why] of [
    ["watch nobody@demo.pricetime", /nobody@demo\.pricetime/],
    ["watch --symbols NOSUCH", /NOSUCH/],
    [`watch ${alice} --off`, /^pricetime: Specify only one of: accounts or symbols to watch, --after, or --off\.$/],
  ] as const) {
    assert.match((await runIn(lab.folder, `lab ${words}`)).err, why);
  }
});
