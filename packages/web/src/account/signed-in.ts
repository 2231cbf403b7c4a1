/**
 * One signed-in account: its orders, balances and fills, updated from the user data stream and corrected by snapshots.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { AccountTrade, Account as AccountRecord, OrderRecord } from "@pricetime/protocol";
import { formatDecimal } from "../exact/decimal.ts";
import { Spacing, Throttle, untilDone } from "../wire/pacing.ts";
import type { World } from "../wire/world.ts";
import {
  fillOfAnswer,
  fillOfReport,
  LEAST_BETWEEN_ROWS_MS,
  OwnFills,
  OwnOrders,
  type ReportEvent,
  rowOfOrder,
  rowOfReport,
} from "./own-orders.ts";
import type { Balance, Commission } from "./port.ts";
import { refusalOf, type Rest, type SigningKey } from "../wire/rest.ts";
import type { Streams } from "../wire/streams.ts";
import type { Freshness, Market } from "../market/port.ts";
import { FillNotices } from "./fill-notices.ts";
import { HistoryBook } from "./history.ts";
import type { Notices, TradingParts } from "./trading-parts.ts";

// The account's balances, from a snapshot and later events.

/** The events outboundAccountInfo and outboundAccountPosition (Interface 6.1, 6.2). */
interface BalancesEvent {
  readonly e: "outboundAccountInfo" | "outboundAccountPosition";
  readonly u: number;
  readonly m?: number;
  readonly t?: number;
  readonly B: readonly { readonly a: string; readonly f: string; readonly l: string }[];
}

/** Decimal places of commission rates, which are reported in hundredths of a percent. */
const RATE_DIGITS = 4;
const rateOf = (basisPoints: number): string => formatDecimal({ units: BigInt(basisPoints), digits: RATE_DIGITS });

class OwnBalances {
  readonly #shown = signal<ReadonlyMap<string, Balance>>(new Map());
  readonly shown: ReadonlySignal<ReadonlyMap<string, Balance>> = this.#shown;
  readonly #commission = signal<Commission>(null);
  readonly commission: ReadonlySignal<Commission> = this.#commission;
  readonly #balances = new Map<string, Balance>();
  readonly #throttle: Throttle;
  #asOfMs = 0;

  constructor(world: World) {
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => (this.#shown.value = new Map(this.#balances)));
  }

  close(): void {
    this.#throttle.stop();
  }

  replace({ makerCommission, takerCommission, updateTime, balances }: AccountRecord): void {
    this.#asOfMs = updateTime;
    this.#balances.clear();
    for (const { asset, free, locked } of balances) this.#balances.set(asset, { asset, free, locked });
    this.#commission.value = { maker: rateOf(makerCommission), taker: rateOf(takerCommission) };
    this.#throttle.now();
  }

  /**
   * Applies an event. Events arrive in order, so an event that is older than the known state is already in the
   * snapshot.
   */
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

// The user data stream of the account. Creates the listen key, keeps it alive, and creates another after it has expired
// (Interface 3.7, 4.4).

export interface UserStreamParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly apiKey: string;
  /** Called when the stream is open: no event is missed from then on. Called again after each gap. */
  readonly ready: () => void;
  readonly lost: () => void;
  readonly onEvent: (event: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** The interval of keep-alives. A listen key expires an hour after the last one. */
const KEEP_ALIVE_EVERY_MS = 20 * 60_000;

class UserStream {
  readonly #parts: UserStreamParts;
  #listenKey: string | null = null;
  #unsubscribe = (): void => {};
  #cancelAsking = (): void => {};
  #cancelKeeping = (): void => {};
  /** Whether the listen key was requested on the current connection and is therefore valid. */
  #isFresh = false;

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    this.#ask();
  }

  /** Closes the stream. The listen key stays valid, because other programs of the account may use it. */
  close(): void {
    this.#cancelAsking();
    this.#cancelKeeping();
    this.#unsubscribe();
  }

  /** Requests the listen key. The node extends the existing key by an hour or creates a new one. */
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
    this.#scheduleKeepAlive();
    this.#isFresh = true;
    if (listenKey === this.#listenKey) return this.#parts.ready();
    this.#unsubscribe();
    this.#listenKey = listenKey;
    this.#unsubscribe = this.#parts.streams.subscribe(listenKey, {
      // The node does not reject subscriptions to unknown keys, so the key is checked after each reconnect.
      opened: () => (this.#isFresh ? this.#parts.ready() : this.#ask()),
      lost: () => this.#lost(),
      message: (event) => this.#onEvent(event),
    });
  }

  #lost(): void {
    this.#isFresh = false;
    this.#cancelAsking();
    this.#parts.lost();
  }

  #onEvent(event: unknown): void {
    const { e, listenKey } = event as { readonly e?: string; readonly listenKey?: string };
    if (e !== "listenKeyExpired") return this.#parts.onEvent(event);
    if (listenKey !== this.#listenKey) return;
    this.#unsubscribe();
    this.#listenKey = null;
    this.#lost();
    this.#ask();
  }

  #scheduleKeepAlive(): void {
    const { world } = this.#parts;
    this.#cancelKeeping();
    // POST extends the key like PUT, but also creates a new key if the old one has expired.
    this.#cancelKeeping = world.after(KEEP_ALIVE_EVERY_MS, () => this.#extendKey());
  }

  #extendKey(): void {
    const { rest, apiKey, world } = this.#parts;
    this.#cancelKeeping = untilDone(world, async (isWanted) => {
      const { listenKey } = await rest.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream", apiKey);
      if (!isWanted()) return;
      if (listenKey === this.#listenKey) this.#scheduleKeepAlive();
      else this.#use(listenKey);
    });
  }
}

// Combines the account's snapshots and events.

export interface SignedInParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly key: SigningKey;
  /** A short name for the account's owner. */
  readonly label: string;
  readonly notices: Notices;
  /** The market shown on the page. Its latest fills are fetched. */
  readonly market: ReadonlySignal<Market | null>;
  /** Called when the node no longer accepts the key. */
  readonly onKeyRejected: (why: string) => void;
}

/** How long a market must be shown before its fills are fetched. */
const SETTLED_MS = 400;
const FILLS_FETCHED = 500;
/** Error codes for an invalid key or signature or missing permissions. These requests are not retried. */
const ACCESS_DENIED: readonly number[] = [-1002, -1022, -2014, -2015];
/** Maximum number of events buffered while a snapshot is fetched. If it is reached, another snapshot is fetched. */
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
  readonly #fillNotices: FillNotices;
  readonly #freshness = signal<Freshness>("loading");
  readonly freshness: ReadonlySignal<Freshness> = this.#freshness;
  readonly #stream: UserStream;
  readonly #endWatch: () => void;
  #isClosed = false;
  /** Limits the rate of snapshots: open orders of all symbols have request weight 40, the account 5 (Interface 8.2). */
  readonly #spacing: Spacing;
  #cancelSnapshot = (): void => {};
  /** Events received since the current snapshot was requested; null if no snapshot is being fetched. */
  #waiting: UserEvent[] | null = null;
  /** Markets whose fills were fetched and are up to date. */
  readonly #filled = new Set<string>();

  constructor(parts: SignedInParts, first: AccountRecord | null) {
    const { rest, streams, world, key, notices, label } = parts;
    this.#parts = parts;
    this.#fillNotices = new FillNotices(notices);
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
      onEvent: (event) => this.#onEvent(event as UserEvent),
      failed: (error) => this.#failed(error),
    });
    this.#endWatch = this.#watchMarket();
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.close();
    this.#endWatch();
    this.#cancelSnapshot();
    for (const part of [this.orders, this.balances, this.fills]) part.close();
  }

  /** Requests a snapshot. The stream is already open, so no event is missed between the two. */
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
          rest.signed<AccountRecord>("GET", "/api/v3/account", key),
          rest.signed<readonly OrderRecord[]>("GET", "/api/v3/openOrders", key),
        ]);
        if (isWanted()) this.#adopt(account, open);
      },
      (error) => this.#failed(error),
    );
  }

  #adopt(account: AccountRecord, open: readonly OrderRecord[]): void {
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
    if (code !== null && ACCESS_DENIED.includes(code)) this.#parts.onKeyRejected(message);
  }

  #onEvent(event: UserEvent): void {
    if (this.#waiting !== null && this.#waiting.length < MOST_EVENTS_WAITING) this.#waiting.push(event);
    this.#fold(event);
    if (event.e === "executionReport") this.#fillNotices.onReport(event);
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
    rest.signed<readonly AccountTrade[]>("GET", "/api/v3/myTrades", key, { symbol, limit: FILLS_FETCHED }).then(
      (answers) => this.fills.add(answers.map(fillOfAnswer)),
      // After an error, the fills are requested again the next time the market is shown.
      () => void this.#filled.delete(symbol),
    );
  }
}
