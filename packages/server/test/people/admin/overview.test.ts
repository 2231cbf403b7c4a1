/** The overview: health, journal positions and metrics of the node. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import type { Figure } from "../../../src/platform/observe/last-hour.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const overview = (): Promise<Record<string, unknown>> => venue.wanted(200, "GET", "/v1/overview");

test("the overview reports health and journal position", async () => {
  await venue.withdraw("6");
  const { engine } = venue.admin;
  const seen = await overview();
  const { lastSeq, lastTimeMs, chainHash } = await venue.admin.journal.head();
  assert.deepEqual(seen["journal"], { lastSeq, lastTimeMs, chainHash });
  assert.deepEqual(seen["state"], { seq: engine.seq, timeMs: engine.timeMs });
  assert.deepEqual(seen["history"], { seq: engine.seq, lag: 0 });
  assert.deepEqual([seen["isReady"], seen["faults"], seen["version"]], [true, {}, "1.2.3"]);
  assert.deepEqual(seen["withdrawals"], { emailSent: 0, awaitingApproval: 1, processing: 0 });
  assert.deepEqual(seen["markets"], {});
  assert.deepEqual([seen["isInMaintenance"], seen["isDustOffered"]], [false, false]);
  assert.ok(Math.abs(Number(seen["timeMs"]) - Date.now()) < 60_000);
  assert.ok(Number(seen["startedMs"]) <= Number(seen["timeMs"]));

  const listed = { baseAsset: "COIN", quoteAsset: "CASH", acceptRounding: true };
  await venue.wanted(201, "POST", "/v1/assets", { asset: "CASH", name: "Cash" });
  for (const symbol of ["AA", "BB"]) await venue.wanted(201, "POST", "/v1/symbols", { symbol, ...listed });
  await venue.wanted(200, "PUT", "/v1/symbols/BB/status", { status: "HALT" });
  await venue.wanted(200, "PUT", "/v1/maintenance", { isOn: true });
  venue.admin.health.isServing = false;
  const later = await overview();
  assert.deepEqual(later["markets"], { TRADING: 1, HALT: 1 });
  assert.equal(later["isInMaintenance"], true);
  assert.deepEqual([later["isReady"], later["faults"]], [false, { serving: "not accepting clients" }]);
});

test("its figures are the node's metrics and the system's disk figures", async () => {
  await until("the system has told of the disk", async () => (await overview())["disk"] !== null);
  const { disk } = (await overview()) as { disk: { freeBytes: number; totalBytes: number } };
  assert.ok(disk.freeBytes > 0 && disk.totalBytes >= disk.freeBytes);
  venue.admin.metrics.batchCommitted(5, 3);
  await pause(20);
  venue.admin.hour.sample();
  const { figures, periodMs } = (await overview()) as { figures: Figure[]; periodMs: number };
  assert.equal(periodMs, 10_000);
  assert.deepEqual(
    figures.map(({ name, unit, hour }) => `${name} ${unit} ${hour.length}`),
    [
      "requestsPerSecond 1/s 1",
      "ordersPerSecond 1/s 1",
      "commandsPerSecond 1/s 1",
      "commitP50 ms 1",
      "commitP99 ms 1",
      "historyLag commands 1",
      "openOrders count 1",
      "connections count 1",
      "streams count 1",
      "streamMessagesPerSecond 1/s 1",
      "memoryBytes bytes 1",
      "diskFreeBytes bytes 1",
    ],
  );
  const now = Object.fromEntries(figures.map((figure) => [figure.name, figure.now]));
  assert.ok((now["commandsPerSecond"] ?? 0) > 0);
  assert.ok((now["commitP50"] ?? 0) > 2.5 && (now["commitP99"] ?? 0) <= 5);
  assert.deepEqual([now["historyLag"], now["openOrders"], now["streams"]], [0, 0, null]);
  assert.ok((now["diskFreeBytes"] ?? 0) > 0);
});
