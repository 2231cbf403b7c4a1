/**
 * Streams: messages per second to 1, 100 and 1,000 subscribers, compared with a bare `ws` loop that sends the same
 * bytes to the same subscribers in alternating rounds; and the delay from the journal to a subscriber. Servers and subscribers are separate processes.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Peer } from "@pricetime/testkit/peer";
import { median, quantile } from "@pricetime/testkit/quantile";
import { streamNames } from "./messages.ts";
import type { ClientOrder, ClientReport, Sender, ServerOrder, ServerPorts, ServerReport } from "./messages.ts";
import { thousands } from "../measure.ts";

const ROUNDS = 5;
/** The approximate messages delivered in a round; fewer for a single subscriber. */
const DELIVERIES = 400_000;
const SUBSCRIBERS = [1, 100, 1000];
const STREAMS = [1, 50];
const TRADES = 200;
const TRADE_EVERY_MS = 50;

type Server = Peer<ServerOrder, ServerReport>;
type Clients = Peer<ClientOrder, ClientReport>;

interface Bench {
  readonly server: Server;
  readonly clients: Clients;
  readonly ports: ServerPorts;
  readonly messageBytes: number;
}

export async function run(): Promise<string[]> {
  return withProcesses(async (bench) => {
    const lines = [`messages of ${bench.messageBytes} bytes, one per stream and turn, ${ROUNDS} rounds`];
    for (const streams of STREAMS) for (const count of SUBSCRIBERS) lines.push(await fanOut(bench, streams, count));
    for (const count of SUBSCRIBERS) lines.push(await delay(bench, count));
    return lines;
  });
}

async function withProcesses<Result>(measure: (bench: Bench) => Promise<Result>): Promise<Result> {
  const server: Server = new Peer(new URL("./server-process.ts", import.meta.url));
  const clients: Clients = new Peer(new URL("./client-process.ts", import.meta.url));
  try {
    const { ports, messageBytes } = await server.told("listening");
    return await measure({ server, clients, ports, messageBytes });
  } finally {
    server.end();
    clients.end();
  }
}

async function fanOut(bench: Bench, streams: number, subscribers: number): Promise<string> {
  const deliveries = subscribers === 1 ? DELIVERIES / 4 : DELIVERIES;
  const turns = Math.max(4, Math.round(deliveries / streams / subscribers));
  const rates: Record<Sender, number[]> = { hub: [], bare: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const sender of ["hub", "bare"] as const) {
      const perSecond = await deliver(bench, sender, { streams, subscribers, turns });
      // The first round is a warm-up.
      if (round >= 0) rates[sender].push(perSecond);
    }
  }
  const [ours, bare] = [median(rates.hub), median(rates.bare)];
  return (
    `${streams} stream(s), ${thousands(subscribers)} subscriber(s): ${thousands(ours)} messages/s, ` +
    `plain ws ${thousands(bare)}, ratio ${(ours / bare).toFixed(2)}`
  );
}

interface Fan {
  readonly streams: number;
  readonly subscribers: number;
  readonly turns: number;
}

/** Messages per second, from the first one sent to the last one received. */
async function deliver(bench: Bench, sender: Sender, { streams, subscribers, turns }: Fan): Promise<number> {
  const { server, clients, ports, messageBytes } = bench;
  const path = `/ws/${streamNames(streams).join("/")}`;
  clients.order({ type: "open", port: ports[sender], path, count: subscribers });
  await clients.told("open");
  clients.order({ type: "await", bytesEach: turns * streams * messageBytes });
  server.order({ type: "fan", sender, streams, turns });
  const { startMs } = await server.told("fanned");
  const { endMs } = await clients.told("had");
  clients.order({ type: "close" });
  const { stillOpen } = await clients.told("closed");
  assert.equal(stillOpen, subscribers, "no subscriber was dropped");
  await sleep(50);
  return (turns * streams * subscribers * 1000) / (endMs - startMs);
}

async function delay({ server, clients, ports }: Bench, subscribers: number): Promise<string> {
  clients.order({ type: "open", port: ports.node, path: "/ws/btcusdt@trade", count: subscribers });
  await clients.told("open");
  clients.order({ type: "hear" });
  await clients.told("hearing");
  server.order({ type: "trade", trades: TRADES, everyMs: TRADE_EVERY_MS });
  const { committed } = await server.told("traded");
  await sleep(500);
  clients.order({ type: "heard" });
  const { arrivals } = await clients.told("heard");
  clients.order({ type: "close" });
  await clients.told("closed");
  assert.equal(committed.length, TRADES);
  assert.equal(arrivals.length, TRADES * subscribers);
  const commits = new Map(committed);
  const delays = arrivals.map(([tradeId, atMs]) => atMs - (commits.get(tradeId) ?? Number.NaN));
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  return (
    `from commit to arrival, ${1000 / TRADE_EVERY_MS} trades/s to ${thousands(subscribers)} subscriber(s): ` +
    `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
  );
}
