/** Every operation of a lab's admin API, by its OpenAPI document, has a command of `pricetime lab`. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { labOperations, recordRequests, notReached } from "@pricetime/testkit/lab-routes";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { startLab } from "../../../lab/checkpoints/running-lab.ts";
import { archiveTrades } from "../../../lab/replay/replay-venue.ts";
import { runIn } from "../command-line.ts";

/** Operations without a command, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "GET /v1/lab/clock/clients/{name}": "a life line lasts as long as its program does, and a command ends",
  "PUT /v1/lab/scenario": "the scenario runner sends it: `lab run-scenario`, on a lab of its own",
  "DELETE /v1/lab/scenario": "as above, when it is over",
};

/** Commands that together call every operation. `FOLDER` is replaced by a folder for files. */
const COMMANDS: readonly string[] = [
  "clock",
  "clock manual",
  "advance 5s",
  "balances alice@demo.pricetime USDT=5",
  "market BTCUSDT",
  "market BTCUSDT halt=true inMs=60000",
  "market BTCUSDT halt=true inMs=70000",
  "cancel BTCUSDT 1",
  "cancel BTCUSDT",
  "markets",
  "agent noise BTCUSDT count=1",
  "agents",
  "agents 1 off",
  "agents 1 remove",
  "replay BTCUSDT --from FOLDER/trades.csv",
  "replays",
  "replay BTCUSDT --pause",
  "replay BTCUSDT --step",
  "replay BTCUSDT --remove",
  "fault delay ms=5",
  "fault delay ms=5",
  "faults",
  "clear-faults 1",
  "clear-faults",
  "latency",
  "latency answer.ms=1",
  "latency --off",
  "checkpoint one",
  "checkpoints",
  "checkpoints one",
  "restore one",
  "export one FOLDER/one.checkpoint",
  "import two FOLDER/one.checkpoint",
  "delete-checkpoint two",
  "reset --here",
  "reset",
  "scenario",
  "watch alice@demo.pricetime",
  "watch",
  "watch --off",
  "clients",
  `run --quiet 1ms -- ${process.execPath} --eval setTimeout(Boolean,100)`,
];

/** Simulates Ctrl-C, which ends a running advance. */
const onInterrupt = (task: () => void): (() => void) => {
  task();
  return () => {};
};

test("each operation of the lab has a command or is a listed exception", async (t) => {
  const lab = await startLab(t, { bots: "on" });
  const { url, asked, close } = await recordRequests(lab.admin);
  inTheEnd(t, close);
  const operations = await labOperations(lab.admin);
  assert.ok(operations.length > 30, operations.join());
  const rows = Array.from({ length: 20 }, (_, i) => [70_000, 0.001, "BUY", 1e12 + i * 100_000] as const);
  const lines = archiveTrades(rows).map((line) => `${line}\n`);
  writeFileSync(join(lab.folder, "trades.csv"), lines.join(""));

  for (const command of COMMANDS) {
    const words = command.replaceAll("FOLDER", lab.folder).split(" ");
    const where = ["--admin", url, "--token", lab.adminToken];
    const at = words.indexOf("--");
    const all = at === -1 ? [...words, ...where] : words.toSpliced(at, 0, ...where);
    const { code, err } = await runIn(lab.folder, ["lab", ...all], { onInterrupt });
    assert.equal(code, 0, `lab ${command}: ${err}`);
  }

  assert.deepEqual(
    notReached(operations, asked),
    Object.keys(EXCEPTIONS).toSorted(),
    "exactly the exceptions are not reached",
  );
});
