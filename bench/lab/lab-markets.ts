/**
 * The speed of a lab's market: only bots, sequencer and engine, directly and through the gateway as in a demo; and the
 * complete program with a manual clock, without history, with it, busy, and with a client that trades each minute over
 * REST. All alternate in one run.
 */
import assert from "node:assert/strict";
import { Client } from "@pricetime/testkit/client";
import { LabMarket } from "@pricetime/testkit/lab-market";
import { median } from "@pricetime/testkit/quantile";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { ownProcessorMs, processorMs } from "@pricetime/testkit/process-usage";
import { type BenchOptions, table, thousands } from "../measure.ts";

const ROUNDS = 5;
const SECOND_MS = 1000;
const MINUTE_S = 60;
const DAY_S = 86_400;
/** Fills the books, and warms up the compiler. */
const WARM_UP_S = 5 * MINUTE_S;
/** The market time of a slice, which takes many times as long through the gateway. */
const SLICE_S = 10 * MINUTE_S;
const GATEWAY_SLICE_S = MINUTE_S;
/** Enough taker orders for 14 commands per second and symbol, thirteen million a day. */
const BUSY = { tradeRate: 25 };
/** The client's price as a fraction of the last price: its order rests without affecting the bots. */
const FAR_BELOW = 0.8;

/** The progress of the market in one slice, and its cost. */
interface Slice {
  readonly marketS: number;
  readonly commands: number;
  /** Processor time of the whole process. */
  readonly tookS: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const markets = [await parts("at once"), await parts("gateway")] as const;
  const programs = await started();
  const entrants: readonly Entrant[] = [
    { what: "bots and engine, direct", slice: () => partsSlice(markets[0], SLICE_S) },
    { what: "bots and engine, through the gateway", slice: () => partsSlice(markets[1], GATEWAY_SLICE_S) },
    ...programs,
  ];
  const slices = entrants.map((): Slice[] => []);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [index, { slice }] of entrants.entries()) slices[index]?.push(await slice());
    }
    for (const market of markets) {
      assert.deepEqual([market.errors, market.refused], [[], []], "bots that fail measure nothing");
      await market.stop();
    }
  } finally {
    for (const { stop } of programs) await stop();
  }
  const alone = slices[0] ?? [];
  const whole = slices[entrants.findIndex(({ what }) => what === BASELINE)] ?? [];
  return table(
    HEAD,
    entrants.map(({ what }, index) => rowOf(what, slices[index] ?? [], { alone, whole })),
  );
}

const BASELINE = "the program, history off";
const HEAD = [
  ...["what", "commands per market second", "commands/CPU s", "market s/CPU s", "CPU s per day", "time per command"],
  `ratio to ${BASELINE}`,
];

/** One of the alternating measurements. */
interface Entrant {
  readonly what: string;
  readonly slice: () => Promise<Slice>;
}

/** `alone`: bots and engine only; `whole`: the complete program. */
interface Baselines {
  readonly alone: readonly Slice[];
  readonly whole: readonly Slice[];
}

function rowOf(what: string, slices: readonly Slice[], { alone, whole }: Baselines): (string | number)[] {
  const of = (value: (slice: Slice) => number, from = slices): number => median(from.map(value));
  const perCommand = (slice: Slice): number => slice.tookS / slice.commands;
  const pace = ({ marketS, tookS }: Slice): number => marketS / tookS;
  return [
    what,
    of(({ commands, marketS }) => commands / marketS).toFixed(1),
    thousands(1 / of(perCommand)),
    thousands(of(pace)),
    thousands(DAY_S / of(pace)),
    (of(perCommand) / of(perCommand, alone)).toFixed(1),
    (of(pace, whole) / of(pace)).toFixed(2),
  ];
}

async function parts(way: "at once" | "gateway"): Promise<LabMarket> {
  const market = await new LabMarket({ way }).open();
  await market.advance(WARM_UP_S * SECOND_MS);
  return market;
}

async function partsSlice(market: LabMarket, marketS: number): Promise<Slice> {
  const { seq } = market.engine;
  const beforeMs = ownProcessorMs();
  await market.advance(marketS * SECOND_MS);
  return { marketS, commands: market.engine.seq - seq, tookS: (ownProcessorMs() - beforeMs) / SECOND_MS };
}

/** The programs after warm-up; the caller must `stop` each. */
async function started(): Promise<readonly (Entrant & { readonly stop: () => Promise<unknown> })[]> {
  const programs = [];
  for (const { what, history, body, isTraded } of [
    { what: BASELINE, history: "off", body: {}, isTraded: false },
    { what: "the same, with a client that trades once a minute over REST", history: "off", body: {}, isTraded: true },
    { what: "the program, history off, busy", history: "off", body: BUSY, isTraded: false },
    { what: "the program, history on", history: "on", body: {}, isTraded: false },
  ] as const) {
    const args = ["--lab", "--clock", "manual", "--history", history];
    const exchange = await startExchange({ args, isTemporary: true });
    if (body === BUSY) {
      const markets = await operate<readonly { readonly symbol: string }[]>(exchange, "GET", "/v1/lab/markets");
      for (const { symbol } of markets) await operate(exchange, "POST", `/v1/lab/markets/${symbol}`, body);
    }
    const go = isTraded ? await tradedMinutes(exchange) : (marketS: number) => advance(exchange, marketS);
    await go(WARM_UP_S);
    programs.push({ what, slice: () => programSlice(exchange, go), stop: () => exchange.stop() });
  }
  return programs;
}

/** Returns the last entry after so many seconds of market time. */
type Go = (marketS: number) => Promise<number>;

async function programSlice(exchange: Exchange, go: Go): Promise<Slice> {
  const before = { seq: await advance(exchange, 0), ms: processorMs(exchange.pid) };
  const commands = (await go(SLICE_S)) - before.seq;
  return { marketS: SLICE_S, commands, tookS: (processorMs(exchange.pid) - before.ms) / SECOND_MS };
}

interface Order {
  readonly orderId: number;
  readonly status: string;
}

/** A client that places a resting order after each minute, and cancels it. */
async function tradedMinutes(exchange: Exchange): Promise<Go> {
  const [account] = exchange.accounts;
  const client = new Client(exchange.rest, account, 1);
  const symbol = "BTCUSDT";
  const { json } = await client.public<{ readonly price: string }>("/api/v3/ticker/price", { symbol });
  const order = {
    ...{ symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" },
    price: (Number(json.price) * FAR_BELOW).toFixed(2),
  };
  return async (marketS) => {
    for (let minute = 0; minute < marketS / MINUTE_S; minute++) {
      const { nowMs: timestamp } = await advanced(exchange, MINUTE_S);
      const placed = await client.signed<Order>("POST", "/api/v3/order", { ...order, timestamp });
      assert.deepEqual([placed.status, placed.json.status], [200, "NEW"], placed.text);
      const { orderId } = placed.json;
      const ended = await client.signed<Order>("DELETE", "/api/v3/order", { symbol, orderId, timestamp });
      assert.deepEqual([ended.status, ended.json.status], [200, "CANCELED"], ended.text);
    }
    return advance(exchange, 0);
  };
}

async function advance(exchange: Exchange, marketS: number): Promise<number> {
  return (await advanced(exchange, marketS)).seq;
}

function advanced(exchange: Exchange, marketS: number): Promise<{ readonly seq: number; readonly nowMs: number }> {
  return operate(exchange, "POST", "/v1/lab/clock/advance", { ms: marketS * SECOND_MS });
}
