/** Whether a node is a lab, and its clock, by file, by flags and by both. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type LabConfig, loadConfig } from "../../../src/platform/config/config.ts";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { readFlags } from "../../../src/platform/config/flags.ts";

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true }));

/** Loads as `npm start -- FLAGS` with a file of this text. */
function labOf(yaml: string, flags = ""): LabConfig | null {
  writeFileSync(join(folder, "c.yaml"), yaml);
  const read = readFlags(["--config", "c.yaml", ...flags.split(" ").filter(Boolean)]);
  assert.ok(read !== null);
  return loadConfig({ flags: read, folder }).lab;
}

const refused = (yaml: string, flags: string, message: string | RegExp): void =>
  assert.throws(
    () => labOf(yaml, flags),
    (error) => {
      assert.ok(error instanceof ConfigError, String(error));
      if (typeof message === "string") assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    },
  );

const REAL: LabConfig = {
  ...{ clock: "real", startMs: null, speed: 1, timing: "server", history: "on", agents: [] },
  isTemporary: true,
};
const MARCH_MS = Date.UTC(2026, 2, 29, 0, 59);

test("a node is a lab by `lab: true`, by any other key of the section, and by --lab", () => {
  assert.equal(labOf(""), null);
  assert.equal(labOf("lab: false"), null);
  assert.equal(labOf("lab: { enabled: false, clock: manual }"), null);
  assert.deepEqual(labOf("lab: true"), REAL);
  assert.deepEqual(labOf("lab: {}"), REAL);
  assert.deepEqual(labOf("", "--lab"), REAL);
  assert.deepEqual(labOf("lab: false", "--lab"), REAL);
  assert.deepEqual(labOf("lab: { history: candles }"), { ...REAL, history: "candles" });
  assert.deepEqual(labOf("lab: true\ndata: here"), { ...REAL, isTemporary: false });
  assert.deepEqual(labOf("", "--lab --data here"), { ...REAL, isTemporary: false });
});

test("flags of a lab's clock, timing or history make the node a lab, whatever the file's other settings", () => {
  const said: readonly (readonly [flags: string, lab: Partial<LabConfig>])[] = [
    ["--clock manual", { clock: "manual" }],
    ["--clock real", {}],
    ["--clock scaled --clock-speed 2.5", { clock: "scaled", speed: 2.5 }],
    ["--clock-start 2026-03-29T00:59:00Z", { startMs: MARCH_MS }],
    [`--clock-start ${MARCH_MS}`, { startMs: MARCH_MS }],
    ["--timing off", { timing: "off" }],
    ["--history off", { history: "off" }],
  ];
  for (const [flags, lab] of said) {
    assert.deepEqual(labOf("", flags), { ...REAL, ...lab }, flags);
    assert.deepEqual(labOf("lab: true", flags), { ...REAL, ...lab }, `${flags} beside lab: true`);
  }
  assert.deepEqual(labOf("lab: { clock: manual, timing: client }", "--clock real"), { ...REAL, timing: "client" });
});

test("the file has times in ISO 8601 or milliseconds; anything else is rejected with its line", () => {
  const manual = { ...REAL, clock: "manual", startMs: MARCH_MS } as const;
  assert.deepEqual(labOf("lab:\n  clock: manual\n  clockStart: 2026-03-29T00:59:00Z"), manual);
  assert.deepEqual(labOf('lab:\n  clock: manual\n  clockStart: "2026-03-29T02:59:00+02:00"'), manual);
  assert.deepEqual(labOf(`lab: { clock: manual, clockStart: ${MARCH_MS} }`), manual);
  refused("lab:\n  clock: manual\n  clockStart: yesterday", "", /^c\.yaml:3: lab\.clockStart: .*"yesterday"/);
  refused("lab:\n  clockStart: -1", "", /^c\.yaml:2: lab\.clockStart: .*-1/);
  refused("", "--clock-start yesterday", /lab\.clockStart: .*"yesterday"/);
  refused("lab: { clock: fast }", "", /^c\.yaml:1: lab\.clock: .*"fast"/);
  refused("lab: 5", "", /^c\.yaml:1: lab: .*5/);
  refused("lab: true", "--clock-speed 2", "lab.clockSpeed: only a scaled clock has a speed. Set lab.clock to scaled");
});

test("a lab cannot be part of a cluster, and its agents trade beside bots", () => {
  const alone = "lab: a lab cannot be a node of a cluster. Remove cluster or lab";
  const cluster = "cluster: { endpoints: [http://127.0.0.1:2379] }\nnode: n1";
  refused(cluster, "--lab", alone);
  refused(cluster, "--clock manual", alone);
  refused("lab: true", "--cluster http://127.0.0.1:2379 --node n1", alone);
  assert.equal(labOf(cluster), null);
  const agents = "lab: { agents: [{ type: noise, symbol: BTCUSDT }] }";
  const needed = "lab.agents: agents need the demo's bots. Turn on demo and bots";
  refused(agents, "--bots off", needed);
  refused(`${agents}\ndemo: false`, "", needed);
  assert.equal(labOf(agents)?.agents.length, 1);
  assert.equal(labOf("lab: { agents: [] }", "--bots off")?.agents.length, 0);
});
