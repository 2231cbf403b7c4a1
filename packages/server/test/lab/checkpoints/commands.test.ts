/** A lab's checkpoints from the command line. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { runIn } from "../../program/cli/command-line.ts";
import { startLab } from "./running-lab.ts";

test("checkpoints are taken, listed, shown, restored, written, read and deleted", async (t) => {
  const lab = await startLab(t);
  const run = async (line: string, wanted = 0): Promise<string> => {
    const { code, out, err } = await runIn(lab.folder, `lab ${line}`);
    assert.equal(code, wanted, `${line}: ${out}${err}`);
    return out + err;
  };
  const json = async (line: string): Promise<Record<string, unknown>> =>
    JSON.parse(await run(`${line} --json`)) as Record<string, unknown>;
  const file = join(scratchFolder(t), "one.checkpoint");
  const one = await json("checkpoint one");
  assert.match(await run("checkpoint one", 1), /already/);
  await run("checkpoint one --replace");
  assert.match(await run("checkpoints"), /one .*2026-01-01/);
  assert.equal((await json("checkpoints one"))["openOrders"], 0);
  assert.equal((await json("restore one"))["hash"], one["hash"]);
  assert.equal((await json(`export one ${file}`))["name"], "one");
  await run("delete-checkpoint one");
  assert.match(await run("restore one", 1), /no checkpoint one/);
  assert.match(await run(`export one ${file}x`, 1), /no checkpoint one/);
  assert.equal((await json(`import two ${file}`))["hash"], one["hash"]);
  assert.equal((await json("restore two"))["hash"], one["hash"]);
  assert.equal((await json("reset --keep-keys --keep-connections"))["seq"], one["seq"]);
  assert.match(await run(`import three ${import.meta.filename}`, 1), /not a checkpoint/);
  await lab.ask("POST", "/v1/lab/clock/advance", { ms: 5000 });
  const here = await json("reset --here");
  await lab.ask("POST", "/v1/lab/clock/advance", { ms: 5000 });
  assert.deepEqual(
    [(await json("reset"))["nowMs"], here["nowMs"]],
    [Number(one["nowMs"]) + 5000, Number(one["nowMs"]) + 5000],
  );
  assert.match(await run("reset --here --keep-keys", 1), /--here restores nothing/);
});
