/** One signed-in account: its orders, balances and fills, kept by its stream and put right by snapshots. */
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Freshness, Market } from "../market/port.ts";
import { ACCOUNT } from "../words/words.ts";
import type { Rest } from "../wire/rest.ts";
import { refusalOf } from "../wire/refused.ts";
import { untilDone } from "../wire/retry.ts";
import type { SigningKey } from "../wire/signing.ts";
import { Spacing } from "../wire/spacing.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";
import { HistoryBook } from "./history-book.ts";
import type { Notices } from "./notices.ts";
import { type OrderAnswer, type ReportEvent, rowOfOrder, rowOfReport } from "./order-rows.ts";
import { type AccountAnswer, type BalancesEvent, OwnBalances } from "./own-balances.ts";
import { type FillAnswer, fillOfAnswer, fillOfReport, OwnFills } from "./own-fills.ts";
import { OwnOrders } from "./own-orders.ts";
import type { OrderRow } from "./port.ts";
import { describe, type TradingParts } from "./trading-parts.ts";
import { UserStream } from "./user-stream.ts";

export interface DeskParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly key: SigningKey;
  /** A short name for the account's owner. */
  readonly label: string;
  readonly notices: Notices;
  /** The market that is looked at: its latest fills are fetched. */
  readonly market: ReadonlySignal<Market | null>;
  /** The node does not know the key any more. */
  readonly dismissed: (why: string) => void;
}

/** Fills of a market that somebody only passes by are not fetched. */
const SETTLED_MS = 400;
const FILLS_FETCHED = 500;
/** Key, signature, or rights: asking again does not help. */
const NOT_LET_IN: readonly number[] = [-1002, -1022, -2014, -2015];
/** More than that are not kept while a snapshot is fetched: another follows. */
const MOST_EVENTS_WAITING = 10_000;

type UserEvent = ReportEvent | BalancesEvent | { readonly e: "listStatus" | "balanceUpdate" };

export class Desk {
  readonly orders: OwnOrders;
  readonly balances: OwnBalances;
  readonly fills: OwnFills;
  readonly histories: HistoryBook;
  readonly label: string;
  readonly apiKey: string;
  readonly trading: TradingParts;
  readonly #parts: DeskParts;
  readonly #freshness = signal<Freshness>("loading");
  readonly #stream: UserStream;
  readonly #endWatch: () => void;
  #isClosed = false;
  /** Open orders of all symbols weigh 40, the account 5 (Interface 8.2). */
  readonly #spacing: Spacing;
  #cancelSnapshot = (): void => {};
  /** Events since the snapshot under way was asked for; null: no snapshot is under way. */
  #waiting: UserEvent[] | null = null;
  /** Markets whose fills are there, up to now. */
  readonly #filled = new Set<string>();

  constructor(parts: DeskParts, first: AccountAnswer | null) {
    const { rest, streams, world, key, notices, label } = parts;
    this.#parts = parts;
    this.#spacing = new Spacing(world);
    this.label = label;
    this.apiKey = key.apiKey;
    this.histories = new HistoryBook(rest, key);
    this.orders = new OwnOrders(world, (row) => this.histories.order(row));
    this.balances = new OwnBalances(world);
    this.fills = new OwnFills(world);
    if (first !== null) this.balances.replace(first);
    const isLive = (): boolean => this.#freshness.value === "live";
    this.trading = { ...{ rest, world, key, notices, isLive }, orders: this.orders, isWanted: () => !this.#isClosed };
    this.#stream = new UserStream({
      ...{ rest, streams, world, apiKey: key.apiKey },
      ready: () => this.#begin(),
      lost: () => this.#lost(),
      heard: (event) => this.#hear(event as UserEvent),
      failed: (error) => this.#failed(error),
    });
    this.#endWatch = this.#watchMarket();
  }

  get freshness(): ReadonlySignal<Freshness> {
    return this.#freshness;
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.close();
    this.#endWatch();
    this.#cancelSnapshot();
    for (const part of [this.orders, this.balances, this.fills]) part.close();
  }

  /** The stream is open, so a snapshot asked for now is not older than the stream. */
  #begin(): void {
    const { world } = this.#parts;
    this.#cancelSnapshot();
    this.#waiting = [];
    const waitMs = this.#spacing.waitMs();
    if (waitMs === 0) this.#fetch();
    else this.#cancelSnapshot = world.after(waitMs, () => this.#fetch());
  }

  #fetch(): void {
    const { rest, world, key } = this.#parts;
    this.#cancelSnapshot = untilDone(
      world,
      async (isWanted) => {
        this.#spacing.done();
        const [account, open] = await Promise.all([
          rest.signed<AccountAnswer>("GET", "/api/v3/account", key),
          rest.signed<readonly OrderAnswer[]>("GET", "/api/v3/openOrders", key),
        ]);
        if (isWanted()) this.#adopt(account, open);
      },
      (error) => this.#failed(error),
    );
  }

  #adopt(account: AccountAnswer, open: readonly OrderAnswer[]): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    batch(() => {
      this.balances.replace(account);
      this.orders.replace(open.map(rowOfOrder));
      for (const event of waiting) this.#fold(event);
      this.#freshness.value = "live";
    });
    if (waiting.length >= MOST_EVENTS_WAITING) return this.#begin();
    void this.histories.refresh();
    this.#filled.clear();
    this.#fetchFills(this.#parts.market.value?.symbol);
  }

  #lost(): void {
    this.#cancelSnapshot();
    this.#waiting = null;
    if (this.#freshness.value === "live") this.#freshness.value = "stale";
  }

  #failed(error: unknown): void {
    const { code, message } = refusalOf(error);
    if (code !== null && NOT_LET_IN.includes(code)) this.#parts.dismissed(message);
  }

  #hear(event: UserEvent): void {
    if (this.#waiting !== null && this.#waiting.length < MOST_EVENTS_WAITING) this.#waiting.push(event);
    this.#fold(event);
    if (event.e === "executionReport") this.#tell(event);
  }

  #fold(event: UserEvent): void {
    if (event.e === "outboundAccountInfo" || event.e === "outboundAccountPosition") this.balances.fold(event);
    if (event.e !== "executionReport") return;
    this.orders.fold(rowOfReport(event));
    if (event.x !== "TRADE") return;
    const fill = fillOfReport(event);
    this.fills.add([fill]);
    this.histories.fill(fill);
  }

  /** Answers tell of cancels. */
  #tell(event: ReportEvent): void {
    const row: OrderRow = rowOfReport(event);
    if (event.X === "FILLED") this.#parts.notices.say("good", ACCOUNT.filled(describe(row)));
    if (event.X === "EXPIRED" && row.orderListId === -1)
      this.#parts.notices.say("plain", ACCOUNT.expired(describe(row)));
  }

  #watchMarket(): () => void {
    const symbol = computed(() => this.#parts.market.value?.symbol);
    let cancel = (): void => {};
    const end = effect(() => {
      const looked = symbol.value;
      cancel();
      cancel = this.#parts.world.after(SETTLED_MS, () => this.#fetchFills(looked));
    });
    return () => {
      cancel();
      end();
    };
  }

  #fetchFills(symbol: string | undefined): void {
    const { rest, key } = this.#parts;
    if (symbol === undefined || this.#isClosed || this.#filled.has(symbol) || this.#freshness.peek() !== "live") return;
    this.#filled.add(symbol);
    rest.signed<readonly FillAnswer[]>("GET", "/api/v3/myTrades", key, { symbol, limit: FILLS_FETCHED }).then(
      (answers) => this.fills.add(answers.map(fillOfAnswer)),
      // They are asked for again when the market is looked at again.
      () => void this.#filled.delete(symbol),
    );
  }
}
