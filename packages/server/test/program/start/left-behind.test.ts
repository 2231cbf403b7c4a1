/** A node that is too far behind the others is restarted in the process; any other failure ends it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "../../../src/platform/config/config.ts";
import { LogTrimmed } from "../../../src/journal/port.ts";
import { type Node, runProgram } from "../../../src/program/start/program.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

test("too far behind while running and while starting", async () => {
  const happened: string[] = [];
  const behind = new LogTrimmed("the rows are gone");
  const fates: readonly (Error | "not started")[] = ["not started", behind, "not started", behind, new Error("broken")];
  let starts = 0;
  const start = async ({ port, adminPort }: Config): Promise<Node> => {
    const fate = fates[starts++];
    happened.push(`start ${port} ${adminPort}`);
    if (fate === "not started" || fate === undefined) throw behind;
    const stop = async (): Promise<void> => void happened.push("stop");
    const ports = { port: 1000 + starts, adminPort: 2000 + starts };
    return { rest: "http://x", data: "data", banner: "", ports, failed: Promise.resolve(fate), stop };
  };
  assert.equal(await runProgram(["--port", "0", "--admin-port", "0"], start, MACHINE), 1);
  const again = ["start 0 0", "start 0 0", "stop", "start 1002 2002", "start 1002 2002", "stop", "start 1004 2004"];
  assert.deepEqual(happened, again);
});
