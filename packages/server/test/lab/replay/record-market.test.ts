/** A recording whose connection to the venue breaks: it continues, and reports what it missed. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Link } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { recordMarket, type Recorded } from "../../../src/program/cli/lab/record-market.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import type { Timers } from "../../../src/platform/world/port.ts";
import { type RunningLab, startLab } from "../checkpoints/running-lab.ts";

const SYMBOL = "BTCUSDT";

interface Line {
  readonly ms: number;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Rig {
  readonly lab: RunningLab;
  readonly link: Link;
  readonly path: string;
  readonly notes: readonly string[];
  lines(): readonly Line[];
  /** So many seconds of the market, with trades. */
  trade(): Promise<void>;
  end(): Promise<Recorded>;
}

/** The machine's timers, except for silence, which passes on command: a busy machine may be silent for long. */
class SilenceByHand implements Pick<Timers, "after"> {
  /** Each wait that was started. */
  readonly waitsMs: number[] = [];
  #task = (): void => {};

  readonly after: Timers["after"] = (waitMs, task, name) => {
    if (name !== "silence") return MACHINE.after(waitMs, task);
    this.waitsMs.push(waitMs);
    this.#task = task;
    return () => {
      if (this.#task === task) this.#task = () => {};
    };
  };

  /** The wait that was started last elapses, unless it was canceled. */
  pass(): void {
    this.#task();
  }
}

async function rigOf(
  t: TestContext,
  silence: { readonly mostSilenceMs?: number; readonly timers?: Pick<Timers, "after"> } = {},
): Promise<Rig> {
  const lab = await startLab(t, { bots: "on" });
  const link = await Link.open(lab.ws.replace(/^ws/, "http"));
  inTheEnd(t, () => link.close());
  const path = join(lab.folder, "recording.jsonl");
  const told = Promise.withResolvers<void>();
  const notes: string[] = [];
  const recording = recordMarket({
    ...{ rest: lab.rest, streams: link.url, symbol: SYMBOL, path, until: told.promise },
    ...{ nowMs: MACHINE.nowMs, timers: MACHINE, ...silence, note: (text) => void notes.push(text) },
  });
  const lines = (): readonly Line[] => {
    const texts = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(1, -1) : [];
    return texts.map((text) => JSON.parse(text) as Line);
  };
  const end = (): Promise<Recorded> => {
    told.resolve();
    return recording;
  };
  const trade = async (): Promise<void> => void (await lab.ask("POST", "/v1/lab/clock/advance", { ms: 20_000 }));
  await until("the recording has begun", () => existsSync(path));
  return { lab, link, path, notes, lines, trade, end };
}

const tradesOf = (lines: readonly Line[]): number[] =>
  lines.filter(({ data }) => data["e"] === "trade").map(({ data }) => data["t"] as number);
const gapsOf = (lines: readonly Line[]): readonly Line[] => lines.filter(({ stream }) => stream === "gap");

async function idsOfVenue({ rest }: RunningLab): Promise<number[]> {
  const answer = await fetch(`${rest}/api/v3/trades?symbol=${SYMBOL}&limit=1000`);
  return ((await answer.json()) as { readonly id: number }[]).map(({ id }) => id);
}

/** The number of its latest trade. */
async function lastIdOf(lab: RunningLab): Promise<number> {
  return (await idsOfVenue(lab)).at(-1) ?? 0;
}

test("a line that is cut for a while: the recording has a gap there, the rest in full, and another snapshot, and can be played", async (t) => {
  const rig = await rigOf(t);
  const { lab, link } = rig;
  await rig.trade();
  const beforeId = await lastIdOf(lab);
  await until("all before is recorded", () => tradesOf(rig.lines()).at(-1) === beforeId);
  await until("the book is recorded", () => rig.lines().some(({ stream }) => stream === "depth"));
  link.cut();
  const cutMs = MACHINE.nowMs();
  await until("the loss is noted", () => rig.notes.length === 1);
  await rig.trade();
  const missedId = await lastIdOf(lab);
  assert.ok(missedId > beforeId + 3);
  link.heal();
  await until("it is connected again", () => rig.notes.length === 2);
  await rig.trade();
  const lastId = await lastIdOf(lab);
  await until("all after it is recorded", () => tradesOf(rig.lines()).at(-1) === lastId);
  await until("the book is recorded anew", () => rig.lines().filter(({ stream }) => stream === "depth").length === 2);
  const kept = await rig.end();

  const lines = rig.lines();
  const ids = tradesOf(lines);
  const all = (await idsOfVenue(lab)).filter((id) => id >= (ids[0] ?? 0));
  assert.deepEqual(
    ids,
    all.filter((id) => id <= beforeId || id > missedId),
  );
  const [gap = assert.fail("a gap")] = gapsOf(lines);
  const { fromMs, toMs, why } = gap.data as { fromMs: number; toMs: number; why: string };
  assert.ok(fromMs >= cutMs - 50 && toMs > fromMs && gap.ms === toMs, `${cutMs} ${fromMs} ${toMs}`);
  assert.match(why, /closed|reset|hang up/i);
  // It is in its place, and a book follows the part of the book before it.
  const at = lines.indexOf(gap);
  assert.deepEqual(
    tradesOf(lines.slice(0, at)),
    ids.filter((id) => id <= beforeId),
  );
  assert.ok(lines.slice(at).some(({ stream }) => stream === "depth"));
  assert.deepEqual(kept, {
    ...{ file: rig.path, symbol: SYMBOL, trades: ids.length, lines: lines.length },
    ...{ gaps: 1, gapMs: toMs - fromMs, missedTrades: missedId - beforeId },
  });
  assert.match(rig.notes.join("\n"), /Connecting again\.\nConnected again\. [0-9.]+ seconds are missing\.$/);

  const replay = await lab.ask("POST", "/v1/lab/replays", { symbol: SYMBOL, files: [rig.path] });
  assert.equal(replay["layout"], "recording");
  await lab.ask("POST", "/v1/lab/clock/advance", { ms: 300_000 });
  const [{ state, trades } = assert.fail()] = await lab.ask<{ state: string; trades: number }[]>(
    "GET",
    "/v1/lab/replays",
  );
  assert.deepEqual([state, trades], ["ended", ids.length]);
});

test("a venue that has nothing to say is not lost, one that answers nothing on an open line is; one that is told to end meanwhile ends with the gap", async (t) => {
  const timers = new SilenceByHand();
  const rig = await rigOf(t, { mostSilenceMs: 1000, timers });
  await rig.trade();
  const lastId = await lastIdOf(rig.lab);
  await until("it hears all", () => tradesOf(rig.lines()).at(-1) === lastId);
  // The lab's clock stands still: nothing arrives, but the venue is connected.
  for (let round = 0; round < 3; round++) {
    const { length } = timers.waitsMs;
    timers.pass();
    await until("it is asked, and answers", () => timers.waitsMs.length >= length + 2);
  }
  assert.deepEqual([rig.notes, new Set(timers.waitsMs)], [[], new Set([500])]);
  rig.link.silence("toClient", "toMember");
  timers.pass();
  timers.pass();
  await until("the silence is noted", () => rig.notes.length === 1);
  assert.match(rig.notes[0] ?? "", /the venue sent nothing for 1 seconds\. Connecting again\.$/);
  const kept = await rig.end();
  const lines = rig.lines();
  assert.deepEqual([kept.gaps, kept.lines], [1, lines.length]);
  assert.equal(lines.at(-1)?.stream, "gap");
});

test("what cannot begin leaves no file: an address where nobody is, a symbol that is not there, a folder that is not there", async (t) => {
  const lab = await startLab(t);
  const rest = { rest: lab.rest, streams: lab.ws, symbol: SYMBOL, until: new Promise(() => {}) };
  const task = { ...rest, nowMs: MACHINE.nowMs, timers: MACHINE, note: assert.fail };
  const path = join(lab.folder, "none.jsonl");
  await assert.rejects(recordMarket({ ...task, path, symbol: "NOSUCH" }), /-1121/);
  await assert.rejects(recordMarket({ ...task, path, rest: "http://127.0.0.1:1" }), /127\.0\.0\.1:1/);
  await assert.rejects(recordMarket({ ...task, path, streams: "http://127.0.0.1:1" }), /ECONNREFUSED/);
  await assert.rejects(
    recordMarket({ ...task, path, streams: "no address" }),
    /^CommandFailed: no address is not a valid URL\.$/,
  );
  assert.equal(existsSync(path), false);
  await assert.rejects(recordMarket({ ...task, path: join(lab.folder, "no", "folder.jsonl") }), {
    name: "CommandFailed",
    message: /ENOENT/,
  });
});
