/** One account's orders on one symbol: open ones, and actions. A plain refusal is reported and lived with. */
import { toScale } from "@pricetime/engine";
import { type BotClient, Refused } from "./client.ts";
import { type Grid, priceText, priceTicks, quantityText } from "./grid.ts";
import type { OpenQuote, Quote, Side, TakerOrder } from "./orders.ts";

interface OpenOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
}

/** Reports an action in words: the same seed on the same market gives the same story. */
export type Tell = (decision: string) => void;

const ORDER = "/api/v3/order";

export class Desk {
  readonly #client: BotClient;
  readonly #symbol: string;
  readonly #grid: Grid;
  readonly #tell: Tell;

  constructor(client: BotClient, symbol: string, grid: Grid, tell: Tell) {
    this.#client = client;
    this.#symbol = symbol;
    this.#grid = grid;
    this.#tell = tell;
  }

  /** Returns the last price; 0 when there was no trade yet. */
  async lastPrice(): Promise<number> {
    const latest = { symbol: this.#symbol, limit: 1 };
    const trades = await this.#client.public<{ price: string }[]>("/api/v3/trades", latest);
    return Number(trades[0]?.price ?? 0);
  }

  /** Returns the open orders with their remaining quantities. */
  async open(): Promise<OpenQuote[]> {
    const orders = await this.#client.signed<OpenOrder[]>("GET", "/api/v3/openOrders", { symbol: this.#symbol });
    const lotsOf = (quantity: string): number => toScale(quantity, this.#grid.quantityDecimals);
    return orders.map(({ orderId, side, price, origQty, executedQty }) => ({
      ...{ orderId, side, ticks: priceTicks(this.#grid, price) },
      lots: lotsOf(origQty) - lotsOf(executedQty),
    }));
  }

  cancel(orderId: number): Promise<void> {
    this.#tell(`cancel ${this.#symbol} ${orderId}`);
    return this.#send("DELETE", { orderId });
  }

  quote(side: Side, { ticks, lots }: Quote): Promise<void> {
    const price = priceText(this.#grid, ticks);
    const quantity = quantityText(this.#grid, lots);
    this.#tell(`quote ${this.#symbol} ${side} ${quantity} at ${price}`);
    return this.#send("POST", { side, type: "LIMIT", timeInForce: "GTC", quantity, price });
  }

  take({ side, lots, limitTicks }: TakerOrder): Promise<void> {
    const quantity = quantityText(this.#grid, lots);
    const price = priceText(this.#grid, limitTicks);
    const terms = limitTicks === 0 ? { type: "MARKET" } : { type: "LIMIT", timeInForce: "IOC", price };
    this.#tell(`take ${this.#symbol} ${side} ${quantity}${limitTicks === 0 ? "" : ` to ${price}`}`);
    return this.#send("POST", { side, ...terms, quantity });
  }

  async #send(method: string, parameters: Readonly<Record<string, string | number>>): Promise<void> {
    try {
      await this.#client.signed(method, ORDER, { symbol: this.#symbol, ...parameters });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(`refused ${error.message}`);
    }
  }
}
