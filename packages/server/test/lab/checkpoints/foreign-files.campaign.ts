/** Checkpoint files that are intact but do not fit: of another version, or forged. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { PartStates } from "../../../src/platform/world/saved-state.ts";
import { VERSION } from "../../../src/program/start/version.ts";
import type { SavedValue } from "../../../src/platform/world/port.ts";
import { archiveTrades } from "../replay/replay-venue.ts";
import { openFiles } from "./open-files.ts";
import { withFormat, withHeader, withStates } from "./rewritten-file.ts";
import { type RunningLab, startLab } from "./running-lab.ts";

const fileOf = async (lab: RunningLab, name: string): Promise<Buffer> =>
  Buffer.from(await (await lab.send("GET", `/v1/lab/checkpoints/${name}/file`)).arrayBuffer());

const put = async (lab: RunningLab, name: string, file: Buffer): Promise<Response> =>
  lab.send("POST", `/v1/lab/checkpoints/${name}/file`, new Uint8Array(file));

/** What is visible from outside. */
async function seen(lab: RunningLab): Promise<unknown> {
  const pages = ["journal", "lab/clock", "lab/markets", "lab/replays", "lab/faults", "lab/latency", "lab/agents"];
  const told = await Promise.all(pages.map((page) => lab.ask("GET", `/v1/${page}`)));
  return [told, await (await fetch(`${lab.rest}/api/v3/depth?symbol=BTCUSDT`)).json()];
}

/** A lab in which each part has saved state. */
async function richLab(t: TestContext): Promise<RunningLab> {
  const lab = await startLab(t, { bots: "on" });
  const advance = (ms: number): Promise<unknown> => lab.ask("POST", "/v1/lab/clock/advance", { ms });
  const path = join(lab.folder, "trades.csv");
  const rows = Array.from({ length: 20 }, (_, i) => [70_000 + i, 0.001, "BUY", 1e12 + i * 1_000] as const);
  writeFileSync(
    path,
    archiveTrades(rows)
      .map((line) => `${line}\n`)
      .join(""),
  );
  await lab.ask("POST", "/v1/lab/markets/ETHUSDT", { crash: { percent: 5, overMs: 60_000 } });
  await lab.ask("POST", "/v1/lab/markets/ETHUSDT", { halt: true, inMs: 600_000 });
  await lab.ask("POST", "/v1/lab/agents", { type: "noise", symbol: "ETHUSDT" });
  await lab.ask("POST", "/v1/lab/replays", { symbol: "BTCUSDT", files: [path] });
  await advance(5_000);
  return lab;
}

type Change = (at: PartStates) => PartStates;

/** With one value changed in the state of a part. */
function changed(value: SavedValue | undefined, [name, ...rest]: readonly string[], change: Change): PartStates {
  const inner = value as PartStates;
  assert.ok(typeof inner === "object" && inner !== null);
  if (name === undefined) return change(inner);
  const copy = (Array.isArray(inner) ? [...(inner as SavedValue[])] : { ...inner }) as Record<string, SavedValue>;
  copy[name] = changed(copy[name], rest, change);
  return copy;
}

const withMore: Change = (at) => ({ ...at, later: 1 });

function without(name: string): Change {
  return ({ [name]: gone, ...others }) => {
    assert.notEqual(gone, undefined, name);
    return others;
  };
}

test("a whole file of another version is refused: the lab answers, goes on, and is where it was", async (t) => {
  const lab = await richLab(t);
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const file = await fileOf(lab, "good");
  const unknown = /[Uu]nrecognized key: "later"/;
  const [replay, held] = ["replays.replays.0", "markets.held.ETHUSDT"];
  const files: [place: string, change: Change, why: RegExp][] = [
    ["", (states) => ({ ...states, laterPart: {} }), /modules that this lab does not have: laterPart/],
    ["", without("latency"), /lacks modules that this lab has: latency/],
    ...["markets", held, `${held}.shocks.0`, "markets.scheduled.0"].map((place) => more(place)),
    ...["replays", replay, `${replay}.settings`, `${replay}.player`].map((place) => more(place)),
    ...["demo/senders of BTCUSDT", "demo/agents/1/group", "wallet/BTC/watcher"].map((place) => more(place)),
    [`${replay}.settings`, (at) => ({ ...at, symbol: "LATER" }), /replays: LATER is not listed/],
    [`${replay}.settings`, (at) => ({ ...at, symbol: "ETHUSDT" }), /that on ETHUSDT are not open/],
    [replay, (at) => ({ ...at, filters: null }), /it plays, and has not begun/],
    // All parts accept these, but save something else.
    [`${replay}.settings`, without("impact"), /the restored state of these modules differs: replays/],
  ];
  function more(place: string): [string, Change, RegExp] {
    return [place, withMore, unknown];
  }
  const live = async (): Promise<unknown> => {
    await lab.ask("POST", "/v1/lab/clock/advance", { ms: 3_000 });
    return seen(lab);
  };
  const next = await live();
  await lab.ask("POST", "/v1/lab/checkpoints/good/restore");
  const before = await seen(lab);
  for (const [index, [place, change, why]] of files.entries()) {
    const what = `file ${index}: ${place}`;
    const spoilt = withStates(file, (states) => changed(states, place === "" ? [] : place.split("."), change));
    const told = await put(lab, `bad-${index}`, spoilt);
    assert.equal(told.status, 201, `${what}: ${await told.text()}`);
    const keepConnections = index % 2 === 0;
    const refused = await lab.ask("POST", `/v1/lab/checkpoints/bad-${index}/restore`, { keepConnections }, 409);
    assert.equal(refused["error"], "CHECKPOINT_UNFIT", what);
    assert.match(String(refused["message"]), why, what);
    assert.deepEqual(await seen(lab), before, what);
    assert.equal(lab.failure(), undefined, what);
  }
  assert.deepEqual(await live(), next);
});

test("a stream that stays open outlasts a file that does not fit", async (t) => {
  const lab = await startLab(t, { bots: "on" });
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const file = await fileOf(lab, "good");
  const stream = new WebSocket(`${lab.ws}/ws/btcusdt@bookTicker`);
  await once(stream, "open");
  const spoilt = withStates(file, (states) => changed(states, ["demo/volatility"], withMore));
  assert.equal((await put(lab, "bad", spoilt)).status, 201);
  await lab.ask("POST", "/v1/lab/checkpoints/bad/restore", { keepConnections: true }, 409);
  const message = once(stream, "message", { signal: t.signal });
  await lab.ask("POST", "/v1/lab/clock/advance", { ms: 3_000 });
  await message;
  assert.equal(stream.readyState, WebSocket.OPEN);
  stream.close();
});

test("what had begun on a file that does not fit has ended: none of its files stays open", async (t) => {
  const lab = await startLab(t, { bots: "on" });
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const spoilt = withStates(await fileOf(lab, "good"), (states) => changed(states, ["demo/bots"], withMore));
  assert.equal((await put(lab, "bad", spoilt)).status, 201);
  const before = openFiles(lab.folder).toSorted();
  await lab.ask("POST", "/v1/lab/checkpoints/bad/restore", {}, 409);
  assert.deepEqual(openFiles(lab.folder).toSorted(), before);
});

test("a refusal names the version that made the file, where it is another", async (t) => {
  const [lab, stranger] = [await startLab(t), await startLab(t, { seed: 2 })];
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const own = await fileOf(lab, "good");
  const later = withHeader(own, { version: "9.9.9-rc.1+x" });
  const spoilt = (file: Buffer): Buffer => withStates(file, (states) => changed(states, ["markets"], withMore));
  const refusal = async (at: RunningLab, name: string, file: Buffer): Promise<readonly [number, string, string]> => {
    const told = await put(at, name, file);
    const { error, message } = (await told.json()) as { readonly error: string; readonly message: string };
    return [told.status, error, message];
  };
  const byAnother = ` It was created by 9.9.9-rc.1+x; this is ${VERSION}.`;
  const said = async (file: Buffer, madeBy: string): Promise<void> => {
    const unreadable = async (spoiled: Buffer, why: string): Promise<void> =>
      assert.deepEqual(await refusal(lab, "bad", spoiled), [400, "CHECKPOINT_UNREADABLE", `${why}${madeBy}`]);
    await unreadable(withFormat(file, 7), "Its format is 7; this release supports 2.");
    await unreadable(withHeader(file, { hash: "0" }), "Its journal leads to another state.");
    await unreadable(
      withHeader(file, { chainHash: "0" }),
      "The hash chain of its journal does not end with the hash in its header.",
    );
    await unreadable(withHeader(file, { seq: -1 }), "Its header is not that of a checkpoint.");
    const key =
      "It was created with another master key: start this lab with the seed, or the key, of the lab that created it.";
    assert.deepEqual(await refusal(stranger, "x", file), [409, "CHECKPOINT_UNFIT", `${key}${madeBy}`]);
    assert.equal((await put(lab, "unfit", spoilt(file))).status, 201);
    const refused = await lab.ask("POST", "/v1/lab/checkpoints/unfit/restore", {}, 409);
    await lab.ask("DELETE", "/v1/lab/checkpoints/unfit");
    const [start, end] = [
      "It does not fit this lab, which is unchanged: the checkpoint is damaged, or of another version: markets: ",
      `.${madeBy}`,
    ];
    assert.ok(String(refused["message"]).startsWith(start), String(refused["message"]));
    assert.ok(String(refused["message"]).endsWith(end), String(refused["message"]));
  };
  await said(later, byAnother);
  await said(own, "");
  const unprintable = await refusal(lab, "bad", withFormat(withHeader(own, { version: "\u001b[2J" }), 7));
  assert.equal(unprintable[2], "Its format is 7; this release supports 2.");
  assert.equal((await put(lab, "later", later)).status, 201, "that it is of another version is no reason to refuse it");
  await lab.ask("POST", "/v1/lab/checkpoints/later/restore");
});

test("a file of the other interface is refused with what to do", async (t) => {
  const [lab, other] = [await startLab(t), await startLab(t, { interface: "today" })];
  await other.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const told = await put(lab, "other", await fileOf(other, "good"));
  const { error, message } = (await told.json()) as { readonly error: string; readonly message: string };
  const why = "It has the interface today, and this lab 2019: start this lab with --interface today.";
  assert.deepEqual([told.status, error, message], [409, "CHECKPOINT_UNFIT", why]);
});

test("a file with order ids by symbol is refused by a lab without, with what to do", async (t) => {
  const [lab, other] = [await startLab(t), await startLab(t, { orderIds: "symbol" })];
  await other.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const told = await put(lab, "other", await fileOf(other, "good"));
  const { error, message } = (await told.json()) as { readonly error: string; readonly message: string };
  const why = "It has order IDs by symbol, and this lab by exchange: start this lab with --order-ids symbol.";
  assert.deepEqual([told.status, error, message], [409, "CHECKPOINT_UNFIT", why]);
});

test("a file that is cut short is refused, wherever it is cut", async (t) => {
  const lab = await startLab(t);
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "good" });
  const file = withHeader(await fileOf(lab, "good"), { version: "9.9.9" });
  const bodyAt = 16 + file.readUInt32BE(12);
  const cuts = [0, 7, 8, 11, 12, 15, 16, 17, bodyAt - 1, bodyAt, bodyAt + 1, bodyAt + 31, bodyAt + 32, bodyAt + 33];
  const late = [(bodyAt + file.length) >> 1, file.length - 33, file.length - 32, file.length - 31, file.length - 1];
  for (const at of [...cuts, ...late]) {
    const told = await put(lab, "cut", file.subarray(0, at));
    const { error, message } = (await told.json()) as { readonly error: string; readonly message: string };
    const why = at < 16 ? "It is not a checkpoint." : "It is truncated, or its checksum is wrong.";
    const madeBy = at < bodyAt ? "" : ` It was created by 9.9.9; this is ${VERSION}.`;
    assert.deepEqual([told.status, error, message], [400, "CHECKPOINT_UNREADABLE", `${why}${madeBy}`], `cut at ${at}`);
  }
  assert.equal((await lab.ask<unknown[]>("GET", "/v1/lab/checkpoints")).length, 1);
});
