/** Faults from the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runIn, type Said } from "../../program/cli/command-line.ts";
import { answered, LabNode } from "./lab-node.ts";

const lab = await LabNode.start();

function run(...words: string[]): Promise<Said> {
  const { admin, adminToken } = lab.demo;
  return runIn("", ["lab", ...words, "--admin", admin, "--token", adminToken], { environment: {} });
}

test("a fault is made, shown with what it has struck, and removed", async () => {
  const made = await run("fault", "fail-before", "endpoint=ping", "count=1", "status=503", "--json");
  assert.deepEqual(JSON.parse(made.out), { id: 1 });
  const account = await run("fault", "delay", "ms=5", `account=${lab.alice.email}`, 'after={"fill": {}}');
  assert.match(account.out, /2/);
  assert.equal((await answered(lab.send("GET", "/api/v3/ping", ""))).status, 503);
  const [, first = "", second = ""] = (await run("faults")).out.split("\n");
  assert.match(first, /1 +fail-before +endpoint=ping +status=503 count=1 +\S+ +1 +1$/);
  assert.match(second, /2 +delay +account=alice@demo\.pricetime +ms=5 when=before after=\{"fill":\{\}\} +\S+ +0 +0$/);
  assert.match((await run("faults", "1")).out, /^.*over.*\n.*rest +GET +\/api\/v3\/ping +ping/);
  assert.match((await run("clear-faults", "1", "2", "--json")).out, /"removed": 2/);
  assert.match((await run("faults")).out, /\(none\)$/);
  assert.match((await run("clear-faults", "--json")).out, /"removed": 0/);
});

test("what is wrong is said", async () => {
  for (const [words, why] of [
    [["fault", "explode"], /^pricetime: fault: one of delay, /],
    [["fault", "delay"], /^pricetime: ms: is missing/],
    [["fault", "delay", "500"], /^pricetime: '500' is not a setting\. Use name=value\.$/],
    [["fault", "delay", "ms=5", "endpoint=order.plac"], /^pricetime: There is no endpoint order\.plac/],
    [["faults", "77"], /^pricetime: There is no fault 77\. List all with: pricetime lab faults\.$/],
    [["clear-faults", "77"], /^pricetime: There is no fault 77\.$/],
  ] as const) {
    const { code, err } = await run(...words);
    assert.notEqual(code, 0);
    assert.match(err, why);
  }
});
