/**
 * A symbol's book in LOBSTER's layout, a file a day (docs/decisions/0056). Each file begins with the orders that stood
 * before it. The next slice of an iceberg is a new order of the same number.
 */
import { DAY_MS, type EngineView, type Entry, type Event, type MarketView } from "@pricetime/engine";
import type { LobsterMeta } from "../market-files/lobster/lobster-day.ts";
import { LOBSTER_HALT, LOBSTER_TYPE, type LobsterRow, NS_A_MS } from "../market-files/lobster/lobster-row.ts";
import { VisibleBook } from "../market-files/lobster/visible-book.ts";
import { applyMessage, LobsterDay } from "../market-files/lobster/write-lobster.ts";
import type { OutputFile } from "../market-files/output-file.ts";
import type { Extractor, ListedSymbol, TimeRange } from "./extractor.ts";
import { type BookChange, BookFollower, type StandingOrder } from "./follow-book.ts";

const NOT_BEGUN = -1;
const { newOrder, execution, deletion } = LOBSTER_TYPE;
const TYPE_OF = { add: newOrder, refresh: newOrder, standing: newOrder, fill: execution, remove: deletion };

export interface LobsterOptions extends TimeRange {
  /** Levels of the orderbook file. */
  readonly levels: number;
}

export class LobsterRows implements Extractor {
  readonly #symbolId: number;
  readonly #meta: Omit<LobsterMeta, "epochDay">;
  readonly #fromMs: number;
  readonly #create: (name: string) => OutputFile;
  readonly #follower: BookFollower;
  /** As the messages of the day have made it. */
  #book: VisibleBook;
  #day: LobsterDay | undefined;
  #epochDay = NOT_BEGUN;
  #timeMs = 0;
  #isTrading: boolean;
  rows = 0;

  /** `create` makes a file of this name. */
  constructor({ market }: ListedSymbol, { fromMs, levels }: LobsterOptions, create: (name: string) => OutputFile) {
    this.#symbolId = market.symbolId;
    const { priceDecimals: priceScale, quantityDecimals: sizeScale } = market.scale;
    this.#meta = { venue: "pricetime", symbol: market.spec.symbol, priceScale, sizeScale, levels };
    this.#fromMs = fromMs;
    this.#create = create;
    this.#isTrading = isTrading(market);
    this.#book = new VisibleBook(levels);
    this.#follower = new BookFollower(market.symbolId, (change) => this.#change(change));
  }

  take({ timeMs }: Entry, events: readonly Event[], engine: EngineView): void {
    this.#beginDay(timeMs);
    this.#timeMs = timeMs;
    this.#follower.take(events);
    const isListing = events.some((event) => event.type === "symbolChanged" && event.symbolId === this.#symbolId);
    if (isListing) this.#tellStatus(isTrading(engine.market(this.#symbolId)));
  }

  end(): void {}

  /** The first file begins with the range, those after it at midnight; with what stands then. */
  #beginDay(timeMs: number): void {
    const epochDay = Math.floor(timeMs / DAY_MS);
    if (timeMs < this.#fromMs || epochDay === this.#epochDay) return;
    this.#epochDay = epochDay;
    this.#day = undefined;
    this.#timeMs = Math.max(this.#fromMs, epochDay * DAY_MS);
    this.#book = new VisibleBook(this.#meta.levels);
    for (const side of ["SELL", "BUY"] as const) {
      for (const order of this.#follower.standing(side)) this.#tell(LOBSTER_TYPE.newOrder, order, order.shownLots);
    }
  }

  #change({ kind, order, lots }: BookChange): void {
    this.#tell(TYPE_OF[kind], order, lots);
  }

  #tellStatus(isTradingNow: boolean): void {
    if (isTradingNow === this.#isTrading) return;
    this.#isTrading = isTradingNow;
    const price = isTradingNow ? LOBSTER_HALT.trading : LOBSTER_HALT.halted;
    this.#write({ type: LOBSTER_TYPE.halt, orderId: 0, size: 0, price, direction: -1 });
  }

  #tell(type: number, { orderId, priceTicks: price, side }: StandingOrder, size: number): void {
    this.#write({ type, orderId, size, price, direction: side === "BUY" ? 1 : -1 });
  }

  #write(message: Omit<LobsterRow, "timeNs">): void {
    const epochDay = this.#epochDay;
    if (epochDay === NOT_BEGUN) return;
    const row = { ...message, timeNs: (this.#timeMs - epochDay * DAY_MS) * NS_A_MS };
    applyMessage(this.#book, row);
    this.#day ??= new LobsterDay({ ...this.#meta, epochDay }, this.#create);
    this.#day.add(row, this.#book);
    this.rows++;
  }
}

function isTrading({ spec }: MarketView): boolean {
  return spec.status === "TRADING";
}
