/**
 * The replay's own quotes, and the orders of bots under test. A recording of trades does not contain the quotes between
 * them, so the band of quotes around the last price is an assumption, with parameters.
 */
import {
  type EngineView,
  type Event,
  isClosed,
  lossesOf,
  openLotsOf,
  type OrderRecord,
  priceInEffect,
  type Side,
  type Trade,
} from "@pricetime/engine";
import type { OrderSender } from "./replay-orders.ts";

/** The settings of a band, in the engine's ticks and lots. */
export interface BandSettings {
  /** The number of quotes per side; 0 for none. */
  readonly levels: number;
  readonly spacingTicks: number;
  readonly lots: number;
  /** The smallest distance between two prices, which is the spread between bid and ask. */
  readonly tick: number;
}

export interface BandQuote {
  readonly id: string;
  readonly ticks: number;
  lots: number;
}

export const JOB_OF = { BUY: "bids", SELL: "asks" } as const;
/** The direction in which a price of the side becomes better. */
const BETTER = { BUY: 1, SELL: -1 } as const;

export class Band {
  readonly settings: BandSettings;
  readonly #sender: OrderSender;
  /** The quotes of each side, the best first. */
  readonly #quotes: Readonly<Record<Side, BandQuote[]>> = { BUY: [], SELL: [] };

  constructor(sender: OrderSender, settings: BandSettings) {
    this.#sender = sender;
    this.settings = settings;
  }

  /** Takes over the quotes in the book after a restore. */
  takeUp(view: Pick<EngineView, "visitOpenOrders">, symbolId: number, accounts: Readonly<Record<Side, number>>): void {
    for (const side of ["BUY", "SELL"] as const) {
      const quotes: (BandQuote & { readonly orderId: number })[] = [];
      view.visitOpenOrders(accounts[side], symbolId, (order) => {
        const { orderId, clientOrderId: id, priceTicks: ticks } = order;
        quotes.push({ orderId, id, ticks, lots: openLotsOf(order) });
      });
      quotes.sort((a, b) => BETTER[side] * (b.ticks - a.ticks) || a.orderId - b.orderId);
      this.#quotes[side].splice(0, Number.POSITIVE_INFINITY, ...quotes);
    }
  }

  best(side: Side): BandQuote | undefined {
    return this.#quotes[side][0];
  }

  lotsAt(side: Side, ticks: number): number {
    return this.#quotes[side].reduce((sum, quote) => (quote.ticks === ticks ? sum + quote.lots : sum), 0);
  }

  /** Records that another trader filled part of a quote. */
  taken(side: Side, id: string, lots: number): void {
    const quotes = this.#quotes[side];
    const quote = quotes.find((one) => one.id === id);
    if (quote === undefined) return;
    quote.lots -= lots;
    if (quote.lots <= 0) quotes.splice(quotes.indexOf(quote), 1);
  }

  /** Cancels the quotes at this price or better, except at prices for which `stays` is true. */
  clear(side: Side, limitTicks: number, stays: (ticks: number) => boolean = () => false): void {
    const quotes = this.#quotes[side];
    for (const quote of [...quotes]) {
      if (BETTER[side] * (quote.ticks - limitTicks) < 0) break;
      if (stays(quote.ticks)) continue;
      this.#sender.cancel(JOB_OF[side], quote.id);
      quotes.splice(quotes.indexOf(quote), 1);
    }
  }

  /** Places the best quote of a side, with `more` lots that will be taken immediately. */
  stepForward(side: Side, ticks: number, more = 0): void {
    const { lots } = this.settings;
    const id = this.#sender.place(JOB_OF[side], { side, ticks, lots: lots + more });
    this.#quotes[side].unshift({ id, ticks, lots });
  }

  /**
   * Moves the best quote of a side to `topTicks`. The other quotes are placed behind it: all of them in the first call,
   * at most one in each later call.
   */
  rest(side: Side, topTicks: number): void {
    const { levels, spacingTicks, lots } = this.settings;
    const quotes = this.#quotes[side];
    if (levels === 0 || topTicks <= 0) return;
    const isFirst = quotes.length === 0;
    if (quotes[0]?.ticks !== topTicks) {
      this.clear(side, topTicks + BETTER[side]);
      this.stepForward(side, topTicks);
    }
    if (quotes.length > levels) {
      const worst = quotes.pop() as BandQuote;
      this.#sender.cancel(JOB_OF[side], worst.id);
    }
    const most = isFirst ? levels : Math.min(levels, quotes.length + 1);
    while (quotes.length < most) {
      const ticks = (quotes.at(-1) as BandQuote).ticks - BETTER[side] * spacingTicks;
      if (ticks <= 0) break;
      quotes.push({ id: this.#sender.place(JOB_OF[side], { side, ticks, lots }), ticks, lots });
    }
  }
}

// Orders of other traders on a replayed symbol: those of the bots under test.

export interface ForeignOrder {
  readonly orderId: number;
  readonly side: Side;
  /** The price; 0 while the order waits for its stop price, or has no price. */
  readonly ticks: number;
  lots: number;
}

export class ForeignOrders {
  readonly #symbolId: number;
  readonly #own: ReadonlySet<number>;
  readonly #open = new Map<number, ForeignOrder>();

  constructor(view: EngineView, symbolId: number, own: ReadonlySet<number>) {
    this.#symbolId = symbolId;
    this.#own = own;
    for (const { accountId } of view.accounts()) {
      if (!own.has(accountId)) view.visitOpenOrders(accountId, symbolId, (order) => this.#put(order));
    }
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  isOwn(accountId: number): boolean {
    return this.#own.has(accountId);
  }

  /** Returns other traders' orders on a side at this price or better, in the order in which they are filled. */
  within(side: Side, limitTicks: number): ForeignOrder[] {
    const sign = side === "SELL" ? 1 : -1;
    return [...this.#open.values()]
      .filter((order) => order.side === side && order.ticks > 0 && sign * (order.ticks - limitTicks) <= 0)
      .sort((a, b) => sign * (a.ticks - b.ticks) || a.orderId - b.orderId);
  }

  /** Updates the orders from events. Calls `onOwnTaken` when another trader has filled one of the replay's orders. */
  applied(events: readonly Event[], onOwnTaken: (trade: Trade) => void): void {
    for (const event of events) {
      if (event.type === "orderOpened" || event.type === "orderReleased" || event.type === "orderAmended") {
        this.#opened(event.order);
      } else if (event.type === "orderEnded") {
        if (event.order.symbolId === this.#symbolId) this.#open.delete(event.order.orderId);
      } else if (event.type === "trade" && event.symbolId === this.#symbolId) this.#traded(event, onOwnTaken);
      else if (event.type === "tradePrevented" && event.symbolId === this.#symbolId) {
        for (const { order } of lossesOf(event)) this.#changed(order);
      }
    }
  }

  #opened(order: OrderRecord): void {
    if (order.symbolId === this.#symbolId && !this.#own.has(order.accountId)) this.#put(order);
  }

  #traded(trade: Trade, onOwnTaken: (trade: Trade) => void): void {
    for (const { order } of [trade.maker, trade.taker]) {
      this.#changed(order);
    }
    if (this.#own.has(trade.maker.order.accountId)) onOwnTaken(trade);
  }

  #changed(order: OrderRecord): void {
    if (this.#own.has(order.accountId)) return;
    if (isClosed(order.status)) this.#open.delete(order.orderId);
    else this.#put(order);
  }

  #put(order: OrderRecord): void {
    const { orderId, side, isWorking } = order;
    const ticks = isWorking ? priceInEffect(order) : 0;
    this.#open.set(orderId, { orderId, side, ticks, lots: openLotsOf(order) });
  }
}
