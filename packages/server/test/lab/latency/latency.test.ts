import assert from "node:assert/strict";
import { test } from "node:test";
import { MACHINE } from "@pricetime/server/parts";
import fc from "fast-check";
import type { Entrance, GatewayRequest, GatewayResponse } from "../../../src/api/edge/request.ts";
import { LabClock } from "../../../src/lab/clock/lab-clock.ts";
import { SeededRandom } from "../../../src/lab/seeded-random.ts";
import { Delays } from "../../../src/lab/faults/delays.ts";
import { SavedParts } from "../../../src/platform/world/saved-state.ts";
import type { SavedState } from "../../../src/platform/world/port.ts";
import { restoring } from "../../platform/world/goes-on.ts";
import { Latency, type LatencySetting, LatentSink, LatentStreams } from "../../../src/lab/latency.ts";

const START_MS = 1_000;

/** Draws from a seed. */
const latencyOf = (seed: number, saved: SavedState = MACHINE.saved): Latency =>
  new Latency({ randomBytes: new SeededRandom(seed, MACHINE.saved).randomBytes, saved });

function labWith(setting: LatencySetting): { clock: LabClock; latency: Latency; told: string[]; sink: LatentSink } {
  const onBug = (error: unknown): void => assert.fail(String(error));
  const clock = new LabClock({ machine: MACHINE, start: { mode: "manual", nowMs: START_MS, speed: 1 }, onBug });
  const latency = latencyOf(1);
  latency.set(setting);
  const told: string[] = [];
  const tell = (what: string): void => void told.push(`${what} at ${clock.nowMs() - START_MS}`);
  const gateway: Pick<Entrance, "process"> = {
    process: ({ method, path }, replier) => {
      tell(`${method} ${path}`);
      replier.reply({ status: 200, headers: [], body: path });
    },
  };
  const world = { ...MACHINE, nowMs: clock.nowMs, after: clock.after };
  return { clock, latency, told, sink: new LatentSink(latency, new Delays(world), gateway as Entrance) };
}

function ask(sink: LatentSink, method: string, path: string, onReply: (response: GatewayResponse) => void): void {
  const request: GatewayRequest = { method, path, query: "", body: "", headers: {}, ip: "127.0.0.1" };
  sink.process(request, { reply: onReply });
}

test("requests and answers take their time, by what they do", async () => {
  const orderEntry = { place: { ms: 30 }, cancel: { ms: 10 } };
  const { clock, told, sink } = labWith({ orderEntry, answer: { ms: 5 } });
  const hear = ({ body }: GatewayResponse): void =>
    void told.push(`${String(body)} back at ${clock.nowMs() - START_MS}`);
  ask(sink, "POST", "/api/v3/order", hear);
  ask(sink, "DELETE", "/api/v3/order", hear);
  ask(sink, "GET", "/api/v3/time", hear);
  assert.deepEqual(told, ["GET /api/v3/time at 0"], "a query takes no time to the exchange");
  await clock.advance(START_MS + 100);
  assert.deepEqual(told.slice(1), [
    "/api/v3/time back at 5",
    "DELETE /api/v3/order at 10",
    "/api/v3/order back at 15",
    "POST /api/v3/order at 30",
    "/api/v3/order back at 35",
  ]);
});

test("without a setting nothing waits", () => {
  const { told, sink } = labWith({});
  let isBack = false;
  ask(sink, "POST", "/api/v3/order", () => (isBack = true));
  assert.deepEqual([told.length, isBack], [1, true]);
});

test("messages of a stream keep their order, however their waits are drawn", async () => {
  const { clock, latency } = labWith({ marketData: { medianMs: 20, sigma: 0.5 } });
  const sent: string[] = [];
  const world = { ...MACHINE, nowMs: clock.nowMs, after: clock.after };
  const inner = { pass: ({ payload }: { payload: string }): void => void sent.push(`${payload} ${clock.nowMs()}`) };
  const streams = new LatentStreams(latency, new Delays(world), world, inner);
  const line = { send: (): void => {}, cut: (): void => {} };
  const numbers = Array.from({ length: 100 }, (_, at) => String(at));
  for (const payload of numbers) {
    streams.pass({ stream: "btcusdt@trade", payload }, line);
    await clock.advance((nowMs) => nowMs + 10);
  }
  await clock.advance((nowMs) => nowMs + 10_000);
  assert.deepEqual(
    sent.map((text) => text.split(" ")[0]),
    numbers,
  );
  assert.ok(new Set(sent.map((text) => text.split(" ")[1])).size > 10, "they wait for different times");
});

test("one that has no wait passes none that is due at the very moment", async () => {
  const { clock, latency } = labWith({ marketData: { samplesMs: [10, 10, 0, 0] } });
  const sent: string[] = [];
  const world = { ...MACHINE, nowMs: clock.nowMs, after: clock.after };
  const inner = { pass: ({ payload }: { payload: string }): void => void sent.push(payload) };
  const streams = new LatentStreams(latency, new Delays(world), world, inner);
  const line = { send: (): void => {}, cut: (): void => {} };
  const pass = (payload: string): void => streams.pass({ stream: "btcusdt@trade", payload }, line);
  // Due at the same instant as the task that creates a third, before them.
  clock.after(10, () => pass("3"), "a name goes first");
  pass("1");
  pass("2");
  await clock.advance(START_MS + 10);
  assert.deepEqual(sent, ["1", "2", "3"]);
  pass("4");
  assert.deepEqual(sent, ["1", "2", "3", "4"], "nothing is on its way: it needs no move of the clock");
});

test("waits go on from saved state: the same list, the same place in it", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }), fc.nat(50), (samplesMs, before) => {
      const saved = new SavedParts();
      const latency = latencyOf(1, saved);
      latency.set({ orderEntry: { samplesMs } });
      for (let i = 0; i < before; i++) assert.equal(latency.orderEntryMs("place"), samplesMs[i % samplesMs.length]);
      const other = latencyOf(2, restoring(saved.save()));
      for (let i = 0; i < 30; i++) assert.equal(other.orderEntryMs("cancel"), latency.orderEntryMs("cancel"));
    }),
  );
});

test("each list of waits goes on by itself, also from saved state", () => {
  const [place, cancel, answers, messages] = [
    [1, 2, 3],
    [10, 20],
    [100, 200],
    [7, 8],
  ];
  const lists = { place: { samplesMs: place }, cancel: { samplesMs: cancel } };
  const saved = new SavedParts();
  const first = latencyOf(1, saved);
  first.set({ orderEntry: lists, answer: { samplesMs: answers }, marketData: { samplesMs: messages } });
  assert.deepEqual([first.orderEntryMs("place"), first.answerMs("place"), first.marketDataMs()], [1, 100, 7]);
  assert.deepEqual([first.orderEntryMs("place"), first.orderEntryMs("cancel")], [2, 10]);
  const restored = latencyOf(2, restoring(saved.save()));
  for (const latency of [first, restored]) {
    assert.deepEqual([latency.orderEntryMs("place"), latency.orderEntryMs("place")], [3, 1]);
    assert.deepEqual([latency.orderEntryMs("cancel"), latency.answerMs("query"), latency.marketDataMs()], [20, 200, 8]);
  }
});
