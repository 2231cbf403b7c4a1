/**
 * A book of at least 1,000 levels on each side of the demo's busiest market; some levels change ten times a second.
 * Its orders surround those of the demo's bots and follow the price.
 */
import assert from "node:assert/strict";
import { type Answer, Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { type Exchange, openAccount } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";

export const SYMBOL = "BTCUSDT";
/** Price levels on each side. */
const LEVELS = 1000;
/** A demo market accepts 200 orders per account. */
const ACCOUNTS = 12;
const TURN_MS = 100;
/** The levels changed in a turn, of both sides: half of them near the touch. */
const CHANGES = 20;
const NEAR_LEVELS = 30;
/** The limit while the book is filled, or the price moves far. */
const MOST_CHANGES = 60;
/** Levels are a tenth of a dollar apart and start two dollars from the middle: the bots' own levels are nearer. */
const CELLS_A_DOLLAR = 10;
const FIRST_CELL = 20;
/** Requests wait on a busy machine. */
const LATE_MS = 60_000;
const GRANTS = { BTC: "1000", USDT: "100000000" };

interface Reply {
  readonly orderId?: number;
  readonly newOrderResponse?: { readonly orderId?: number } | null;
  readonly data?: { readonly newOrderResponse?: { readonly orderId?: number } | null };
}

/** One level: it stays for the whole run, at a price that follows the market. */
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

  /** Opens the accounts and waits until the book is full. It changes from then on until it is closed. */
  static async open(exchange: Exchange): Promise<FullBook> {
    const clients: Client[] = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      clients.push(new Client(exchange.rest, await openAccount(exchange, `levels${n}@example.org`, GRANTS), 2));
    }
    const book = new FullBook(exchange, clients);
    book.#timer = setInterval(() => {
      // A failure is reported when the load is checked.
      void book.#turn().catch((error: unknown) => (book.#failure = String(error)));
    }, TURN_MS);
    await until(
      () => `${book.#standing} of ${book.#slots.length} levels ${book.#failure}`,
      () => book.#standing === book.#slots.length,
      { everyMs: 100 },
    );
    return book;
  }

  /** Book updates, and the levels in them, that a subscriber has received since the start. Fails if an order failed. */
  get told(): { readonly events: number; readonly levels: number } {
    assert.equal(this.#failure, "");
    return { events: this.#events, levels: this.#levels };
  }

  /**
   * Fails unless the node's book is full, or becomes so soon: after a price jump, some levels are still being moved.
   * Returns the smaller number of levels of the two sides.
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

  /** A turn that becomes due while the previous one is running is skipped. */
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

  /** Each level has one cell in the window on its side, and keeps it until the window has moved past it. */
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
    // An order that was filled in the meantime cannot be canceled: the new one is placed in any case.
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

/** The new order's ID. */
function placed({ json, text }: Answer<Reply>): number {
  const orderId = json.orderId ?? json.newOrderResponse?.orderId ?? json.data?.newOrderResponse?.orderId;
  assert.ok(orderId !== undefined, text);
  return orderId;
}
