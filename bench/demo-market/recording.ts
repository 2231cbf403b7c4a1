/** What a stretch of a steered demo's market left: its orders that took, its trades, and its books once a second. */
import type { Event, MarketView } from "@pricetime/engine";
import { SteeredDemo, type SteeredDemoOptions } from "./steered-demo.ts";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const BOOK_EVERY_MS = 10_000;

export interface TakenOrder {
  readonly timeMs: number;
  readonly side: "BUY" | "SELL";
  /** Of its last fill. */
  readonly price: number;
  /** In the quote asset. */
  readonly notional: number;
  readonly fills: number;
}

/** What a side holds, in the quote asset, within 1, 5, 10, 25, 50 and 100 basis points of the mid. */
export const DEPTH_BPS = [1, 5, 10, 25, 50, 100] as const;

export interface BookSample {
  readonly depth: readonly number[];
  readonly levels: number;
}

export interface SymbolRecording {
  readonly symbol: string;
  readonly tick: number;
  readonly orders: readonly TakenOrder[];
  /** The last price at the end of each second; 0 before the first trade. */
  readonly prices: readonly number[];
  /** In ticks, each second; NaN while a side is empty. */
  readonly spreads: readonly number[];
  readonly books: readonly BookSample[];
}

export interface Recording {
  readonly fromMs: number;
  readonly toMs: number;
  readonly commands: number;
  /** What the bots were refused, in words. */
  readonly refused: readonly string[];
  /** Placed by each account if it went on so for a day, the busiest first: the limit is 100,000. */
  readonly ordersADay: readonly (readonly [account: string, orders: number])[];
  readonly errors: readonly unknown[];
  readonly symbols: ReadonlyMap<string, SymbolRecording>;
}

/** `warmUpMs`: the books fill before anything is recorded. */
export async function record(
  options: SteeredDemoOptions & { readonly durationMs: number; readonly warmUpMs: number },
): Promise<Recording> {
  const notes = new Map<number, Notes>();
  const placed = new Map<number, number>();
  let isRecording = false;
  const refused: string[] = [];
  const demo = new SteeredDemo({
    ...options,
    onApplied: (events) => {
      if (!isRecording) return;
      for (const event of events) {
        note(notes, event);
        if (event.type === "orderOpened")
          placed.set(event.order.accountId, (placed.get(event.order.accountId) ?? 0) + 1);
      }
    },
    tell: (decision) => {
      if (isRecording && decision.startsWith("refused")) refused.push(decision);
    },
  });
  await demo.open();
  const startMs = demo.nowMs;
  while (demo.nowMs < startMs + options.warmUpMs) await demo.step();
  const markets = demo.engine.markets().filter(({ spec }) => options.symbols?.includes(spec.symbol) ?? true);
  for (const market of markets) notes.set(market.symbolId, { market, orders: [], prices: [], spreads: [], books: [] });
  isRecording = true;
  const fromMs = demo.nowMs;
  const firstSeq = demo.engine.seq;
  for (let nextMs = fromMs + SECOND_MS; demo.nowMs < fromMs + options.durationMs; ) {
    await demo.step();
    if (demo.nowMs < nextMs) continue;
    nextMs += SECOND_MS;
    for (const one of notes.values()) sample(one, (nextMs - fromMs) % BOOK_EVERY_MS === 0);
  }
  const { nowMs: toMs, errors } = demo;
  const symbols = new Map([...notes.values()].map((one) => [one.market.spec.symbol, recordingOf(one)]));
  const ordersADay = [...placed]
    .map(
      ([accountId, count]) => [demo.engine.account(accountId)?.name ?? "", (count / (toMs - fromMs)) * DAY_MS] as const,
    )
    .toSorted(([, one], [, other]) => other - one);
  return { fromMs, toMs, commands: demo.engine.seq - firstSeq, refused, ordersADay, errors, symbols };
}

interface Notes {
  readonly market: MarketView;
  readonly orders: TakenOrder[];
  readonly prices: number[];
  readonly spreads: number[];
  readonly books: BookSample[];
  /** Of the last taker. */
  orderId?: number;
}

function note(notes: ReadonlyMap<number, Notes>, event: Event): void {
  if (event.type !== "trade") return;
  const one = notes.get(event.symbolId);
  if (one === undefined) return;
  const price = priceOf(one.market, event.priceTicks);
  const notional = (event.lots / 10 ** one.market.scale.quantityDecimals) * price;
  const last = one.orders.at(-1);
  const { orderId } = event.taker.order;
  if (last !== undefined && one.orderId === orderId) {
    one.orders[one.orders.length - 1] = { ...last, price, notional: last.notional + notional, fills: last.fills + 1 };
    return;
  }
  one.orderId = orderId;
  one.orders.push({ timeMs: event.timeMs, side: event.takerSide, price, notional, fills: 1 });
}

const priceOf = ({ scale }: MarketView, ticks: number): number => ticks / 10 ** scale.priceDecimals;

function sample({ market, prices, spreads, books }: Notes, withBook: boolean): void {
  const [bid] = market.bestLevel("BUY");
  const [ask] = market.bestLevel("SELL");
  prices.push(priceOf(market, market.lastTradeTicks));
  const isOneSided = bid === 0 || ask === 0;
  spreads.push(isOneSided ? Number.NaN : Math.round(priceOf(market, ask - bid) / tickOf(market)));
  if (!withBook || isOneSided) return;
  const mid = priceOf(market, bid + ask) / 2;
  const levels = market.bids(1000).map(([ticks, lots]) => {
    const price = priceOf(market, ticks);
    return { bps: (1 - price / mid) * 10_000, notional: (lots / 10 ** market.scale.quantityDecimals) * price };
  });
  const within = (bps: number): number =>
    levels.filter((level) => level.bps <= bps).reduce((sum, { notional }) => sum + notional, 0);
  books.push({ depth: DEPTH_BPS.map(within), levels: levels.length });
}

const tickOf = ({ spec }: MarketView): number => Number(spec.filters.priceFilter?.tickSize);

function recordingOf({ market, orders, prices, spreads, books }: Notes): SymbolRecording {
  return { symbol: market.spec.symbol, tick: tickOf(market), orders, prices, spreads, books };
}
