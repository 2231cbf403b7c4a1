/** The memory of an idle connection, HTTP and WebSocket: the slope of the server's memory over their number. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Peer } from "@pricetime/testkit/peer";
import { memoryBytes } from "@pricetime/testkit/process-usage";
import { median } from "@pricetime/testkit/quantile";
import { startBareServer } from "../load/load.ts";
import { type BenchOptions, table } from "../measure.ts";
import { SYMBOL } from "../venue/listing.ts";
import { withVenue } from "../venue/venue.ts";
import type { IdleOrder, IdleReport } from "./idle-process.ts";

const ROUNDS = 5;
const STEP = 1500;
const STEPS = 4;
/** The time between opening connections and measuring memory. */
const SETTLE_MS = 400;

const UPGRADE =
  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
const head = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;
const KINDS: Readonly<Record<string, string>> = {
  "HTTP, keep-alive": head("/api/v3/time"),
  "WebSocket, one stream": head(`/ws/${SYMBOL.toLowerCase()}@trade`, UPGRADE),
};

interface Server {
  readonly port: number;
  readonly pid: number;
}

/** Starts a new server for each measurement, because freed memory of an earlier one would be reused. */
type Start = <Result>(measure: (server: Server) => Promise<Result>) => Promise<Result>;

const startProgram: Start = (measure) =>
  withVenue({ accounts: 1, keys: 1, settings: { streams: { maxConnectionsPerIp: 100_000 } } }, measure);

const startBare: Start = async (measure) => {
  const server = await startBareServer();
  try {
    return await measure(server);
  } finally {
    server.stop();
  }
};

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const rows: string[][] = [];
  for (const [kind, request] of Object.entries(KINDS)) {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await startProgram((server) => slope(server, request)));
      bare.push(await startBare((server) => slope(server, request)));
    }
    const [a, b] = [median(ours), median(bare)];
    rows.push([kind, kib(a), kib(b), `**${(a / b).toFixed(2)}**`]);
  }
  return [
    `slope of the resident memory over ${STEP * STEPS} idle connections; medians of ${rounds} rounds, each with new processes`,
    "",
    ...table(["connection", "KiB each", "plain server", "ratio"], rows),
  ];
}

const kib = (bytes: number): string => (bytes / 1024).toFixed(1);

/** Bytes per connection, by least squares; the first step is a warm-up. */
async function slope({ port, pid }: Server, request: string): Promise<number> {
  const holder = new Peer<IdleOrder, IdleReport>(new URL("./idle-process.ts", import.meta.url));
  try {
    const points: [connections: number, bytes: number][] = [];
    for (let step = 0; step <= STEPS; step++) {
      holder.order({ port, head: request, more: STEP });
      const { open } = await holder.told("open");
      assert.equal(open, (step + 1) * STEP, "a connection was closed");
      await sleep(SETTLE_MS);
      points.push([open, memoryBytes(pid, "VmRSS")]);
    }
    return slopeOf(points);
  } finally {
    holder.end();
  }
}

function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
  const product = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return product / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
