/**
 * The cost of locking an account with 100,000 open orders, all of which are canceled in one entry: the response, the
 * thread that accepts orders, memory, history, and the delay of others' orders meanwhile; without and with a subscriber
 * of the account's stream. Decision 69.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { Dice } from "@pricetime/testkit/dice";
import { median } from "@pricetime/testkit/quantile";
import { metric, operate } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { LoadProcess } from "../load/load.ts";
import type { LoadResult } from "../load/messages.ts";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { JournalMaker, limitOrder } from "../venue/journal-maker.ts";
import { SYMBOL } from "../venue/listing.ts";
import { signerOf } from "../venue/signer.ts";
import { memoryBytes, threadTimes } from "../venue/threads.ts";
import { copyFolder, rebuildHistory, startVenue, type Venue, withFolder } from "../venue/venue.ts";

const ROUNDS = 3;
const OPEN_ORDERS = 100_000;
const TRADERS = 200;
const ROUND_MS = 10_000;
/** Not measured: new connections and their first requests. */
const WARM_UP_MS = 2000;
/** The time at which the account is locked. */
const LOCK_AFTER_MS = 5000;
const ORDERS_A_SECOND = 200;
const MID_TICKS = 5_000_000;
const DEPTH = 20_000;

interface Round {
  readonly orders: LoadResult;
  /** Undefined if no orders were canceled. */
  readonly end?: End;
}

interface End {
  readonly answerMs: number;
  /** Processor time of the thread that accepts orders, from the request until every report was received. */
  readonly cpuMs: number;
  readonly deliveredMs: number;
  readonly historyMs: number;
  readonly grownBytes: number;
  readonly messages: number;
}

type Kind = "nothing ends" | "no listener" | "a listener";
const KINDS: readonly Kind[] = ["nothing ends", "no listener", "a listener"];

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const maker = new JournalMaker({ folder, accounts: TRADERS + 1, keys: TRADERS + 1 });
    const owner = maker.accountIds.at(-1) as number;
    fill(maker, owner);
    maker.close({ snapshot: true });
    await rebuildHistory(folder);
    const measured = new Map<Kind, Round[]>(KINDS.map((kind) => [kind, []]));
    for (let round = 0; round < rounds; round++) {
      for (const kind of KINDS) {
        const copy = `${folder}-${round}-${KINDS.indexOf(kind)}`;
        copyFolder(folder, copy);
        const venue = await startVenue(copy);
        try {
          measured.get(kind)?.push(await measure(venue, owner, kind));
        } finally {
          await venue.kill();
        }
      }
    }
    return report(measured);
  });
}

/** The orders of one account, on both sides of the book, away from the prices of the load. */
function fill(maker: JournalMaker, owner: number): void {
  const random = new Dice(1);
  for (let n = 0; n < OPEN_ORDERS; n++) {
    if (n % 1000 === 0) maker.pass(100);
    const side = n % 2 === 0 ? "BUY" : "SELL";
    const away = random.between(100, DEPTH);
    const ticks = MID_TICKS + (side === "BUY" ? -away : away);
    maker.apply(limitOrder(owner, { side, ticks, lots: 10_000, id: `rest${n}` }));
  }
}

async function measure(venue: Venue, owner: number, kind: Kind): Promise<Round> {
  const load = new LoadProcess();
  try {
    const count = (ORDERS_A_SECOND * ROUND_MS) / 1000;
    const place = { kind: "place", symbol: SYMBOL, side: "BY_TURNS", priceCents: MID_TICKS, prices: 1 } as const;
    const running = load.run({
      ...{ port: venue.port, accounts: TRADERS, marker: "o", connections: 32, perSecond: ORDERS_A_SECOND },
      warmUp: (ORDERS_A_SECOND * WARM_UP_MS) / 1000,
      requests: { ...place, quantity: "0.010000", firstNumber: 0, count },
      expected: '"status":"',
    });
    const end = kind === "nothing ends" ? undefined : await lockIn(LOCK_AFTER_MS, venue, owner, kind === "a listener");
    return { orders: await running, ...(end !== undefined && { end }) };
  } finally {
    load.stop();
  }
}

async function lockIn(waitMs: number, venue: Venue, owner: number, isHeard: boolean): Promise<End> {
  const reader = isHeard ? await StreamReader.open(venue) : undefined;
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const [resident, cpu] = [memoryBytes(venue.pid, "VmRSS"), mainCpuMs(venue)];
  const sentMs = performance.now();
  await operate(venue, "POST", `/v1/accounts/${owner}/lock`);
  const answerMs = performance.now() - sentMs;
  await reader?.closed;
  const deliveredMs = performance.now() - sentMs;
  const cpuMs = mainCpuMs(venue) - cpu;
  const lag = (): Promise<number> => metric(venue, "pricetime_history_lag_commands");
  await untilAnswer("history has followed", lag, (commands) => commands <= 100, { withinMs: 60_000, everyMs: 50 });
  const historyMs = performance.now() - sentMs;
  const expired = reader?.expired ?? OPEN_ORDERS;
  assert.equal(expired, OPEN_ORDERS, "every order is reported");
  const grownBytes = memoryBytes(venue.pid, "VmHWM") - resident;
  return { answerMs, cpuMs, deliveredMs, historyMs, grownBytes, messages: reader?.messages ?? 0 };
}

/** Includes the commands of the load, which are a small part. */
function mainCpuMs({ pid }: Venue): number {
  const main = threadTimes(pid).get("main");
  return main === undefined ? 0 : main.userMs + main.systemMs;
}

/** Reads the owner's stream. */
class StreamReader {
  messages = 0;
  expired = 0;
  readonly closed: Promise<unknown>;

  private constructor(socket: WebSocket) {
    socket.addEventListener("message", ({ data }) => {
      this.messages++;
      if (String(data).includes('"x":"EXPIRED"')) this.expired++;
    });
    this.closed = once(socket, "close");
  }

  static async open({ rest, ws }: Venue): Promise<StreamReader> {
    const headers = { "x-mbx-apikey": signerOf(TRADERS).apiKey };
    const answer = await fetch(`${rest}/api/v3/userDataStream`, { method: "POST", headers });
    const { listenKey } = (await answer.json()) as { listenKey: string };
    const socket = new WebSocket(`${ws}/ws/${listenKey}`);
    const reader = new StreamReader(socket);
    await once(socket, "open");
    return reader;
  }
}

function report(measured: ReadonlyMap<Kind, readonly Round[]>): string[] {
  const rows = [...measured].map(([kind, rounds]) => {
    const ends = rounds.flatMap(({ end }) => end ?? []);
    const of = (value: (end: End) => number): string => (ends.length === 0 ? "" : median(ends.map(value)).toFixed(0));
    const delay = (key: "p50" | "p99" | "max"): string =>
      median(rounds.map(({ orders }) => orders.delayMs[key])).toFixed(1);
    return [
      ...[kind, delay("p50"), delay("p99"), delay("max")],
      ...[of((end) => end.answerMs), of((end) => end.cpuMs), of((end) => end.deliveredMs), of((end) => end.historyMs)],
      of((end) => end.grownBytes / 1e6),
    ];
  });
  const head = [
    "",
    "orders p50 ms",
    "p99 ms",
    "max ms",
    "answer ms",
    "CPU ms",
    "reports ms",
    "history ms",
    "memory MB",
  ];
  return [
    `${thousands(OPEN_ORDERS)} open orders of one account end in one entry, with ${ORDERS_A_SECOND} orders per second of other accounts`,
    "",
    ...table(head, rows),
  ];
}
