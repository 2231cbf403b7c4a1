/**
 * Replays trades. Trades of the same time and side become one taker order. It executes against maker orders that are
 * placed with it, or against resting orders if the resulting trades are the same. If no other trader has orders, the
 * trades are exactly the recorded ones.
 */
import type { Side, Trade } from "@pricetime/engine";
import { z } from "zod";
import type { MarketRow } from "../../research/market-files/rows.ts";
import type { SavedValue } from "../../platform/world/port.ts";
import { readSaved } from "../../platform/world/saved-state.ts";
import type { Band, ForeignOrder, ForeignOrders } from "./band.ts";
import type { OrderSender } from "./replay-orders.ts";
import { type Impact, opposite, type PromptPlayer, lotsOf } from "./replay-shapes.ts";
import type { SymbolGrid } from "./symbol-grid.ts";

interface Print {
  readonly ticks: number;
  readonly lots: number;
}

const owedShape = z.array(z.tuple([z.int(), z.int()]));
const SAVED = z.strictObject({
  last: z.strictObject({ side: z.enum(["BUY", "SELL"]), ticks: z.int() }).nullable(),
  owed: z.strictObject({ BUY: owedShape, SELL: owedShape }),
  skipped: z.int(),
});

export interface TradePlayerParts {
  readonly grid: SymbolGrid;
  readonly sender: OrderSender;
  readonly band: Band;
  readonly others: ForeignOrders;
  readonly impact: Impact;
}

export class TradePlayer implements PromptPlayer {
  readonly #parts: TradePlayerParts;
  /** Side, time and trades of the taker order that is being collected. */
  #side: Side = "BUY";
  #timeMs = -1;
  #prints: Print[] = [];
  #lastPrice = "";
  #lastTicks = 0;
  /** The last trade. */
  #last: { readonly side: Side; readonly ticks: number } | null;
  /**
   * Quantities that other traders took from the replay's quotes, and that recorded takers therefore do not find, by
   * side and price.
   */
  readonly #owed: Readonly<Record<Side, Map<number, number>>>;
  #skipped: number;
  /**
   * Whether fills by the replay's own takers are counted from events, because other traders' orders may have priority
   * over its quotes.
   */
  #isFollowing = false;

  constructor(parts: TradePlayerParts, saved?: SavedValue) {
    const state = saved === undefined ? undefined : readSaved("trades of a replay", SAVED, saved);
    this.#parts = parts;
    this.#last = state?.last ?? null;
    this.#owed = { BUY: new Map(state?.owed.BUY), SELL: new Map(state?.owed.SELL) };
    this.#skipped = state?.skipped ?? 0;
  }

  toSave(): SavedValue {
    const { BUY, SELL } = this.#owed;
    return { last: this.#last, owed: { BUY: [...BUY], SELL: [...SELL] }, skipped: this.#skipped };
  }

  get skipped(): number {
    return this.#skipped;
  }

  /** Trades belong to one taker order only while the price does not improve for the taker. */
  goesOn(row: MarketRow): boolean {
    if (row.kind !== "trade" || row.takerSide !== this.#side || row.timeMs !== this.#timeMs) return false;
    const last = this.#prints.at(-1);
    if (last === undefined) return false;
    const ticks = this.#ticksOf(row.price);
    return this.#side === "BUY" ? ticks >= last.ticks : ticks <= last.ticks;
  }

  take(row: MarketRow): void {
    if (row.kind !== "trade") throw new TypeError(`a ${row.kind} is no trade`);
    const { grid } = this.#parts;
    const ticks = this.#ticksOf(row.price);
    const lots = grid.lotsOf(row.quantity);
    if (lots === 0) {
      this.#skipped++;
      return;
    }
    this.#side = row.takerSide;
    this.#timeMs = row.timeMs;
    this.#prints.push({ ticks, lots });
  }

  get isAlone(): boolean {
    return this.#parts.others.isEmpty && this.#owesNothing;
  }

  async end(): Promise<void> {
    const prints = this.#prints;
    const last = prints.at(-1);
    if (last === undefined) return;
    if (this.isAlone) {
      this.endNow();
      return;
    }
    this.#prints = [];
    const { sender } = this.#parts;
    await sender.flush();
    this.#isFollowing = this.#printAmongOthers(prints, last.ticks);
    await sender.flush();
    this.#isFollowing = false;
    this.#last = { side: this.#side, ticks: last.ticks };
  }

  endNow(): void {
    const prints = this.#prints;
    const last = prints.at(-1);
    if (last === undefined) return;
    this.#prints = [];
    this.#print(prints, last.ticks);
    this.#last = { side: this.#side, ticks: last.ticks };
  }

  begin(): void {}

  async rest(): Promise<void> {
    if (this.#last === null) return;
    const { sender, others } = this.#parts;
    if (!others.isEmpty) await sender.flush();
    this.restNow();
    await sender.flush();
  }

  restNow(): void {
    if (this.#last === null) return;
    const { band } = this.#parts;
    const { side, ticks } = this.#last;
    const away = side === "BUY" ? -band.settings.tick : band.settings.tick;
    // The side on which the trade was executed comes first, because the other side's new quotes would trade with its
    // stale ones.
    band.rest(opposite(side), this.#beside(opposite(side), ticks));
    band.rest(side, this.#beside(side, ticks + away));
  }

  ownTaken({ maker, taker, priceTicks, lots }: Trade): void {
    const { band, others, impact } = this.#parts;
    const { side, clientOrderId } = maker.order;
    const isOwn = others.isOwn(taker.order.accountId);
    if (!isOwn || this.#isFollowing) band.taken(side, clientOrderId, lots);
    if (!isOwn && impact === "book") {
      const owed = this.#owed[side];
      owed.set(priceTicks, (owed.get(priceTicks) ?? 0) + lots);
    }
  }

  /** Converts a price to ticks. Consecutive trades mostly have the same price, which is then parsed only once. */
  #ticksOf(price: string): number {
    if (price !== this.#lastPrice) {
      this.#lastTicks = this.#parts.grid.ticksOf(price);
      this.#lastPrice = price;
    }
    return this.#lastTicks;
  }

  get #owesNothing(): boolean {
    return this.#owed.BUY.size === 0 && this.#owed.SELL.size === 0;
  }

  /** Executes exactly these trades. No order of another trader may be in the way. */
  #print(prints: readonly Print[], limitTicks: number): void {
    const { band, sender } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    const total = lotsOf(prints);
    const best = band.best(makers);
    // A single trade can fill the resting quote.
    if (prints.length === 1 && best !== undefined && best.ticks === limitTicks && best.lots >= total) {
      this.#takeAt(limitTicks, total);
      band.taken(makers, best.id, total);
      return;
    }
    this.#makeWay(prints, limitTicks);
    const hasBand = band.settings.levels > 0;
    for (const { ticks, lots } of hasBand ? prints.slice(0, -1) : prints)
      sender.place("makers", { side: makers, ticks, lots });
    // The maker of the last trade remains as the best quote.
    if (hasBand) band.stepForward(makers, limitTicks, prints.at(-1)?.lots);
    this.#takeAt(limitTicks, total);
  }

  /**
   * Executes trades while other traders have orders. Returns whether their orders, or quantities that they took before,
   * affected the execution.
   */
  #printAmongOthers(prints: readonly Print[], limitTicks: number): boolean {
    const { others, impact } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    const bestTicks = (prints[0] as Print).ticks;
    this.#forgetOwed(bestTicks);
    const ahead = others.within(makers, limitTicks);
    const across = others.within(side, bestTicks);
    const owes = prints.some(({ ticks }) => this.#owed[makers].has(ticks));
    if (ahead.length === 0 && across.length === 0 && !owes) {
      this.#print(prints, limitTicks);
      return false;
    }
    if (impact === "none") this.#printBeside(prints, limitTicks, { ahead, across });
    else this.#printWithImpact(prints, limitTicks);
    return true;
  }

  /** Executes the recorded trades in full, and fills other traders' orders in addition. */
  #printBeside(
    prints: readonly Print[],
    limitTicks: number,
    { ahead, across }: Readonly<Record<"ahead" | "across", readonly ForeignOrder[]>>,
  ): void {
    const { sender } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    this.#makeWay(prints, limitTicks);
    const bestTicks = (prints[0] as Print).ticks;
    // The recorded makers arrive at a price at which they fill these orders.
    if (across.length > 0) sender.place("takers", { side: makers, ticks: bestTicks, lots: lotsOf(across) }, "IOC");
    for (const { ticks, lots } of prints) sender.place("makers", { side: makers, ticks, lots });
    this.#takeAt(limitTicks, lotsOf(prints) + lotsOf(ahead));
  }

  /** The recorded taker fills the book in priority order, so orders with priority take part of its quantity. */
  #printWithImpact(prints: readonly Print[], limitTicks: number): void {
    const { band, sender } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    // At the limit price of the taker, all orders keep their priority; quotes at better prices are canceled.
    band.clear(makers, limitTicks, (ticks) => ticks === limitTicks);
    band.clear(side, (prints[0] as Print).ticks);
    let there = band.lotsAt(makers, limitTicks);
    let total = 0;
    for (const { ticks, lots } of prints) {
      const owed = Math.min(lots, this.#owed[makers].get(ticks) ?? 0);
      this.#pay(makers, ticks, owed);
      const standing = ticks === limitTicks ? Math.min(lots - owed, there) : 0;
      there -= standing;
      const missing = lots - owed - standing;
      if (missing > 0) sender.place("makers", { side: makers, ticks, lots: missing });
      total += lots - owed;
    }
    if (total > 0) this.#takeAt(limitTicks, total);
    // Orders of other traders may have taken part of this taker, so the remaining makers are canceled.
    sender.cancelAll("makers");
  }

  #takeAt(ticks: number, lots: number): void {
    this.#parts.sender.place("takers", { side: this.#side, ticks, lots }, "IOC");
  }

  #makeWay(prints: readonly Print[], limitTicks: number): void {
    const { band } = this.#parts;
    band.clear(opposite(this.#side), limitTicks);
    band.clear(this.#side, (prints[0] as Print).ticks);
  }

  #pay(makers: Side, ticks: number, lots: number): void {
    const owed = this.#owed[makers];
    const left = (owed.get(ticks) ?? 0) - lots;
    if (left > 0) owed.set(ticks, left);
    else owed.delete(ticks);
  }

  /** Drops owed quantities at prices that the market has traded through. */
  #forgetOwed(bestTicks: number): void {
    const isBuy = this.#side === "BUY";
    for (const ticks of this.#owed.SELL.keys())
      if (isBuy ? ticks < bestTicks : ticks <= bestTicks) this.#owed.SELL.delete(ticks);
    for (const ticks of this.#owed.BUY.keys())
      if (isBuy ? ticks >= bestTicks : ticks > bestTicks) this.#owed.BUY.delete(ticks);
  }

  /** Returns a price at which a quote does not trade with another trader's order. */
  #beside(side: Side, ticks: number): number {
    const { others, band } = this.#parts;
    if (others.isEmpty) return ticks;
    const [across] = others.within(opposite(side), ticks);
    if (across === undefined) return ticks;
    return side === "BUY" ? across.ticks - band.settings.tick : across.ticks + band.settings.tick;
  }
}
