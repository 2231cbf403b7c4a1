/**
 * Every call of a lab, according to the lab's own description, at a node without a lab: rejected, without effect.
 * Likewise every command of `pricetime lab` that calls a node.
 */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { operate, tryToOperate } from "@pricetime/testkit/venue";
import { RunningLab } from "../../src/lab/lab.ts";
import { runIn } from "../program/cli/command-line.ts";
import { LabNode } from "./faults/lab-node.ts";

const LAB = /^\/v1\/lab\//;
const REFUSAL = "This node is not a lab. Start one with --lab.";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
}

const access = mock.method(RunningLab.prototype, "access");
const lab = await LabNode.start();
const plain = await LabNode.start({});
const document = await operate<Document>(lab.demo, "GET", "/openapi.json");
const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
  LAB.test(path) ? Object.keys(operations).map((method) => [method.toUpperCase(), path] as const) : [],
);

test("a lab's description is a valid document of OpenAPI 3.1, and every route of the lab stands in it", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as object as Record<string, never>,
  );
  assert.equal(valid, true, JSON.stringify(errors)?.slice(0, 2000));
  const routes = access.mock.calls.flatMap(({ result }) => result?.routes ?? []);
  for (const { method, pattern, summary } of routes) {
    const operation = document.paths[pattern.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    assert.equal(operation?.summary, summary, `${method} ${pattern}`);
  }
  assert.ok(calls.length > 30, "the routes were not found");
  assert.equal(calls.length, routes.length, "there is no other");
});

test("a node that is no lab describes none of its calls", async () => {
  const { paths } = await operate<Document>(plain.demo, "GET", "/openapi.json");
  assert.deepEqual(
    Object.keys(paths).filter((path) => LAB.test(path)),
    [],
  );
});

test("each of a lab's calls is refused by a node that is none, and its journal holds nothing of them", async () => {
  const { lastSeq } = await operate<{ lastSeq: number }>(plain.demo, "GET", "/v1/journal");
  for (const [method, path] of calls) {
    const named = path.replaceAll(/\{\w+\}/g, "1");
    const body = method === "GET" ? undefined : {};
    const { status, text } = await tryToOperate(plain.demo, method, named, body);
    assert.deepEqual([status, JSON.parse(text)], [404, { error: "NO_LAB", message: REFUSAL }], `${method} ${path}`);
  }
  // A fault that would strike the next ping.
  const fault = { fault: "fail-before", where: { endpoint: "ping" } };
  assert.equal(await plain.refusal(fault), `404 NO_LAB ${REFUSAL}`);
  const ping = await plain.send("GET", "/api/v3/ping", "");
  assert.equal((await ping.answer()).status, 200);
  ping.close();
  assert.deepEqual(plain.commandsSince(lastSeq), []);
});

/** Each as typed for a lab. */
const COMMANDS = [
  "clock",
  "clock real",
  "advance 1m",
  "clients",
  "release bot",
  "balances alice@demo.pricetime BTC=1",
  "market BTCUSDT",
  "market BTCUSDT fairPrice=65000",
  "cancel BTCUSDT",
  "markets",
  "replay BTCUSDT",
  `replay BTCUSDT --from ${import.meta.filename}`,
  "replays",
  "agent noise BTCUSDT",
  "agents",
  "agents 1 remove",
  "fault fail-before endpoint=ping",
  "faults",
  "clear-faults",
  "clear-faults 1",
  "latency",
  "latency marketData.ms=20",
  "checkpoint one",
  "checkpoints",
  "checkpoints one",
  "restore one",
  "reset",
  "delete-checkpoint one",
  "export one never-written.checkpoint",
  `import one ${import.meta.filename}`,
  "run -- node never-started.js",
  "scenario",
  "watch",
  "watch alice@demo.pricetime",
];
/** These start their own lab, or listen to another venue. */
const ASKS_NO_NODE = ["run-scenario", "record"];

test("the command line says so in one line, whatever the command", async () => {
  const { out } = await runIn(plain.folder, "lab --help");
  const all = [...out.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = ""]) => name);
  const asked = COMMANDS.map((line) => line.split(" ")[0] ?? "");
  assert.deepEqual(
    [...new Set([...asked, ...ASKS_NO_NODE])].toSorted(),
    all.filter((name) => name !== "help").toSorted(),
  );
  for (const line of COMMANDS) {
    const said = await runIn(plain.folder, `lab ${line}`);
    assert.deepEqual(said, { code: 1, out: "", err: `pricetime: ${REFUSAL}` }, line);
  }
});
