/** A lab in the terminal: its clock at a real node, its other parts at a stub that responds as the API does. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { signal } from "@preact/signals";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type LabFacts, Lab } from "../../src/lab/lab.ts";
import type { Connection } from "../../src/market/port.ts";
import { Rest } from "../../src/wire/rest.ts";
import { portOf, startQuietNode, watchedWorld, type WatchedWorld } from "../venue.ts";

interface Opened {
  readonly lab: Lab;
  readonly world: WatchedWorld;
  readonly connection: { value: Connection };
}

const opened: Lab[] = [];
after(() => {
  for (const lab of opened) lab.close();
});

function open(base: string): Opened {
  const world = watchedWorld();
  const send = world.fetch;
  // As a browser resolves them for a page of the node.
  world.fetch = (address, request) =>
    send(address, { ...request, headers: { ...(request.headers as Record<string, string>), Origin: base } });
  const rest = new Rest(base, world);
  const connection = signal<Connection>({ state: "live" });
  const lab = new Lab({ base, world, connection, facts: () => rest.terminalFacts<LabFacts>() });
  opened.push(lab);
  return { lab, world, connection };
}

const START_MS = Date.parse("2026-03-01T12:00:00Z");
const dataFolder = temporaryFolder();

function startLab(port = "0"): Promise<Exchange> {
  const clock = ["--lab", "--clock", "manual", "--clock-start", String(START_MS)];
  return startExchange({ dataFolder, args: [...clock, "--bots", "off", "--port", port] });
}

let node: Exchange;
before(async () => {
  node = await startLab();
});
after(() => node.kill());

test("a lab's clock is shown, advanced, stopped, set to a speed and to a time", async () => {
  const { lab } = open(node.rest);
  await until("it is there", () => lab.clock.value !== null);
  const beginMs = lab.nowMs();
  assert.equal(lab.clock.value?.mode, "manual");
  assert.ok(beginMs >= START_MS && beginMs < START_MS + 60_000, new Date(beginMs).toISOString());

  assert.equal(await lab.advance(60_000), true);
  assert.deepEqual([lab.nowMs(), lab.isBusy.value, lab.refusal.value], [beginMs + 60_000, false, null]);
  assert.equal(await lab.goTo(beginMs + 300_000), true);
  assert.equal(lab.nowMs(), beginMs + 300_000);
  assert.equal(await lab.goTo(beginMs), false);
  assert.match(lab.refusal.value ?? "", /^Time goes back only when a checkpoint is restored/);
  assert.equal(lab.nowMs(), beginMs + 300_000);

  assert.equal(await lab.setClock({ mode: "scaled", speed: 600 }), true);
  assert.deepEqual([lab.clock.value?.mode, lab.clock.value?.speed, lab.refusal.value], ["scaled", 600, null]);
  const fastMs = lab.nowMs();
  await until("ten minutes have passed in a second or so", () => lab.nowMs() - fastMs > 600_000, { withinMs: 10_000 });
  assert.equal(await lab.advance(1000), false);
  assert.match(lab.refusal.value ?? "", /set its mode to manual first/);
  const aheadMs = lab.nowMs() + 86_400_000;
  assert.equal(await lab.goTo(aheadMs), true);
  assert.equal(lab.clock.value?.mode, "scaled");
  assert.ok(lab.nowMs() >= aheadMs);
  assert.deepEqual([await lab.freeze(), lab.clock.value?.mode], [true, "manual"]);
  assert.deepEqual([await lab.run(), lab.clock.value?.mode, lab.clock.value?.speed], [true, "scaled", 600]);
  assert.equal(await lab.freeze(), true);
  const frozenMs = lab.nowMs();
  const told = await fetch(`${node.rest}/api/v3/time`);
  assert.equal(((await told.json()) as { serverTime: number }).serverTime, frozenMs);
});

test("changes of the clock by others are shown, and commands run one at a time", async () => {
  const { lab, world } = open(node.rest);
  const other = open(node.rest).lab;
  await until("both are there", () => lab.clock.value !== null && other.clock.value !== null);
  const nowMs = lab.nowMs();
  world.requests.length = 0;
  assert.deepEqual(await Promise.all([lab.advance(5000), lab.advance(5000)]), [true, false]);
  assert.equal(world.requests.filter((name) => name === "POST /lab/clock/advance").length, 1);
  await until("the other sees it", () => other.nowMs() === nowMs + 5000, { withinMs: 30_000 });
});

test("after a restart, the node's new token is requested", async () => {
  const { lab, connection } = open(node.rest);
  await until("it is there", () => lab.clock.value !== null);
  const port = String(portOf(node));
  await node.stop();
  connection.value = { state: "down", sinceMs: 0, reason: "" };
  node = await startLab(port);
  connection.value = { state: "live" };
  await until("it is held again", async () => lab.advance(1000), { withinMs: 10_000 });
});

test("a node that is no lab receives no requests", async () => {
  const plain = await startQuietNode();
  const { lab, world } = open(plain.rest);
  await until("the node has said what it is", () => world.requests.includes("GET /terminal.json"));
  assert.equal(await lab.advance(1000), false);
  assert.equal(lab.clock.value, null);
  assert.deepEqual(
    world.requests.filter((name) => name.includes("/lab/")),
    [],
  );
  await plain.kill();
});

interface Heard {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const FAULT = { id: 7, fault: "delay", where: { symbol: "BTCUSDT" }, struck: 3 };
const CHECKPOINT = { name: "a", seq: 5, nowMs: START_MS, hash: "00", bytes: 1 };

const POINT = { atMs: START_MS + 60_000, kind: "market", text: "BTCUSDT crashes", isDone: false };
const SCENARIO = { name: "squeeze", hash: "0123abcd", startMs: START_MS, endMs: START_MS + 600_000, asserts: [] };
const AMOUNTS = { positionBase: "-0.25", profitQuote: "12.5" };
const REPLAY = {
  id: 2,
  symbol: "BTCUSDT",
  layout: "trades",
  isAssumed: false,
  files: ["a.csv"],
  doubts: [],
  state: "paused",
};
/** The response for each part of the lab. */
const PARTS = {
  faults: [FAULT],
  checkpoints: [CHECKPOINT],
  markets: [],
  agents: [{ id: 3, type: "noise", symbol: "BTCUSDT", count: 2, isOn: true, trades: 5, ...AMOUNTS }],
  replays: [{ ...REPLAY, speed: 1, fileMs: null, rows: 0, trades: 0, skipped: 0, bytes: 0, totalBytes: 100 }],
  scenario: { ...SCENARIO, timeline: [POINT] } as object | null,
};
const partAt = (url: string): object | null | undefined =>
  url.startsWith("/lab/") ? (PARTS as Record<string, object | null>)[url.slice("/lab/".length)] : undefined;

interface StandIn {
  readonly base: string;
  readonly heard: Heard[];
  /** The response at an address instead of the part's. */
  readonly troubles: Map<string, { readonly status: number; readonly body: object }>;
  close(): void;
}

/** Responds as the lab's API, and records the requests. */
async function standIn(): Promise<StandIn> {
  const heard: Heard[] = [];
  const troubles: StandIn["troubles"] = new Map();
  const server: Server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += String(part);
    const { method = "", url = "" } = request;
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url === "/terminal.json") return send(200, { lab: { token: "token" } });
    if (request.headers["x-pricetime-lab"] !== "token") return send(404, { code: -1099, msg: "Not found." });
    if (method !== "GET") heard.push({ method, path: url, body: text === "" ? undefined : JSON.parse(text) });
    if (url === "/lab/clock") return send(200, { mode: "manual", nowMs: START_MS, speed: 1 });
    const part = partAt(url);
    const trouble = troubles.get(url);
    if (method === "GET" && trouble !== undefined) return send(trouble.status, trouble.body);
    if (method === "GET" && part !== undefined) return send(200, part);
    if (url.startsWith("/lab/checkpoints/unknown")) return send(404, { error: "UNKNOWN_CHECKPOINT", message: "None." });
    return send(method === "POST" ? 201 : 200, {});
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, heard, troubles, close: () => void server.close() };
}

const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

function untilSeen(lab: Lab): Promise<void> {
  const isSeen = (name: keyof typeof PARTS): boolean =>
    isDeepStrictEqual(lab.seen(name), { state: "known", value: PARTS[name], problem: null });
  return until("all is looked at", () => NAMES.every(isSeen));
}

test("a failed read is shown beside the last known state, not as empty", async (t) => {
  const there = await standIn();
  t.after(() => there.close());
  const { lab } = open(there.base);
  await untilSeen(lab);
  const second = open(there.base).lab;
  there.troubles.set("/lab/replays", { status: 503, body: { error: "BUSY", message: "Not now." } });
  const stop = lab.watch("replays");
  const known = { state: "known", value: PARTS.replays, problem: "Not now." };
  await until("the problem is told", () => isDeepStrictEqual(lab.seen("replays"), known), { withinMs: 30_000 });
  second.watch("replays");
  const unknown = { state: "unknown", problem: "Not now." };
  await until("nothing is known", () => isDeepStrictEqual(second.seen("replays"), unknown), { withinMs: 30_000 });
  there.troubles.clear();
  await until("it is looked at again", () => lab.seen("replays").problem === null, { withinMs: 30_000 });
  stop();
});

test("a part that the lab does not have is absent, and is requested once", async (t) => {
  const there = await standIn();
  t.after(() => there.close());
  there.troubles.set("/lab/agents", { status: 404, body: { error: "UNKNOWN_PATH", message: "No such path." } });
  const { lab, world, connection } = open(there.base);
  await until("it is not there", () => lab.seen("agents").state === "absent");
  lab.watch("agents");
  await until("some rounds", () => world.requests.filter((name) => name === "GET /lab/clock").length > 3, {
    withinMs: 10_000,
  });
  assert.equal(world.requests.filter((name) => name === "GET /lab/agents").length, 1);
  // The node may be another one after a while.
  there.troubles.clear();
  connection.value = { state: "down", sinceMs: 0, reason: "" };
  connection.value = { state: "live" };
  await until("it is there", () => lab.seen("agents").state === "known", { withinMs: 30_000 });
});

test("while no part is shown, only the clock and the running scenario are refreshed", async (t) => {
  const there = await standIn();
  t.after(() => there.close());
  const { lab, world } = open(there.base);
  await untilSeen(lab);
  const looks = async (): Promise<readonly string[]> => {
    world.requests.length = 0;
    await until("two rounds", () => world.requests.filter((name) => name === "GET /lab/clock").length > 2, {
      withinMs: 10_000,
    });
    return [...new Set(world.requests)].toSorted();
  };
  assert.deepEqual(await looks(), ["GET /lab/clock", "GET /lab/scenario"]);
  const { scenario } = PARTS;
  PARTS.scenario = null;
  t.after(() => (PARTS.scenario = scenario));
  await until(
    "it is over",
    () => isDeepStrictEqual(lab.seen("scenario"), { state: "known", value: null, problem: null }),
    {
      withinMs: 30_000,
    },
  );
  assert.deepEqual(await looks(), ["GET /lab/clock"]);
});

test("each part is refreshed, and each command sends the request that the API defines", async (t) => {
  const there = await standIn();
  t.after(() => there.close());
  const { lab } = open(there.base);
  await untilSeen(lab);
  const cases: readonly (readonly [() => Promise<boolean>, Heard])[] = [
    [
      () => lab.moveMarket("BTCUSDT", { crash: { percent: 10, overMs: 1000 } }),
      { method: "POST", path: "/lab/markets/BTCUSDT", body: { crash: { percent: 10, overMs: 1000 } } },
    ],
    [
      () => lab.addFault({ fault: "delay", ms: 2000, count: 1 }),
      { method: "POST", path: "/lab/faults", body: { fault: "delay", ms: 2000, count: 1 } },
    ],
    [() => lab.turnAgents(3, false), { method: "POST", path: "/lab/agents/3", body: { isOn: false } }],
    [() => lab.removeAgents(3), { method: "DELETE", path: "/lab/agents/3", body: undefined }],
    [
      () => lab.changeReplay(2, { state: "playing", speed: 60 }),
      { method: "POST", path: "/lab/replays/2", body: { state: "playing", speed: 60 } },
    ],
    [() => lab.stepReplay(2), { method: "POST", path: "/lab/replays/2/step", body: { rows: 1 } }],
    [() => lab.removeReplay(2), { method: "DELETE", path: "/lab/replays/2", body: undefined }],
    [() => lab.advanceUntilIdle(), { method: "POST", path: "/lab/clock/advance", body: { untilIdle: true } }],
    [() => lab.removeFault(7), { method: "DELETE", path: "/lab/faults/7", body: undefined }],
    [() => lab.removeFault(null), { method: "DELETE", path: "/lab/faults", body: undefined }],
    [() => lab.takeCheckpoint("a"), { method: "POST", path: "/lab/checkpoints", body: { name: "a" } }],
    [() => lab.restore("a b"), { method: "POST", path: "/lab/checkpoints/a%20b/restore", body: {} }],
    [() => lab.deleteCheckpoint("a"), { method: "DELETE", path: "/lab/checkpoints/a", body: undefined }],
    [() => lab.reset(), { method: "POST", path: "/lab/reset", body: {} }],
  ];
  for (const [act, asked] of cases) {
    there.heard.length = 0;
    assert.equal(await act(), true, asked.path);
    assert.deepEqual(there.heard, [asked]);
  }
  assert.equal(await lab.restore("unknown"), false);
  assert.equal(lab.refusal.value, "None.");
  assert.equal(await lab.restore("a"), true);
  assert.equal(lab.refusal.value, null);
});
