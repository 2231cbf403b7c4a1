/**
 * A soak test: the real program under load from many connections, with samples; its output is recorded for the
 * reconciliation.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import type { DemoAccount, Exchange } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import type { Evidence, ReportedBalance } from "./evidence.ts";
import type { ListenerOrder, ListenerReport, SocketPlan, TraderOrder, TraderReport, Stopped } from "./messages.ts";
import { histogramOf } from "@pricetime/testkit/delays";
import { Peer } from "@pricetime/testkit/peer";
import { isBehind, lowerRate, QueueWatch, sustainedRate } from "./rate.ts";
import type { Sample } from "./sample.ts";
import { serverState } from "./server-state.ts";
import { listened, openAccounts, openListenKey, planListeners, startVenue } from "./venue.ts";

/** Connections that query history. */
const READERS = 4;
const LISTEN_KEY_EVERY_MS = 20 * 60_000;
const QUIET_WITHIN_MS = 120_000;
const MOST_TRIES = 20;

export interface SoakOptions {
  /** The folder for the data and the records, which take a few hundred bytes per order. */
  readonly folder: string;
  readonly seconds: number;
  readonly connections: number;
  readonly orderConnections: number;
  /** The number of accounts that trade over these connections. */
  readonly accounts: number;
  /** Requests per second; determined by calibration if omitted. */
  readonly rate?: number | undefined;
  /** The fraction of the highest rate. */
  readonly share: number;
  readonly calibrationSeconds: number;
  /** How long the rate is held before the measured time; repeated with a lower rate if the node falls behind. */
  readonly settlingSeconds: number;
  readonly sampleSeconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly onSample: (sample: Sample) => void;
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  readonly evidence: Evidence;
  readonly counts: Stopped["counts"];
  /** Lost connections, missing responses, a failed stop: empty for a good run. */
  readonly problems: readonly string[];
}

type Trader = Peer<TraderOrder, TraderReport>;
type Listener = Peer<ListenerOrder, ListenerReport>;

interface Parts {
  readonly exchange: Exchange;
  readonly trader: Trader;
  readonly listener: Listener;
  readonly accounts: readonly DemoAccount[];
  readonly options: SoakOptions;
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const exchange = await startVenue(options.folder);
  const trader: Trader = new Peer(new URL("./trader-process.ts", import.meta.url));
  const listener: Listener = new Peer(new URL("./listener-process.ts", import.meta.url));
  try {
    const accounts = await openAccounts(exchange, options.accounts);
    return await run({ exchange, trader, listener, accounts, options });
  } finally {
    trader.end();
    listener.end();
    await exchange.kill();
  }
}

async function run(parts: Parts): Promise<SoakResult> {
  const { exchange, trader, options } = parts;
  const answersFile = join(options.folder, "answers");
  const plans = await openAll(parts, answersFile);
  const highest = options.rate ?? options.share * (await calibrate(parts));
  const rate = await settle(parts, highest);
  const keys = setInterval(() => void keepListenKeys(parts), LISTEN_KEY_EVERY_MS);
  const samples = await load(parts, rate);
  clearInterval(keys);
  trader.order({ type: "stop" });
  const { sent, unanswered, counts } = await trader.told("stopped");
  const problems = await checkConnections(parts, plans);
  if (unanswered > 0) problems.push(`${unanswered} requests were not answered`);
  const { openOrders } = await settled(exchange);
  const balances = await askBalances(parts);
  const code = await exchange.stop();
  if (code !== 0) problems.push(`the program exited with code ${code}: ${exchange.output().slice(-2000)}`);
  const streams = plans.flatMap(({ record }) => record ?? []);
  const evidence = { dataFolder: exchange.dataFolder, answersFile, sent, streams, balances, openOrders };
  return { samples, evidence, counts, problems };
}

/** Trading begins after all subscriptions, so that subscribers receive everything. */
async function openAll({ exchange, trader, listener, accounts, options }: Parts, answersFile: string) {
  const port = Number(new URL(exchange.rest).port);
  const { orderConnections: connections, seed } = options;
  const listenKeys = new Map<string, string>();
  for (const account of listened(accounts)) listenKeys.set(account.email, await openListenKey(exchange, account));
  const others = options.connections - connections - READERS;
  const { plans, idle } = planListeners(options.folder, listenKeys, others);
  listener.order({ type: "open", port, plans, idle });
  await listener.told("opened");
  trader.order({ type: "start", port, accounts, connections, readers: READERS, answersFile, seed });
  await trader.told("started");
  options.say(
    `${options.connections} connections are open: ${connections} send orders, ${idle + READERS} other REST clients`,
  );
  return plans;
}

async function calibrate({ exchange, trader, options }: Parts): Promise<number> {
  trader.order({ type: "closedLoop" });
  // Measuring begins after the first third, when the program is warm and the book is full.
  await sleep((options.calibrationSeconds / 3) * 1000);
  const before = await serverState(exchange);
  trader.order({ type: "window" });
  await trader.told("window");
  await sleep((options.calibrationSeconds * 2000) / 3);
  const after = await serverState(exchange);
  trader.order({ type: "window" });
  const window = await trader.told("window");
  const rate = sustainedRate(window, before, after);
  options.say(
    `highest rate: ${Math.round(window.answered / window.seconds)} requests/s with every connection busy; ` +
      `sustained, including history: ${Math.round(rate)} requests/s`,
  );
  return rate;
}

/** Returns the rate that the warm program sustains. */
async function settle(parts: Parts, highest: number): Promise<number> {
  const { settlingSeconds, sampleSeconds, say } = parts.options;
  const everySeconds = Math.min(sampleSeconds, settlingSeconds);
  let rate = highest;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    parts.trader.order({ type: "openLoop", rate, forgets: true });
    const behind = await watch(parts, rate, settlingSeconds, everySeconds, isBehind);
    if (behind === undefined) return rate;
    rate = lowerRate(behind);
    say(`the node falls behind: trying again with ${Math.round(rate)} requests/s`);
  }
  throw new Error("the node sustains no rate");
}

/** Takes samples for so many seconds; stops after the first for which `isEnd` is true. */
async function watch(
  { exchange, trader }: Parts,
  rate: number,
  seconds: number,
  everySeconds: number,
  isEnd: (sample: Sample) => boolean,
): Promise<Sample | undefined> {
  trader.order({ type: "window" });
  await trader.told("window");
  const startMs = performance.now();
  assert.ok(everySeconds > 0, "samples must be some time apart");
  for (let at = everySeconds; at <= seconds; at += everySeconds) {
    await sleep(startMs + at * 1000 - performance.now());
    trader.order({ type: "window" });
    const { delaysMs, readDelaysMs, ...window } = await trader.told("window");
    const [delays, readDelays] = [histogramOf(delaysMs), histogramOf(readDelaysMs)];
    const sample = { atSeconds: at, rate, window, delays, readDelays, server: await serverState(exchange) };
    if (isEnd(sample)) return sample;
  }
  return undefined;
}

/** The measured time. Due requests stay due, whatever the rate. */
async function load(parts: Parts, highest: number): Promise<Sample[]> {
  const { trader, options } = parts;
  const { seconds, sampleSeconds, say } = options;
  const samples: Sample[] = [];
  const queues = new QueueWatch();
  let rate = highest;
  say(`${Math.round(rate)} requests/s for ${seconds} s`);
  for (let atSeconds = 0; atSeconds < seconds; ) {
    const grown = await watch(parts, rate, seconds - atSeconds, sampleSeconds, (sample) => {
      samples.push({ ...sample, atSeconds: atSeconds + sample.atSeconds });
      options.onSample(samples.at(-1) as Sample);
      return queues.grows(sample);
    });
    if (grown === undefined) return samples;
    atSeconds += grown.atSeconds;
    rate = lowerRate(grown);
    say(`a queue grows: lowering the rate to ${Math.round(rate)} requests/s`);
    trader.order({ type: "openLoop", rate, forgets: false });
  }
  return samples;
}

async function keepListenKeys({ exchange, accounts }: Parts): Promise<void> {
  for (const account of listened(accounts)) await openListenKey(exchange, account);
}

/** All connections must still be open and respond. */
async function checkConnections({ trader, listener, options }: Parts, plans: readonly SocketPlan[]): Promise<string[]> {
  const ofTrader = await trader.told("checked");
  listener.order({ type: "check" });
  const ofListener = await listener.told("checked");
  const expected = options.connections - options.orderConnections - READERS;
  const problems = [...ofTrader.problems, ...ofListener.problems];
  if (ofListener.alive !== expected) problems.push(`${ofListener.alive} of ${expected} other connections answer`);
  const sockets = plans.reduce((sum, { count }) => sum + count, 0);
  options.say(
    `at the end ${ofListener.alive} of ${expected} other connections answer; ${ofListener.messages} messages on ${sockets} sockets`,
  );
  return problems;
}

/** Waits until history has caught up. */
async function settled(exchange: Exchange) {
  const patience = { withinMs: QUIET_WITHIN_MS, everyMs: 100 };
  return untilAnswer(
    "history has followed",
    () => serverState(exchange),
    ({ historyLag }) => historyLag === 0,
    patience,
  );
}

async function askBalances({ exchange, accounts }: Parts): Promise<Record<string, ReportedBalance[]>> {
  const reported: Record<string, ReportedBalance[]> = {};
  for (const account of accounts) {
    const client = new Client(exchange.rest, account, 1);
    const { json } = await client.signed<{ balances: ReportedBalance[] }>("GET", "/api/v3/account");
    client.close();
    reported[account.email] = json.balances;
  }
  return reported;
}
