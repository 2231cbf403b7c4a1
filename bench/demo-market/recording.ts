/**
 * Records a period of the demo's market: its taker orders, its trades, and its books once a second. The bots trade on
 * the real sequencer and engine with a simulated clock, as fast as the machine can.
 */
import type { Entry, Event, MarketView } from "@pricetime/engine";
import { LabMarket, type LabMarketOptions } from "@pricetime/testkit/lab-market";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const BOOK_EVERY_S = 10;

/** Taker orders as columns, because a month has millions. */
export interface TakenOrders {
  readonly timesMs: readonly number[];
  /** 1 for a buyer, -1 for a seller. */
  readonly signs: readonly number[];
  /** In the quote asset. */
  readonly notionals: readonly number[];
  readonly fills: readonly number[];
}

/** The depth of a side in the quote asset, within 1, 5, 10, 25, 50 and 100 basis points of the mid. */
export const DEPTH_BPS = [1, 5, 10, 25, 50, 100] as const;

export interface BookSample {
  readonly depth: readonly number[];
  readonly levels: number;
}

export interface SymbolRecording {
  readonly symbol: string;
  readonly tick: number;
  readonly taken: TakenOrders;
  /** The last price at the end of each second; 0 before the first trade. */
  readonly prices: readonly number[];
  /** In ticks, for each second; NaN while a side is empty. */
  readonly spreads: readonly number[];
  readonly books: readonly BookSample[];
  /** The number of quantity changes of price levels, at most one per level and instant. */
  readonly levelChanges: number;
}

export interface Recording {
  readonly fromMs: number;
  readonly toMs: number;
  readonly commands: number;
  /** The rejections that the bots received. */
  readonly refused: readonly string[];
  /** Orders per day at the recorded rate, by account, the busiest first: the limit is 100,000. */
  readonly ordersADay: readonly (readonly [account: string, orders: number])[];
  readonly errors: readonly unknown[];
  readonly symbols: ReadonlyMap<string, SymbolRecording>;
}

export interface RecordOptions extends Pick<LabMarketOptions, "seed" | "symbols" | "way"> {
  readonly startMs: number;
  readonly durationMs: number;
  /** The books fill before the recording begins. */
  readonly warmUpMs: number;
}

export async function record({ startMs, durationMs, warmUpMs, ...options }: RecordOptions): Promise<Recording> {
  const notes = new Map<number, Notes>();
  const placed = new Map<number, number>();
  const onApplied = ({ timeMs }: Entry, events: readonly Event[]): void => {
    for (const event of events) {
      noteLevel(notes, timeMs, event);
      if (event.type === "trade") note(notes.get(event.symbolId), event);
      else if (event.type === "orderOpened" && notes.size > 0) {
        placed.set(event.order.accountId, (placed.get(event.order.accountId) ?? 0) + 1);
      }
    }
  };
  const market = await new LabMarket({ ...options, startMs, onApplied }).open();
  await market.advance(warmUpMs);
  const { engine } = market;
  for (const one of engine.markets()) {
    if (options.symbols?.includes(one.spec.symbol) ?? true) notes.set(one.symbolId, notesOf(one));
  }
  const fromMs = market.world.nowMs();
  const [firstSeq, firstRefused] = [engine.seq, market.refused.length];
  for (let second = 1; second <= durationMs / SECOND_MS; second++) {
    await market.advance(SECOND_MS);
    for (const one of notes.values()) sample(one, second % BOOK_EVERY_S === 0);
  }
  const toMs = market.world.nowMs();
  await market.stop();
  const symbols = new Map([...notes.values()].map((one) => [one.market.spec.symbol, recordingOf(one)]));
  const ordersADay = [...placed]
    .map(([accountId, count]) => [engine.account(accountId)?.name ?? "", (count / (toMs - fromMs)) * DAY_MS] as const)
    .toSorted(([, one], [, other]) => other - one);
  const refused = market.refused.slice(firstRefused);
  return { fromMs, toMs, commands: engine.seq - firstSeq, refused, ordersADay, errors: market.errors, symbols };
}

interface Notes {
  readonly market: MarketView;
  readonly taken: Record<keyof TakenOrders, number[]>;
  readonly prices: number[];
  readonly spreads: number[];
  readonly books: BookSample[];
  /** The ID of the last taker order. */
  orderId: number;
  levelChanges: number;
  /** The prices that changed at the last instant; asks are negative. */
  readonly changed: Set<number>;
  changedMs: number;
}

function notesOf(market: MarketView): Notes {
  const taken = { timesMs: [], signs: [], notionals: [], fills: [] };
  const levels = { levelChanges: 0, changed: new Set<number>(), changedMs: 0 };
  return { market, taken, prices: [], spreads: [], books: [], orderId: 0, ...levels };
}

/** Handles an order that was added to the book, one that left it, and a fill: the bots' taker orders never rest. */
function noteLevel(all: ReadonlyMap<number, Notes>, timeMs: number, event: Event): void {
  if (event.type !== "orderOpened" && event.type !== "trade" && event.type !== "orderEnded") return;
  const order = event.type === "trade" ? event.maker.order : event.order;
  const notes = all.get(order.symbolId);
  if (notes === undefined || order.priceTicks === 0 || (event.type !== "trade" && order.timeInForce !== "GTC")) return;
  if (notes.changedMs !== timeMs) notes.changed.clear();
  notes.changedMs = timeMs;
  const level = order.side === "BUY" ? order.priceTicks : -order.priceTicks;
  if (notes.changed.has(level)) return;
  notes.changed.add(level);
  notes.levelChanges++;
}

function note(notes: Notes | undefined, event: Event & { readonly type: "trade" }): void {
  if (notes === undefined) return;
  const { market, taken } = notes;
  const notional = (event.lots / 10 ** market.scale.quantityDecimals) * priceOf(market, event.priceTicks);
  const { orderId } = event.taker.order;
  const last = taken.timesMs.length - 1;
  if (notes.orderId === orderId) {
    taken.notionals[last] = (taken.notionals[last] ?? 0) + notional;
    taken.fills[last] = (taken.fills[last] ?? 0) + 1;
    return;
  }
  notes.orderId = orderId;
  taken.timesMs.push(event.timeMs);
  taken.signs.push(event.takerSide === "BUY" ? 1 : -1);
  taken.notionals.push(notional);
  taken.fills.push(1);
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
  const depth = DEPTH_BPS.map(() => 0);
  const levels = market.bids(1000);
  for (const [ticks, lots] of levels) {
    const price = priceOf(market, ticks);
    const bps = (1 - price / mid) * 10_000;
    const notional = (lots / 10 ** market.scale.quantityDecimals) * price;
    for (const [index, most] of DEPTH_BPS.entries()) if (bps <= most) depth[index] = (depth[index] ?? 0) + notional;
  }
  books.push({ depth, levels: levels.length });
}

const tickOf = ({ spec }: MarketView): number => Number(spec.filters.priceFilter?.tickSize);

function recordingOf({ market, taken, prices, spreads, books, levelChanges }: Notes): SymbolRecording {
  return { symbol: market.spec.symbol, tick: tickOf(market), taken, prices, spreads, books, levelChanges };
}
