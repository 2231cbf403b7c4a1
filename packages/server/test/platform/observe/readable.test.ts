import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { createLog } from "../../../src/platform/observe/log.ts";
import { readableLine } from "../../../src/platform/observe/readable.ts";

test("at a terminal a log line is readable text with its time and without secrets", () => {
  const folder = temporaryFolder();
  const path = join(folder, "log");
  const descriptor = openSync(path, "w");
  try {
    const log = createLog({ level: "info", node: "n1", descriptor, isReadable: true });
    log.warn({ network: "BTC", token: "hidden", at: { height: 7 } }, "a network is silent");
    log.error({ err: new Error("gone") }, "a bot failed");
    const [warned, failed, place] = readFileSync(path, "utf8").split("\n");
    assert.match(
      warned ?? "",
      /^\d\d:\d\d:\d\d WARN {2}a network is silent \(network BTC, token \[secret\], at \{"height":7\}\)$/,
    );
    assert.match(failed ?? "", /^\d\d:\d\d:\d\d ERROR a bot failed: gone$/);
    assert.match(place ?? "", /^ {4}at .*readable\.test\.ts/);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

test("other output stays unchanged", () => {
  assert.equal(readableLine("hello\n"), "hello\n");
});

test("logged user input cannot forge a line or control the terminal", () => {
  const forged = "x\n14:00:00 INFO  all is well\u001b[2J\u009b31m\u202e\u2028";
  const err = {
    message: `${forged}\n    at nowhere`,
    stack: `Error: ${forged}\n    at nowhere\n    at place (a.ts:1:2)`,
  };
  const fields = { level: "error", time: "2026-11-22T10:00:00.000Z", msg: forged, user: forged, list: [forged], err };
  const text = readableLine(`${JSON.stringify(fields)}\n`);
  const [line = "", place, ...rest] = text.split("\n");
  assert.deepEqual([place, rest], ["    at place (a.ts:1:2)", [""]]);
  assert.doesNotMatch(line, /[\p{Cc}\u2028\u202e]/u);
  assert.match(line, /\\u000a14:00:00 INFO .*\\u001b\[2J\\u009b31m\\u202e\\u2028/);
});
