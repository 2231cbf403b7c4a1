/** A market without bots under a manual clock, on which recordings are replayed, and others trade. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Event, Side, SymbolFilters } from "@pricetime/engine";
import { deposit, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { LabMarket } from "@pricetime/testkit/lab-market";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { Rejection } from "../../../src/people/http/answer.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";
import { callRoute } from "../call-route.ts";
import { SavedParts } from "../../../src/platform/world/saved-state.ts";
import { asInFile } from "../../platform/world/goes-on.ts";
import { replayRoutes, Replays } from "../../../src/lab/replay/replays.ts";

const SYMBOL = "BTCUSDT";
/** The clock's first instant. */
export const START_MS = Date.parse("2026-01-14T12:00:00Z");

/** A trade as a public stream reports it, whether both sides were the replay's, and the maker's client order id. */
export interface Printed {
  readonly timeMs: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerSide: Side;
  readonly isRecorded: boolean;
  readonly maker: string;
}

export interface ReplayBody {
  readonly id: number;
  readonly symbol: string;
  readonly layout: string;
  readonly isAssumed: boolean;
  readonly state: string;
  readonly atMs: number | null;
  readonly fileMs: number | null;
  readonly rows: number;
  readonly trades: number;
  readonly skipped: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly checkedBytes?: number;
  readonly doubts: readonly string[];
  readonly book?: Readonly<Record<"rows" | "equalRows" | "came" | "vanished", number>>;
  readonly error?: string;
}

type Answer<T> = Promise<T>;

export class ReplayVenue {
  readonly market: LabMarket;
  readonly replays: Replays;
  readonly trades: Printed[] = [];
  readonly stoodInFor = new Map<string, string>();
  readonly folder: string;
  readonly sendQueue = new SendQueue();
  readonly #saved = new SavedParts();
  #bot = -1;
  #orders = 0;

  private constructor(t: TestContext, journalWaits: boolean) {
    this.folder = scratchFolder(t);
    this.market = new LabMarket({
      symbols: [],
      journalWaits,
      startMs: START_MS - 60_000,
      onApplied: (entry, events) => {
        this.#print(events);
        this.replays.applied(entry, events);
        this.sendQueue.applied(entry, events);
      },
    });
    const { nowMs, after, during, isQuiet } = this.market.clock;
    this.replays = new Replays({
      world: { nowMs, after, during, isQuiet, isManual: () => this.market.clock.isManual, saved: this.#saved },
      standIn: (symbol, driver) => {
        if (driver === null) this.stoodInFor.delete(symbol);
        else this.stoodInFor.set(symbol, driver);
      },
      onBug: (error) => void this.market.errors.push(error),
    });
  }

  /** The replays continue from their saved state. */
  restore(): void {
    this.#saved.begin(asInFile(this.#saved.save()));
    this.#saved.finish();
    this.replays.start({ view: this.market.engine, sequencer: this.market.sequencer, sendQueue: this.sendQueue });
  }

  /** `journalWaits`: nothing can be replayed within a turn of the event loop. */
  static async open(t: TestContext, { journalWaits = false } = {}): Promise<ReplayVenue> {
    const venue = new ReplayVenue(t, journalWaits);
    const { market } = venue;
    await market.open();
    await market.clock.advance(START_MS);
    venue.replays.start({ view: market.engine, sequencer: market.sequencer, sendQueue: venue.sendQueue });
    venue.#bot = await venue.#openAccount("bot@example.com");
    inTheEnd(t, async () => {
      venue.replays.close();
      await market.stop();
      assert.deepEqual(market.errors, []);
    });
    return venue;
  }

  /** Writes a file; returns its path. */
  file(name: string, lines: readonly string[]): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return path;
  }

  async ask<T = ReplayBody>(method: string, path: string, body?: unknown): Answer<T> {
    return (await callRoute(replayRoutes(this.replays, this.market.engine), method, path, body)) as T;
  }

  play(files: readonly string[], settings: object = {}): Answer<ReplayBody> {
    return this.ask("POST", "/v1/lab/replays", { symbol: SYMBOL, files, ...settings });
  }

  async refusal(files: readonly string[], settings: object = {}): Promise<readonly [code: string, message: string]> {
    try {
      await this.play(files, settings);
    } catch (error) {
      if (error instanceof Rejection) return [error.code, error.message];
      throw error;
    }
    throw new Error("it was played");
  }

  async list(): Promise<ReplayBody> {
    const [replay] = await this.ask<ReplayBody[]>("GET", "/v1/lab/replays");
    return replay ?? assert.fail("there is no replay");
  }

  advance(ms: number): Promise<unknown> {
    return this.market.advance(ms);
  }

  /** An order of the bot under test: LIMIT GTC, or MARKET without a price. Returns its number. */
  async order(side: Side, quantity: number, price?: number): Promise<number> {
    const command = placeOrder({
      accountId: this.#bot,
      symbolId: this.#symbolId,
      side,
      orderType: price === undefined ? "MARKET" : "LIMIT",
      priceTicks: Math.round((price ?? 0) * 100),
      quantityLots: Math.round(quantity * 1e6),
      clientOrderId: `bot-${++this.#orders}`,
    });
    const { events } = await this.market.sequencer.run(command);
    const [event] = events;
    assert.ok(event?.type === "orderOpened", event?.type === "rejected" ? event.reason : event?.type);
    return event.order.orderId;
  }

  /** The open quantity of an order of the bot's. */
  leftOf(orderId: number): number {
    const order = this.market.engine.openOrder(orderId);
    return order === undefined ? 0 : (order.quantityLots - order.executedLots) / 1e6;
  }

  /** The bot's balance of the base asset minus its initial one. */
  get position(): number {
    const { baseAssetId } = this.market.engine.market(this.#symbolId);
    const { free, locked } = this.market.engine.balance(this.#bot, baseAssetId);
    return Number(free + locked - GRANT_UNITS) / 1e8;
  }

  /** Prices and quantities of a side. */
  book(side: "bids" | "asks"): (readonly [price: number, quantity: number])[] {
    const levels = this.market.engine.market(this.#symbolId)[side](1000);
    return levels.map(([ticks, lots]) => [ticks / 100, lots / 1e6]);
  }

  get filters(): SymbolFilters {
    return this.market.engine.market(this.#symbolId).spec.filters;
  }

  get #symbolId(): number {
    return this.market.engine.marketBySymbol(SYMBOL)?.symbolId ?? assert.fail();
  }

  async #openAccount(email: string): Promise<number> {
    const { sequencer, engine } = this.market;
    await sequencer.run(openAccount(email, { name: "bot" }));
    const { accountId } = engine.accountByEmail(email) ?? assert.fail();
    await sequencer.run(deposit(accountId, "BTC", "1000"));
    await sequencer.run(deposit(accountId, "USDT", "100000000"));
    return accountId;
  }

  #print(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "trade") continue;
      const { timeMs, priceTicks, lots, takerSide, maker, taker } = event;
      const isRecorded = [maker, taker].every(({ order }) => order.accountId !== this.#bot);
      const { clientOrderId } = maker.order;
      this.trades.push({
        ...{ timeMs, price: priceTicks / 100, quantity: lots / 1e6, takerSide, isRecorded, maker: clientOrderId },
      });
    }
  }
}

const GRANT_UNITS = 1000n * 10n ** 8n;

/** Spot trades as the public archive writes them: price, quantity, side of the taker, milliseconds since 1970. */
export function archiveTrades(
  rows: readonly (readonly [price: number, quantity: number, takerSide: Side, timeMs: number])[],
): string[] {
  return rows.map(([price, quantity, takerSide, timeMs], index) => {
    const text = [price.toFixed(8), quantity.toFixed(8), (price * quantity).toFixed(8)].join();
    return `${1000 + index},${text},${timeMs},${takerSide === "SELL" ? "True" : "False"},True`;
  });
}
