/**
 * One signed-in account: its orders, balances and fills, which follow its event stream and are corrected by
 * snapshots.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { formatDecimal } from "../exact/decimal.ts";
import { Spacing, Throttle, untilDone } from "../wire/pacing.ts";
import type { World } from "../wire/world.ts";
import {
  type FillAnswer,
  fillOfAnswer,
  fillOfReport,
  LEAST_BETWEEN_ROWS_MS,
  type OrderAnswer,
  OwnFills,
  OwnOrders,
  type ReportEvent,
  rowOfOrder,
  rowOfReport,
} from "./own-orders.ts";
import type { Account, Balance, OrderRow } from "./port.ts";
import { refusalOf, type Rest, type SigningKey } from "../wire/rest.ts";
import type { Streams } from "../wire/streams.ts";
import type { Freshness, Market } from "../market/port.ts";
import { ACCOUNT } from "../words/words.ts";
import { HistoryBook } from "./history.ts";
import { describe, type Notices, type TradingParts } from "./trading-parts.ts";

// The account's balances, from a snapshot and the events after it.

export interface AccountAnswer {
  readonly makerCommission: number;
  readonly takerCommission: number;
  readonly updateTime: number;
  readonly balances: readonly Balance[];
}

/** outboundAccountInfo and outboundAccountPosition (Interface 6.1, 6.2). */
interface BalancesEvent {
  readonly e: "outboundAccountInfo" | "outboundAccountPosition";
  readonly u: number;
  readonly m?: number;
  readonly t?: number;
  readonly B: readonly { readonly a: string; readonly f: string; readonly l: string }[];
}

/** Rates are told in hundredths of a percent. */
const RATE_DIGITS = 4;
const rateOf = (basisPoints: number): string => formatDecimal({ units: BigInt(basisPoints), digits: RATE_DIGITS });

class OwnBalances {
  readonly #shown = signal<ReadonlyMap<string, Balance>>(new Map());
  readonly #commission = signal<Account["commission"]["value"]>(null);
  readonly #balances = new Map<string, Balance>();
  readonly #throttle: Throttle;
  #asOfMs = 0;

  constructor(world: World) {
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => (this.#shown.value = new Map(this.#balances)));
  }

  get shown(): ReadonlySignal<ReadonlyMap<string, Balance>> {
    return this.#shown;
  }

  get commission(): Account["commission"] {
    return this.#commission;
  }

  close(): void {
    this.#throttle.stop();
  }

  replace({ makerCommission, takerCommission, updateTime, balances }: AccountAnswer): void {
    this.#asOfMs = updateTime;
    this.#balances.clear();
    for (const { asset, free, locked } of balances) this.#balances.set(asset, { asset, free, locked });
    this.#commission.value = { maker: rateOf(makerCommission), taker: rateOf(takerCommission) };
    this.#throttle.now();
  }

  /** Events come in order; only one that a snapshot has overtaken is older than what is known. */
  fold({ u, m, t, B }: BalancesEvent): void {
    if (m !== undefined && t !== undefined) this.#rates(rateOf(m), rateOf(t));
    if (u < this.#asOfMs) return;
    this.#asOfMs = u;
    for (const { a, f, l } of B) this.#balances.set(a, { asset: a, free: f, locked: l });
    this.#throttle.ask();
  }

  #rates(maker: string, taker: string): void {
    const known = this.#commission.value;
    if (known?.maker !== maker || known.taker !== taker) this.#commission.value = { maker, taker };
  }
}

// The account's event stream: its listen key is created, kept alive, and created again when it is lost (Interface 3.7,
// 4.4).

export interface UserStreamParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly apiKey: string;
  /** From this call on no event of the account is missed; after a gap it is called again. */
  readonly ready: () => void;
  readonly lost: () => void;
  readonly heard: (event: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A key lives for an hour after it was last kept alive. */
const KEEP_ALIVE_EVERY_MS = 20 * 60_000;

class UserStream {
  readonly #parts: UserStreamParts;
  #listenKey: string | null = null;
  #unsubscribe = (): void => {};
  #cancelAsking = (): void => {};
  #cancelKeeping = (): void => {};
  /** The key was asked for on this connection: it is good. */
  #isFresh = false;

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    this.#ask();
  }

  /** The key is left open: the account's other programs may be listening to it. */
  close(): void {
    this.#cancelAsking();
    this.#cancelKeeping();
    this.#unsubscribe();
  }

  /** The node answers with the open key and gives it another hour, or makes a new key. */
  #ask(): void {
    const { rest, world, apiKey, failed } = this.#parts;
    this.#cancelAsking();
    this.#cancelAsking = untilDone(
      world,
      async (isWanted) => {
        const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", apiKey);
        if (isWanted()) this.#use(listenKey);
      },
      failed,
    );
  }

  #use(listenKey: string): void {
    this.#keepAlive();
    this.#isFresh = true;
    if (listenKey === this.#listenKey) return this.#parts.ready();
    this.#unsubscribe();
    this.#listenKey = listenKey;
    this.#unsubscribe = this.#parts.streams.subscribe(listenKey, {
      // A subscription to an unknown key is silent, so after each break the key is checked.
      opened: () => (this.#isFresh ? this.#parts.ready() : this.#ask()),
      lost: () => this.#lost(),
      message: (event) => this.#hear(event),
    });
  }

  #lost(): void {
    this.#isFresh = false;
    this.#cancelAsking();
    this.#parts.lost();
  }

  #hear(event: unknown): void {
    const { e, listenKey } = event as { readonly e?: string; readonly listenKey?: string };
    if (e !== "listenKeyExpired") return this.#parts.heard(event);
    if (listenKey !== this.#listenKey) return;
    this.#unsubscribe();
    this.#listenKey = null;
    this.#lost();
    this.#ask();
  }

  #keepAlive(): void {
    const { world } = this.#parts;
    this.#cancelKeeping();
    // POST is as good as PUT, and gives a new key where the old one is over.
    this.#cancelKeeping = world.after(KEEP_ALIVE_EVERY_MS, () => this.#keep());
  }

  #keep(): void {
    const { rest, apiKey, world } = this.#parts;
    this.#cancelKeeping = untilDone(world, async (isWanted) => {
      const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", apiKey);
      if (!isWanted()) return;
      if (listenKey === this.#listenKey) this.#keepAlive();
      else this.#use(listenKey);
    });
  }
}

// The account's snapshots and events, put together.

export interface SignedInParts {
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

export class SignedIn {
  readonly orders: OwnOrders;
  readonly balances: OwnBalances;
  readonly fills: OwnFills;
  readonly histories: HistoryBook;
  readonly label: string;
  readonly apiKey: string;
  readonly trading: TradingParts;
  readonly #parts: SignedInParts;
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

  constructor(parts: SignedInParts, first: AccountAnswer | null) {
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
