/**
 * What stands in the book between recorded trades: quotes around the last price, on either side. A recording of trades
 * does not tell what stood there, so it is an assumption, with parameters.
 */
import type { EngineView, Side } from "@pricetime/engine";
import type { Desk } from "./desk.ts";

/** In the engine's ticks and lots. */
export interface BandSettings {
  /** Quotes of a side; 0: nothing stands there. */
  readonly levels: number;
  readonly spacingTicks: number;
  readonly lots: number;
  /** The least distance of two prices: what is between bid and ask. */
  readonly tick: number;
}

export interface BandQuote {
  readonly id: string;
  readonly ticks: number;
  lots: number;
}

export const JOB_OF = { BUY: "bids", SELL: "asks" } as const;
/** What makes a price of the side better when it is added. */
const BETTER = { BUY: 1, SELL: -1 } as const;

export class Band {
  readonly settings: BandSettings;
  readonly #desk: Desk;
  /** The best first. */
  readonly #quotes: Readonly<Record<Side, BandQuote[]>> = { BUY: [], SELL: [] };

  constructor(desk: Desk, settings: BandSettings) {
    this.#desk = desk;
    this.settings = settings;
  }

  /** Goes on with the quotes that stand there. */
  takeUp(view: Pick<EngineView, "visitOpenOrders">, symbolId: number, accounts: Readonly<Record<Side, number>>): void {
    for (const side of ["BUY", "SELL"] as const) {
      const quotes: (BandQuote & { readonly orderId: number })[] = [];
      view.visitOpenOrders(accounts[side], symbolId, (order) => {
        const { orderId, clientOrderId: id, priceTicks: ticks, quantityLots, executedLots } = order;
        quotes.push({ orderId, id, ticks, lots: quantityLots - executedLots });
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

  /** Somebody has taken from a quote. */
  taken(side: Side, id: string, lots: number): void {
    const quotes = this.#quotes[side];
    const quote = quotes.find((one) => one.id === id);
    if (quote === undefined) return;
    quote.lots -= lots;
    if (quote.lots <= 0) quotes.splice(quotes.indexOf(quote), 1);
  }

  /** Takes back what stands at this price or a better one, but for the prices that may stay. */
  clear(side: Side, limitTicks: number, stays: (ticks: number) => boolean = () => false): void {
    const quotes = this.#quotes[side];
    for (const quote of [...quotes]) {
      if (BETTER[side] * (quote.ticks - limitTicks) < 0) break;
      if (stays(quote.ticks)) continue;
      this.#desk.cancel(JOB_OF[side], quote.id);
      quotes.splice(quotes.indexOf(quote), 1);
    }
  }

  /** Places the best quote of a side: `more` lots are there to be taken at once. */
  stepForward(side: Side, ticks: number, more = 0): void {
    const { lots } = this.settings;
    const id = this.#desk.place(JOB_OF[side], { side, ticks, lots: lots + more });
    this.#quotes[side].unshift({ id, ticks, lots });
  }

  /** The best quote of the side stands at `topTicks`, or is moved there; further ones follow one by one. */
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
      this.#desk.cancel(JOB_OF[side], worst.id);
    }
    const most = isFirst ? levels : Math.min(levels, quotes.length + 1);
    while (quotes.length < most) {
      const ticks = (quotes.at(-1) as BandQuote).ticks - BETTER[side] * spacingTicks;
      if (ticks <= 0) break;
      quotes.push({ id: this.#desk.place(JOB_OF[side], { side, ticks, lots }), ticks, lots });
    }
  }
}
