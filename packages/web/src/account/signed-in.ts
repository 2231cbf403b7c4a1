/**
 * One signed-in account: its orders, balances and fills, updated from the user data stream and corrected by snapshots.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type {
  AccountTrade,
  Account as AccountRecord,
  Commission as CommissionRecord,
  OrderRecord,
} from "@pricetime/protocol";
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
import type { Balance, Commission, FeeDiscount } from "./port.ts";
import { type Access, refusalOf, type Rest } from "../wire/rest.ts";
import { creditOf } from "../wire/account-stream.ts";
import { UNAUTHORIZED } from "../wire/session.ts";
import { pagesWords } from "../words/words.ts";
import type { Streams } from "../wire/streams.ts";
import type { Freshness, Market } from "../market/port.ts";
import { FillNotices } from "./fill-notices.ts";
import { HistoryBook } from "./history.ts";
import { type Notices, type TradingParts, watchActivations } from "./trading-parts.ts";
import { openUserStream, type UserStream } from "./user-streams.ts";

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
    this.#rates(rateOf(makerCommission), rateOf(takerCommission));
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
    if (known?.maker === maker && known.taker === taker) return;
    this.#commission.value = { maker, taker, discount: known?.discount ?? null };
  }

  /** Sets the discount on the market shown, once the rates are known. */
  discount(discount: FeeDiscount | null): void {
    const known = this.#commission.peek();
    if (known !== null) this.#commission.value = { ...known, discount };
  }
}

// Combines the account's snapshots and events.

export interface SignedInParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly access: Access;
  /** A short name for the account's owner. */
  readonly label: string;
  readonly notices: Notices;
  /** The market shown on the page. Its latest fills are fetched. */
  readonly market: ReadonlySignal<Market | null>;
  /** Called when the node no longer accepts the key or the session. */
  readonly onAccessDenied: (why: string) => void;
}

/** How long a market must be shown before its fills are fetched. */
const SETTLED_MS = 400;
const FILLS_FETCHED = 500;
/** Error codes for an invalid key, signature or session, or missing permissions. */
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
  readonly access: Access;
  readonly trading: TradingParts;
  readonly #parts: SignedInParts;
  readonly #fillNotices: FillNotices;
  readonly #freshness = signal<Freshness>("loading");
  readonly freshness: ReadonlySignal<Freshness> = this.#freshness;
  readonly #stream: UserStream;
  readonly #endWatch: () => void;
  readonly #endActivations: () => void;
  #isClosed = false;
  /** Limits the rate of snapshots: open orders of all symbols have request weight 40, the account 5 (Interface 8.2). */
  readonly #spacing: Spacing;
  #cancelSnapshot = (): void => {};
  /** Events received since the current snapshot was requested; null if no snapshot is being fetched. */
  #waiting: UserEvent[] | null = null;
  /** Markets whose fills were fetched and are up to date. */
  readonly #filled = new Set<string>();
  /** The discounts on fees by market, of markets shown since the latest snapshot. */
  readonly #discounts = new Map<string, FeeDiscount | null>();

  constructor(parts: SignedInParts, first: AccountRecord | null) {
    const { rest, streams, world, access, notices, label } = parts;
    this.#parts = parts;
    this.#fillNotices = new FillNotices(notices);
    this.#spacing = new Spacing(world);
    this.label = label;
    this.access = access;
    this.histories = new HistoryBook(rest, access);
    this.orders = new OwnOrders(world, (row) => this.histories.order(row));
    this.balances = new OwnBalances(world);
    this.fills = new OwnFills(world);
    if (first !== null) this.balances.replace(first);
    const isLive = (): boolean => this.#freshness.value === "live";
    this.trading = {
      ...{ rest, world, access, notices, isLive },
      orders: this.orders,
      isWanted: () => !this.#isClosed,
    };
    const stream = {
      ...{ rest, streams, world },
      ready: () => this.#begin(),
      lost: () => this.#lost(),
      onEvent: (event: unknown) => this.#onEvent(event as UserEvent),
      failed: (error: unknown) => this.#failed(error),
    };
    this.#stream = openUserStream(stream, access);
    this.#endWatch = this.#watchMarket();
    this.#endActivations = watchActivations(this.trading);
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.close();
    this.#endWatch();
    this.#endActivations();
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
    const { rest, world, access } = this.#parts;
    this.#cancelSnapshot = untilDone(
      world,
      async (isWanted) => {
        this.#spacing.done();
        const [account, open] = await Promise.all([
          rest.authorized<AccountRecord>("GET", "/api/v3/account", access),
          rest.authorized<readonly OrderRecord[]>("GET", "/api/v3/openOrders", access),
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
    this.#discounts.clear();
    this.#fetchOf(this.#parts.market.value?.symbol);
  }

  #lost(): void {
    this.#cancelSnapshot();
    this.#waiting = null;
    if (this.#freshness.value === "live") this.#freshness.value = "stale";
  }

  #failed(error: unknown): void {
    const { code, status, message } = refusalOf(error);
    if (status === UNAUTHORIZED || (code !== null && ACCESS_DENIED.includes(code))) this.#parts.onAccessDenied(message);
  }

  #onEvent(event: UserEvent): void {
    if (this.#waiting !== null && this.#waiting.length < MOST_EVENTS_WAITING) this.#waiting.push(event);
    const before =
      event.e === "executionReport" ? this.orders.withId({ symbol: event.s, orderId: event.i }) : undefined;
    this.#fold(event);
    if (event.e === "executionReport") this.#fillNotices.onReport(event, before);
    const credit = creditOf(event);
    if (credit !== null) this.#parts.notices.notify("good", pagesWords.credited(credit));
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
      // The previous market's discount may not apply here, so none is shown until this market's is known.
      this.balances.discount(looked === undefined ? null : (this.#discounts.get(looked) ?? null));
      cancel = this.#parts.world.after(SETTLED_MS, () => this.#fetchOf(looked));
    });
    // Meanwhile, the discount may have been switched on another page, which no event reports.
    const endWake = this.#parts.world.onWake(() => {
      this.#discounts.clear();
      this.#fetchOf(symbol.peek());
    });
    return () => {
      endWake();
      cancel();
      end();
    };
  }

  /** Fetches what the page shows of the account on the market: its fills and its discount on fees. */
  #fetchOf(symbol: string | undefined): void {
    if (symbol === undefined || this.#isClosed || this.#freshness.peek() !== "live") return;
    this.#fetchFills(symbol);
    if (!this.#discounts.has(symbol)) void this.#fetchDiscount(symbol);
  }

  /** Never rejects: without an answer, fees are estimated without the discount. */
  async #fetchDiscount(symbol: string): Promise<void> {
    const { rest, access, market } = this.#parts;
    let found: FeeDiscount | null = null;
    try {
      const path = "/api/v3/account/commission";
      const { discount } = await rest.authorized<CommissionRecord>("GET", path, access, { symbol });
      const { enabledForAccount, enabledForSymbol, discountAsset: asset, discount: remains } = discount;
      if (enabledForAccount && enabledForSymbol && asset !== null) found = { asset, remains };
      this.#discounts.set(symbol, found);
    } catch {
      found = null;
    }
    if (!this.#isClosed && market.peek()?.symbol === symbol) this.balances.discount(found);
  }

  #fetchFills(symbol: string): void {
    const { rest, access } = this.#parts;
    if (this.#filled.has(symbol)) return;
    this.#filled.add(symbol);
    rest.authorized<readonly AccountTrade[]>("GET", "/api/v3/myTrades", access, { symbol, limit: FILLS_FETCHED }).then(
      (answers) => this.fills.add(answers.map(fillOfAnswer)),
      // After an error, the fills are requested again the next time the market is shown.
      () => void this.#filled.delete(symbol),
    );
  }
}
