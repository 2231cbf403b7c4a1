/** The bots of one symbol: they look, decide and act, one step at a time. */
import type { DemoMarket } from "../markets.ts";
import type { AssetValues } from "./asset-values.ts";
import type { BotClient } from "./client.ts";
import { DepthMaker } from "./depth-maker.ts";
import { Desk, type OpenQuote, type Side, type Tell } from "./desk.ts";
import type { Grid } from "./grid.ts";
import { type MakerPlan, planQuotes } from "./maker.ts";
import { Random } from "./random.ts";
import { planTake } from "./taker.ts";

export interface SymbolClients {
  readonly bids: BotClient;
  readonly asks: BotClient;
  readonly depth: BotClient;
  readonly taker: BotClient;
}

export class SymbolBots {
  readonly #market: DemoMarket;
  readonly #grid: Grid;
  readonly #bids: Desk;
  readonly #asks: Desk;
  readonly #taker: Desk;
  readonly #depth: DepthMaker;
  readonly #values: AssetValues;
  readonly #random: Random;
  #hasTraded = false;
  #steps = 0;

  constructor(
    market: DemoMarket,
    grid: Grid,
    clients: SymbolClients,
    values: AssetValues,
    { seed, tell }: { readonly seed: number; readonly tell: Tell },
  ) {
    const { symbol } = market.spec;
    const desk = (client: BotClient): Desk => new Desk(client, symbol, grid, tell);
    this.#market = market;
    this.#grid = grid;
    this.#bids = desk(clients.bids);
    this.#asks = desk(clients.asks);
    this.#taker = desk(clients.taker);
    this.#depth = new DepthMaker(desk(clients.depth), grid, seed, symbol);
    this.#values = values;
    this.#random = new Random(seed, symbol);
  }

  /** The last price, 0 when there was no trade yet. */
  async lastPrice(): Promise<number> {
    const price = await this.#taker.lastPrice();
    this.#hasTraded = price > 0;
    return price;
  }

  /** One round: the makers mend their quotes, then perhaps a trade. What is refused is tried again next time. */
  async step(): Promise<void> {
    if (this.#market.isQuiet && this.#steps++ % 2 === 1) return;
    const { baseAsset, quoteAsset } = this.#market.spec;
    const midPrice = this.#values.price(baseAsset, quoteAsset);
    const [openBids, openAsks] = await Promise.all([this.#bids.open(), this.#asks.open()]);
    const bids = this.#plan("BUY", midPrice, openBids);
    const asks = this.#plan("SELL", midPrice, openAsks);
    const wasEaten = openBids.length === 0 || openAsks.length === 0;
    const far = await this.#depth.plan(midPrice, this.#values.price(baseAsset, "USDT"), wasEaten);
    // All step back before anybody steps forward: the makers do not trade with each other.
    await Promise.all([
      ...bids.cancel.map((orderId) => this.#bids.cancel(orderId)),
      ...asks.cancel.map((orderId) => this.#asks.cancel(orderId)),
      this.#depth.stepBack(far),
    ]);
    await Promise.all([
      ...bids.place.map((quote) => this.#bids.quote("BUY", quote)),
      ...asks.place.map((quote) => this.#asks.quote("SELL", quote)),
      this.#depth.stepForward(far),
    ]);
    await this.#take(midPrice);
  }

  #plan(side: Side, midPrice: number, open: readonly OpenQuote[]): MakerPlan {
    const { levelNotional } = this.#market;
    return planQuotes({ grid: this.#grid, side, midPrice, levelNotional, open }, this.#random);
  }

  async #take(midPrice: number): Promise<void> {
    const { levelNotional } = this.#market;
    const view = { grid: this.#grid, midPrice, levelNotional, isFirstTrade: !this.#hasTraded };
    const order = planTake(view, this.#random);
    if (order === null) return;
    await this.#taker.take(order);
    this.#hasTraded = true;
  }
}
