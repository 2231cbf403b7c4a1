/** The bots of one symbol: they look, decide and act, one step at a time. */
import type { DemoMarket } from "../listing.ts";
import type { AssetValues } from "./asset-values.ts";
import { type BotClient, Refused } from "./client.ts";
import { type Grid, priceText, priceTicks, quantityText } from "./grid.ts";
import { type OpenQuote, planQuotes, type Quote } from "./maker.ts";
import { Random } from "./random.ts";
import { planTake, type TakerOrder } from "./taker.ts";

export interface SymbolClients {
  readonly bids: BotClient;
  readonly asks: BotClient;
  readonly taker: BotClient;
}

interface OpenOrder {
  readonly orderId: number;
  readonly price: string;
}

/** What was done, in words: the same seed on the same market tells the same story. */
export type Tell = (decision: string) => void;

const ORDER = "/api/v3/order";

export class SymbolBots {
  readonly #market: DemoMarket;
  readonly #grid: Grid;
  readonly #clients: SymbolClients;
  readonly #values: AssetValues;
  readonly #random: Random;
  readonly #tell: Tell;
  #hasTraded = false;

  constructor(
    market: DemoMarket,
    grid: Grid,
    clients: SymbolClients,
    values: AssetValues,
    { seed, tell }: { readonly seed: number; readonly tell: Tell },
  ) {
    this.#market = market;
    this.#grid = grid;
    this.#clients = clients;
    this.#values = values;
    this.#random = new Random(seed, market.spec.symbol);
    this.#tell = tell;
  }

  /** The last price, 0 when there was no trade yet. */
  async lastPrice(): Promise<number> {
    const trades = await this.#clients.taker.public<{ price: string }[]>("/api/v3/trades", {
      symbol: this.#market.spec.symbol,
      limit: 1,
    });
    const price = Number(trades[0]?.price ?? 0);
    this.#hasTraded = price > 0;
    return price;
  }

  /** One round: both makers mend their quotes, then perhaps a trade. What is refused is tried again next time. */
  async step(): Promise<void> {
    const { baseAsset, quoteAsset } = this.#market.spec;
    const midPrice = this.#values.price(baseAsset, quoteAsset);
    const [openBids, openAsks] = await Promise.all([this.#open(this.#clients.bids), this.#open(this.#clients.asks)]);
    const bids = this.#plan("BUY", midPrice, openBids);
    const asks = this.#plan("SELL", midPrice, openAsks);
    // Both sides step back before either steps forward: the makers do not trade with each other.
    await Promise.all([
      ...bids.cancel.map((orderId) => this.#cancel(this.#clients.bids, orderId)),
      ...asks.cancel.map((orderId) => this.#cancel(this.#clients.asks, orderId)),
    ]);
    await Promise.all([
      ...bids.place.map((quote) => this.#quote(this.#clients.bids, "BUY", quote)),
      ...asks.place.map((quote) => this.#quote(this.#clients.asks, "SELL", quote)),
    ]);
    const view = { grid: this.#grid, midPrice, levelNotional: this.#market.levelNotional };
    const order = planTake({ ...view, isFirstTrade: !this.#hasTraded }, this.#random);
    if (order !== null) await this.#take(order);
  }

  #plan(side: "BUY" | "SELL", midPrice: number, open: readonly OpenQuote[]): ReturnType<typeof planQuotes> {
    const { levelNotional } = this.#market;
    return planQuotes({ grid: this.#grid, side, midPrice, levelNotional, open }, this.#random);
  }

  async #open(client: BotClient): Promise<OpenQuote[]> {
    const { symbol } = this.#market.spec;
    const orders = await client.signed<OpenOrder[]>("GET", "/api/v3/openOrders", { symbol });
    return orders.map(({ orderId, price }) => ({ orderId, ticks: priceTicks(this.#grid, price) }));
  }

  #cancel(client: BotClient, orderId: number): Promise<void> {
    this.#tell(`cancel ${this.#market.spec.symbol} ${orderId}`);
    return this.#send(client, "DELETE", { orderId });
  }

  #quote(client: BotClient, side: "BUY" | "SELL", { ticks, lots }: Quote): Promise<void> {
    const price = priceText(this.#grid, ticks);
    const quantity = quantityText(this.#grid, lots);
    this.#tell(`quote ${this.#market.spec.symbol} ${side} ${quantity} at ${price}`);
    return this.#send(client, "POST", { side, type: "LIMIT", timeInForce: "GTC", quantity, price });
  }

  async #take({ side, lots, limitTicks }: TakerOrder): Promise<void> {
    const quantity = quantityText(this.#grid, lots);
    const price = priceText(this.#grid, limitTicks);
    const terms = limitTicks === 0 ? { type: "MARKET" } : { type: "LIMIT", timeInForce: "IOC", price };
    this.#tell(`take ${this.#market.spec.symbol} ${side} ${quantity}${limitTicks === 0 ? "" : ` to ${price}`}`);
    await this.#send(this.#clients.taker, "POST", { side, ...terms, quantity });
    this.#hasTraded = true;
  }

  async #send(client: BotClient, method: string, parameters: Readonly<Record<string, string | number>>): Promise<void> {
    try {
      await client.signed(method, ORDER, { symbol: this.#market.spec.symbol, ...parameters });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(`refused ${error.message}`);
    }
  }
}
