/**
 * The opposite side of the book for an order with self-trade prevention: which of the orders there are its own, and
 * what the order would trade before it is sent to match. Decision 93.
 */
import { NO_TRADE_GROUP, type SelfTradePreventionMode, opposite, type Side } from "../entry/order-record.ts";
import { type BookStretch, type LevelLots, type Offer, type Stretch, totalsOf } from "../state/book/ladder.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Market } from "../state/market/market.ts";
import type { Order } from "../state/order/order.ts";

/** Offers of which self-trade prevention may take some from the taker without a trade. */
export interface OfferedStretch extends Stretch {
  /** Absent if all offers can be traded. */
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
 * What an order finds if some of the opposite side is its own. Returns null for the usual order, which has nothing
 * there: the book is then read as it is. Reads the account's open orders on the symbol.
 */
export function ownOffers(
  state: ExchangeState,
  market: Market,
  taker: Pick<Order, "accountId" | "side">,
  mode: SelfTradePreventionMode,
): OwnOffers | null {
  if (mode === "NONE") return null;
  const own = new Set<Order>();
  const { accountId, side } = taker;
  for (const each of accountsOf(state, accountId)) {
    state.orders.visit(each, market.symbolId, (order) => {
      if (order.side !== side && order.isWorking) own.add(order);
    });
  }
  return own.size === 0 ? null : new OwnOffers(market, taker, mode, own);
}

function accountsOf({ accounts }: ExchangeState, accountId: number): readonly number[] {
  const group = accounts.tradeGroupOf(accountId);
  return group === NO_TRADE_GROUP ? [accountId] : [group, ...accounts.subsOf(group)];
}

export class OwnOffers {
  /** All lots of the taker's own orders on the opposite side. */
  readonly lots: number;
  readonly #market: Market;
  readonly #accountId: number;
  readonly #side: Side;
  readonly #mode: SelfTradePreventionMode;
  readonly #own: ReadonlySet<Offer>;
  /** The prices of the own orders, best first. */
  readonly #prices: readonly number[];

  constructor(
    market: Market,
    { accountId, side }: Pick<Order, "accountId" | "side">,
    mode: SelfTradePreventionMode,
    own: ReadonlySet<Order>,
  ) {
    this.#market = market;
    this.#accountId = accountId;
    this.#side = opposite(side);
    this.#mode = mode;
    this.#own = own;
    const direction = this.#side === "SELL" ? 1 : -1;
    this.#prices = Array.from(own, ({ priceTicks }) => priceTicks).sort((a, b) => (a - b) * direction);
    this.lots = Array.from(own, ({ leftLots }) => leftLots).reduce((sum, lots) => sum + lots, 0);
  }

  /** For the cost of a quantity: everything that the order meets until it has its quantity, or ends. */
  payable(): Iterable<OfferedStretch> {
    if (this.#mode === "EXPIRE_MAKER") return this.#withoutOwn();
    if (this.#mode === "EXPIRE_TAKER" || this.#mode === "EXPIRE_BOTH") return this.#beforeOwn();
    return this.#withPrevented();
  }

  /** Whether the order pays for everything from which `sized` computes its quantity, or loses it. */
  get isSizedByPayable(): boolean {
    return this.#mode !== "EXPIRE_TAKER" && this.#mode !== "EXPIRE_BOTH";
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
    return this.#market.book.stretches(this.#side);
  }

  /** All stretches, each with whether it contains an own order. */
  *#marked(): Iterable<readonly [stretch: BookStretch, hasOwn: boolean]> {
    let passed = 0;
    for (const stretch of this.#all()) {
      const before = passed;
      while (passed < this.#prices.length && this.#reaches(stretch, this.#prices[passed] as number)) passed++;
      yield [stretch, passed > before];
    }
  }

  /** Whether a price, which no earlier stretch reaches, is in the stretch. */
  #reaches({ worstTicks }: Stretch, priceTicks: number): boolean {
    return this.#side === "SELL" ? priceTicks <= worstTicks : priceTicks >= worstTicks;
  }

  *#withoutOwn(): Iterable<Stretch> {
    for (const [stretch, hasOwn] of this.#marked()) {
      if (!hasOwn) yield stretch;
      else
        yield stretchOf(
          [...stretch.orders()].filter((order) => !this.#own.has(order)),
          stretch.worstTicks,
        );
    }
  }

  /** Up to the first own order. Icebergs ahead of it at its price have shown only one slice until then. */
  *#beforeOwn(): Iterable<Stretch> {
    for (const [stretch, hasOwn] of this.#marked()) {
      if (!hasOwn) yield stretch;
      else {
        const orders = [...stretch.orders()];
        const first = orders.findIndex((order) => this.#own.has(order));
        const ownTicks = (orders[first] as Order).priceTicks;
        const ahead = orders.slice(0, first).map(({ priceTicks, visibleLots, hiddenLots, icebergLots }): Offer => {
          return { priceTicks, visibleLots, hiddenLots: priceTicks === ownTicks ? 0 : hiddenLots, icebergLots };
        });
        if (ahead.length > 0) yield stretchOf(ahead, ownTicks);
        return;
      }
    }
  }

  /** The lots of own orders cost nothing. A transfer between two accounts is paid like a trade. */
  *#withPrevented(): Iterable<OfferedStretch> {
    const isPrevented = (offer: Offer): boolean => {
      if (!this.#own.has(offer)) return false;
      const maker = offer as Order;
      return maker.accountId === this.#accountId || modeBetween(this.#mode, maker) !== "TRANSFER";
    };
    for (const [stretch, hasOwn] of this.#marked()) {
      if (!hasOwn) yield stretch;
      else yield { ...stretchOf([...stretch.orders()], stretch.worstTicks), isPrevented };
    }
  }
}

/** A stretch of these offers, which are in the order of the book. */
function stretchOf(offers: readonly Offer[], worstTicks: number): Stretch {
  const parts = { levels: () => levelsOf(offers), orders: () => offers };
  return { ...parts, worstTicks, totals: (scale) => totalsOf(parts, scale) };
}

function levelsOf(offers: readonly Offer[]): readonly LevelLots[] {
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
