/**
 * How fast a lab's market goes: the bots, sequencer and engine alone, acting at once and through the gateway as a demo's
 * do, by turns in one run; and the whole program under a manual clock, with history and without.
 */
import assert from "node:assert/strict";
import { LabMarket } from "@pricetime/testkit/lab-market";
import { median } from "@pricetime/testkit/quantile";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { processTime } from "../venue/threads.ts";

const ROUNDS = 5;
const SECOND_MS = 1000;
const MINUTE_S = 60;
const DAY_S = 86_400;
/** Books fill, and the compiler has seen everything. */
const WARM_UP_S = 5 * MINUTE_S;
/** The market's time of a slice; through the gateway it takes many times as long. */
const SLICE_S = 10 * MINUTE_S;
const GATEWAY_SLICE_S = MINUTE_S;
/** As many orders of takers that there are 15 commands a second for each symbol, ten million a day. */
const BUSY = { tradeRate: 25 };

/** How far the market went in one slice, and what that took. */
interface Slice {
  readonly marketS: number;
  readonly commands: number;
  /** Processor time of the whole process. */
  readonly tookS: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const direct = await parts("at once");
  const asClients = await parts("gateway");
  const slices: { readonly direct: Slice[]; readonly asClients: Slice[] } = { direct: [], asClients: [] };
  for (let round = 0; round < rounds; round++) {
    slices.direct.push(await partsSlice(direct, SLICE_S));
    slices.asClients.push(await partsSlice(asClients, GATEWAY_SLICE_S));
  }
  for (const market of [direct, asClients]) {
    assert.deepEqual([market.errors, market.refused], [[], []], "bots that fail measure nothing");
    await market.stop();
  }
  const whole: (string | number)[][] = [];
  for (const [what, history, body] of [
    ["the program, history off", "off", undefined],
    ["the program, history off, busy", "off", BUSY],
    ["the program, history on", "on", undefined],
  ] as const) {
    whole.push(rowOf(what, await programSlices(history, rounds, body), slices.direct));
  }
  return table(HEAD, [
    rowOf("bots and engine, at once", slices.direct, slices.direct),
    rowOf("bots and engine, through the gateway", slices.asClients, slices.direct),
    ...whole,
  ]);
}

const HEAD = ["what", "commands a market second", "commands/s", "market s/s", "a day takes, s", "time of a command"];

function rowOf(what: string, slices: readonly Slice[], baseline: readonly Slice[]): (string | number)[] {
  const of = (value: (slice: Slice) => number, from = slices): number => median(from.map(value));
  const perCommand = (slice: Slice): number => slice.tookS / slice.commands;
  const pace = of(({ marketS, tookS }) => marketS / tookS);
  return [
    what,
    of(({ commands, marketS }) => commands / marketS).toFixed(1),
    thousands(1 / of(perCommand)),
    thousands(pace),
    thousands(DAY_S / pace),
    (of(perCommand) / of(perCommand, baseline)).toFixed(1),
  ];
}

async function parts(way: "at once" | "gateway"): Promise<LabMarket> {
  const market = await new LabMarket({ way }).open();
  await market.advance(WARM_UP_S * SECOND_MS);
  return market;
}

async function partsSlice(market: LabMarket, marketS: number): Promise<Slice> {
  const { seq } = market.engine;
  const before = process.cpuUsage();
  await market.advance(marketS * SECOND_MS);
  const { user, system } = process.cpuUsage(before);
  return { marketS, commands: market.engine.seq - seq, tookS: (user + system) / 1e6 };
}

async function programSlices(history: "on" | "off", rounds: number, body: object | undefined): Promise<Slice[]> {
  const exchange = await startExchange({ args: ["--lab", "--clock", "manual", "--history", history] });
  try {
    if (body !== undefined) {
      const markets = await operate<readonly { readonly symbol: string }[]>(exchange, "GET", "/v1/lab/markets");
      for (const { symbol } of markets) await operate(exchange, "POST", `/v1/lab/markets/${symbol}`, body);
    }
    await advance(exchange, WARM_UP_S);
    const slices: Slice[] = [];
    for (let round = 0; round < rounds; round++) slices.push(await programSlice(exchange));
    return slices;
  } finally {
    await exchange.stop();
  }
}

async function programSlice(exchange: Exchange): Promise<Slice> {
  const before = { seq: await advance(exchange, 0), tookS: processorS(exchange.pid) };
  const seq = await advance(exchange, SLICE_S);
  return { marketS: SLICE_S, commands: seq - before.seq, tookS: processorS(exchange.pid) - before.tookS };
}

function processorS(pid: number): number {
  const { userMs, systemMs } = processTime(pid);
  return (userMs + systemMs) / SECOND_MS;
}

async function advance(exchange: Exchange, marketS: number): Promise<number> {
  const { seq } = await operate<{ seq: number }>(exchange, "POST", "/v1/lab/clock/advance", {
    ms: marketS * SECOND_MS,
  });
  return seq;
}
