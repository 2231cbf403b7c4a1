/**
 * The opposite side of the book as an order finds it: without the prices outside its range (decision 105), and with its
 * own orders (decision 93). From this, it is known before an order is matched what it would trade.
 */
import { NO_TRADE_GROUP, type SelfTradePreventionMode, opposite, type Side } from "../entry/order-record.ts";
import { type BookStretch, type LevelLots, type Offer, type Stretch, totalsOf } from "../state/book/ladder.ts";
import { isOutside, type PriceBand } from "../filters.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";

/** Offers of which self-trade prevention may take some from the taker without a trade. */
export interface OfferedStretch extends Stretch {
  /** Absent if all offers can be traded. If present, the cost of the stretch is read order by order. */
  readonly isPrevented?: (offer: Offer) => boolean;
}

/** Whether the maker's account is the taker's, or of its trade group. */
export function isOwn({ accounts }: ExchangeState, accountId: number, tradeGroupId: number, maker: Order): boolean {
  if (maker.accountId === accountId) return true;
  return tradeGroupId !== NO_TRADE_GROUP && accounts.tradeGroupOf(maker.accountId) === tradeGroupId;
}

/** The mode in effect between the two orders: TRANSFER needs both. */
export function modeBetween(taker: SelfTradePreventionMode, maker: Order): SelfTradePreventionMode {
  return taker === "TRANSFER" && maker.selfTradePrevention !== "TRANSFER" ? "DECREMENT" : taker;
}

/**
 * What an order finds if some of the opposite side is its own, or may be outside its range. Returns null for the usual
 * order: the book is then read as it is.
 */
export function reachableOffers(
  state: ExchangeState,
  market: Market,
  taker: Pick<Order, "accountId" | "side">,
  mode: SelfTradePreventionMode,
  range: PriceBand | null,
): ReachableOffers | null {
  const own = mode === "NONE" ? null : ownOrders(state, market, taker);
  if (own === null && range === null) return null;
  return new ReachableOffers(market, taker, mode, own ?? NO_ORDERS, range);
}

/** The taker's own orders on the opposite side. */
interface OwnOrders {
  readonly prices: Prices;
  /** Whether an order on the book is an own one. */
  readonly has: (offer: Offer) => boolean;
}

const NO_ORDERS: OwnOrders = { prices: { size: 0, has: () => false }, has: () => false };

/** Null if the taker has none. */
function ownOrders(state: ExchangeState, market: Market, taker: Pick<Order, "accountId" | "side">): OwnOrders | null {
  const group = state.accounts.tradeGroupOf(taker.accountId);
  const accounts = group === NO_TRADE_GROUP ? [taker.accountId] : [group, ...state.accounts.subsOf(group)];
  const side = opposite(taker.side);
  const prices: ReadonlyMap<number, number>[] = [];
  for (const accountId of accounts) {
    const resting = state.orders.accountBook(accountId, market.symbolId)?.restingOn(side);
    if (resting !== undefined && resting.size > 0) prices.push(resting);
  }
  if (prices.length === 0) return null;
  const size = prices.reduce((sum, each) => sum + each.size, 0);
  return {
    prices: { size, has: (priceTicks) => prices.some((each) => each.has(priceTicks)) },
    has: (offer) => isOwn(state, taker.accountId, group, offer as Order),
  };
}

/** The prices of own orders. */
interface Prices {
  /** At least the number of the prices. */
  readonly size: number;
  has(priceTicks: number): boolean;
}

export class ReachableOffers {
  readonly #market: Market;
  readonly #accountId: number;
  readonly #side: Side;
  readonly #mode: SelfTradePreventionMode;
  readonly #prices: Prices;
  readonly #isOwn: (offer: Offer) => boolean;
  readonly #range: PriceBand | null;

  constructor(
    market: Market,
    { accountId, side }: Pick<Order, "accountId" | "side">,
    mode: SelfTradePreventionMode,
    own: OwnOrders,
    range: PriceBand | null,
  ) {
    this.#market = market;
    this.#accountId = accountId;
    this.#side = opposite(side);
    this.#mode = mode;
    this.#prices = own.prices;
    this.#isOwn = own.has;
    this.#range = range;
  }

  /** Whether some of the lots may be the order's own, which cost nothing. */
  get hasOwn(): boolean {
    return this.#prices.size > 0;
  }

  /** For the cost of a quantity: everything that the order meets until it has its quantity, or ends. */
  payable(): Iterable<OfferedStretch> {
    if (this.#mode === "EXPIRE_MAKER") return this.#withoutOwn();
    if (this.#mode === "EXPIRE_TAKER" || this.#mode === "EXPIRE_BOTH") return this.#beforeOwn();
    return this.#withPrevented();
  }

  /** For a FOK order, which must trade its whole quantity: what it can trade before any of it is prevented. */
  fillable(): Iterable<Stretch> {
    return this.#mode === "EXPIRE_MAKER" ? this.#withoutOwn() : this.#beforeOwn();
  }

  /** For the quantity of an order by `quoteOrderQty`. */
  sized(): Iterable<Stretch> {
    return this.#mode === "EXPIRE_MAKER" ? this.#withoutOwn() : this.#all();
  }

  #all(): Iterable<BookStretch> {
    const stretches = this.#market.book.stretches(this.#side);
    return this.#range === null ? stretches : this.#within(stretches, this.#range);
  }

  /** Up to the first price outside the range. An order does not pass over it to a later one within. */
  *#within(stretches: Iterable<BookStretch>, range: PriceBand): Iterable<BookStretch> {
    if (isOutside(range, this.#market.book.bestTicks(this.#side))) return;
    for (const stretch of stretches) {
      if (!isOutside(range, stretch.worstTicks)) yield stretch;
      else {
        const isWithin = ({ priceTicks }: Pick<Offer, "priceTicks">): boolean => !isOutside(range, priceTicks);
        const orders = (): Iterable<Order> => firstOf(stretch.orders(), isWithin);
        const levels = (): Iterable<LevelLots> => firstOf(stretch.levels(), isWithin);
        const parts = { orders, levels };
        yield { ...parts, worstTicks: stretch.worstTicks, totals: (scale) => totalsOf(parts, scale) };
        return;
      }
    }
  }

  /** All stretches, each with whether it contains an own order. */
  *#marked(): Iterable<readonly [stretch: BookStretch, hasOwn: boolean]> {
    let passed = 0;
    for (const stretch of this.#all()) {
      const before = passed;
      if (passed < this.#prices.size) {
        for (const { priceTicks } of stretch.levels()) if (this.#prices.has(priceTicks)) passed++;
      }
      yield [stretch, passed > before];
    }
  }

  *#withoutOwn(): Iterable<OfferedStretch> {
    for (const [stretch, hasOwn] of this.#marked()) {
      if (!hasOwn) yield stretch;
      else yield { ...stretchOf(() => this.#notOwn(stretch), stretch.worstTicks), isPrevented: () => false };
    }
  }

  *#notOwn(stretch: BookStretch): Iterable<Offer> {
    for (const order of stretch.orders()) if (!this.#isOwn(order)) yield order;
  }

  /** Up to the first own order. */
  *#beforeOwn(): Iterable<OfferedStretch> {
    for (const [stretch, hasOwn] of this.#marked()) {
      if (hasOwn) {
        const ownTicks = this.#firstPriceIn(stretch);
        yield { ...stretchOf(() => this.#ahead(stretch, ownTicks), ownTicks), isPrevented: () => false };
        return;
      }
      yield stretch;
    }
  }

  #firstPriceIn(stretch: BookStretch): number {
    for (const { priceTicks } of stretch.levels()) if (this.#prices.has(priceTicks)) return priceTicks;
    return stretch.worstTicks;
  }

  /** Icebergs ahead of the first own order at its price have shown only one slice until then. */
  *#ahead(stretch: BookStretch, ownTicks: number): Iterable<Offer> {
    for (const order of stretch.orders()) {
      const { priceTicks, visibleLots, icebergLots } = order;
      if (priceTicks !== ownTicks) yield order;
      else if (this.#isOwn(order)) return;
      else yield { priceTicks, visibleLots, hiddenLots: 0, icebergLots };
    }
  }

  /** The lots of own orders cost nothing. A transfer between two accounts is paid like a trade. */
  *#withPrevented(): Iterable<OfferedStretch> {
    const isPrevented = (offer: Offer): boolean => {
      if (!this.#isOwn(offer)) return false;
      const maker = offer as Order;
      return maker.accountId === this.#accountId || modeBetween(this.#mode, maker) !== "TRANSFER";
    };
    for (const [stretch, hasOwn] of this.#marked()) {
      if (!hasOwn) yield stretch;
      else yield { ...stretchOf(() => stretch.orders(), stretch.worstTicks), isPrevented };
    }
  }
}

/** The first elements that pass. */
function* firstOf<T>(elements: Iterable<T>, passes: (element: T) => boolean): Iterable<T> {
  for (const element of elements) {
    if (!passes(element)) return;
    yield element;
  }
}

/** A stretch of these offers, which are in the order of the book. */
function stretchOf(orders: () => Iterable<Offer>, worstTicks: number): Stretch {
  const parts = { levels: () => levelsOf(orders()), orders };
  return { ...parts, worstTicks, totals: (scale) => totalsOf(parts, scale) };
}

function levelsOf(offers: Iterable<Offer>): readonly LevelLots[] {
  const levels: { priceTicks: number; visibleLots: number; hiddenLots: number }[] = [];
  for (const { priceTicks, visibleLots, hiddenLots } of offers) {
    const last = levels.at(-1);
    if (last?.priceTicks !== priceTicks) levels.push({ priceTicks, visibleLots, hiddenLots });
    else {
      last.visibleLots += visibleLots;
      last.hiddenLots += hiddenLots;
    }
  }
  return levels;
}
