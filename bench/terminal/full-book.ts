/**
 * A book of 1,000 levels and more on each side of the demo's liveliest market, of which some change ten times a second.
 * Its orders stand around those of the demo's bots and follow the price, so that both are there at once.
 */
import assert from "node:assert/strict";
import { type Answer, Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { type Exchange, openAccount } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";

export const SYMBOL = "BTCUSDT";
/** Price levels on each side. */
const LEVELS = 1000;
/** A market of the demo takes 200 orders of an account. */
const ACCOUNTS = 12;
const TURN_MS = 100;
/** Levels that are changed in a turn, of both sides: half of them where a reader looks. */
const CHANGES = 20;
const NEAR_LEVELS = 30;
/** While the book is filled, or the price runs away. */
const MOST_CHANGES = 60;
/** Levels stand a tenth of a dollar apart, the first two dollars from the middle: nearer to it stand the bots' own. */
const CELLS_A_DOLLAR = 10;
const FIRST_CELL = 20;
/** On a busy machine requests wait. */
const LATE_MS = 60_000;
const GRANTS = { BTC: "1000", USDT: "100000000" };

interface Reply {
  readonly orderId?: number;
  readonly newOrderResponse?: { readonly orderId?: number } | null;
  readonly data?: { readonly newOrderResponse?: { readonly orderId?: number } | null };
}

/** One level: the same for as long as the load runs, at a price that follows the market. */
interface Slot {
  readonly side: "BUY" | "SELL";
  readonly place: number;
  readonly client: Client;
  orderId: number | null;
  cell: number;
  isBusy: boolean;
}

export class FullBook {
  readonly #clients: readonly Client[];
  readonly #public: Client;
  readonly #slots: readonly Slot[];
  readonly #stream: WebSocket;
  readonly #dice = new Dice(1);
  #timer: ReturnType<typeof setInterval> | undefined;
  #isTurning = false;
  #middleCell = 0;
  #events = 0;
  #levels = 0;
  #failure = "";

  private constructor(exchange: Exchange, clients: readonly Client[]) {
    this.#clients = clients;
    this.#public = new Client(exchange.rest);
    this.#slots = (["BUY", "SELL"] as const).flatMap((side) =>
      Array.from({ length: LEVELS }, (_, place) => {
        const client = clients[place % clients.length] as Client;
        return { side, place, client, orderId: null, cell: 0, isBusy: false };
      }),
    );
    this.#stream = new WebSocket(`${exchange.ws}/ws/${SYMBOL.toLowerCase()}@depth@100ms`);
    this.#stream.addEventListener("message", ({ data }) => {
      const { b, a } = JSON.parse(String(data)) as { readonly b: readonly unknown[]; readonly a: readonly unknown[] };
      this.#events++;
      this.#levels += b.length + a.length;
    });
  }

  /** Opens the accounts, and waits until the book is full. It changes from now on until it is closed. */
  static async open(exchange: Exchange): Promise<FullBook> {
    const clients: Client[] = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      clients.push(new Client(exchange.rest, await openAccount(exchange, `levels${n}@example.org`, GRANTS), 2));
    }
    const book = new FullBook(exchange, clients);
    book.#timer = setInterval(() => {
      // What failed is told when the load is looked at.
      void book.#turn().catch((error: unknown) => (book.#failure = String(error)));
    }, TURN_MS);
    await until(
      () => `${book.#standing} of ${book.#slots.length} levels ${book.#failure}`,
      () => book.#standing === book.#slots.length,
      { everyMs: 100 },
    );
    return book;
  }

  /** Updates of the book, and levels in them, as a subscriber has had them since the start. Fails if an order did. */
  get told(): { readonly events: number; readonly levels: number } {
    assert.equal(this.#failure, "");
    return { events: this.#events, levels: this.#levels };
  }

  /**
   * Fails unless the node's book is full, at once or soon: when the price has leapt, some levels are on their way after
   * it. Gives the fewer levels of a side.
   */
  checkFull(): Promise<number> {
    const fewest = async (): Promise<number> => {
      const { json } = await this.#public.public<{ bids: readonly unknown[]; asks: readonly unknown[] }>(
        "/api/v3/depth",
        { symbol: SYMBOL, limit: 5000 },
      );
      return Math.min(json.bids.length, json.asks.length);
    };
    return untilAnswer("levels of a full side", fewest, (levels) => levels >= LEVELS, {
      withinMs: 5_000,
      everyMs: 100,
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stream.close();
    for (const client of [...this.#clients, this.#public]) client.close();
  }

  get #standing(): number {
    return this.#slots.filter(({ orderId }) => orderId !== null).length;
  }

  /** A turn whose time comes while the one before is not done is left out. */
  async #turn(): Promise<void> {
    if (this.#isTurning) return;
    this.#isTurning = true;
    await this.#change();
    this.#isTurning = false;
  }

  async #change(): Promise<void> {
    const { json } = await this.#public.public<{ bidPrice: string; askPrice: string }>("/api/v3/ticker/bookTicker", {
      symbol: SYMBOL,
    });
    this.#middleCell = Math.round(((Number(json.bidPrice) + Number(json.askPrice)) / 2) * CELLS_A_DOLLAR);
    const idle = this.#slots.filter(({ isBusy }) => !isBusy);
    const strayed = idle.filter((slot) => slot.orderId === null || slot.cell !== this.#cellOf(slot));
    const near = idle.filter((slot) => Math.abs(slot.cell - this.#middleCell) < FIRST_CELL + NEAR_LEVELS);
    const chosen = new Set(strayed.slice(0, MOST_CHANGES));
    for (let n = 0; chosen.size < CHANGES && n < CHANGES; n++) {
      const from = n % 2 === 0 ? near : idle;
      const slot = from[this.#dice.below(from.length)];
      if (slot !== undefined) chosen.add(slot);
    }
    await Promise.all([...chosen].map((slot) => this.#put(slot)));
  }

  /** Each level has one cell in the window at its side, and keeps it until the window has moved past it. */
  #cellOf({ side, place }: Slot): number {
    const first = side === "BUY" ? this.#middleCell - FIRST_CELL - LEVELS + 1 : this.#middleCell + FIRST_CELL;
    return first + ((((place - first) % LEVELS) + LEVELS) % LEVELS);
  }

  async #put(slot: Slot): Promise<void> {
    const { side, client, orderId } = slot;
    slot.isBusy = true;
    const cell = this.#cellOf(slot);
    const price = `${Math.floor(cell / CELLS_A_DOLLAR)}.${cell % CELLS_A_DOLLAR}0`;
    const quantity = (0.001 + this.#dice.below(9000) / 1_000_000).toFixed(6);
    const order = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", price, quantity, recvWindow: LATE_MS };
    // What was taken meanwhile cannot be cancelled: the new order is placed all the same.
    const answer =
      orderId === null
        ? await client.signed<Reply>("POST", "/api/v3/order", order)
        : await client.signed<Reply>("POST", "/api/v3/order/cancelReplace", {
            ...{ ...order, cancelReplaceMode: "ALLOW_FAILURE", cancelOrderId: orderId },
          });
    slot.orderId = placed(answer);
    slot.cell = cell;
    slot.isBusy = false;
  }
}

/** The new order's id. */
function placed({ json, text }: Answer<Reply>): number {
  const orderId = json.orderId ?? json.newOrderResponse?.orderId ?? json.data?.newOrderResponse?.orderId;
  assert.ok(orderId !== undefined, text);
  return orderId;
}
