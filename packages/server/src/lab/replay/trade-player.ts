/**
 * Plays recorded trades. Trades of one time and side become one order of a taker, against makers that are placed with
 * it, or against standing orders when that prints the same trades. Where nobody else has orders, exactly the recorded
 * trades print.
 */
import type { Side, Trade } from "@pricetime/engine";
import { z } from "zod";
import type { MarketRow } from "../../research/market-files/rows.ts";
import type { SavedValue } from "../../platform/world/port.ts";
import { readSaved } from "../../platform/world/saved-state.ts";
import type { Band, ForeignOrder, ForeignOrders } from "./band.ts";
import type { Desk } from "./replay-orders.ts";
import { type Impact, opposite, type PromptPlayer } from "./replay-shapes.ts";
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
  readonly desk: Desk;
  readonly band: Band;
  readonly others: ForeignOrders;
  readonly impact: Impact;
}

export class TradePlayer implements PromptPlayer {
  readonly #parts: TradePlayerParts;
  /** The run that is taken in. */
  #side: Side = "BUY";
  #timeMs = -1;
  #prints: Print[] = [];
  #lastPrice = "";
  #lastTicks = 0;
  /** The last trade. */
  #last: { readonly side: Side; readonly ticks: number } | null;
  /** Quantities that other traders took from quotes, which recorded takers will not find, by side and price. */
  readonly #owed: Readonly<Record<Side, Map<number, number>>>;
  #skipped: number;
  /** Events tell what the replay's own takers take, because other traders' orders may stand in between. */
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

  /** A taker meets ever worse prices. */
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
    const { desk } = this.#parts;
    await desk.flush();
    this.#isFollowing = this.#printAmongOthers(prints, last.ticks);
    await desk.flush();
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
    const { desk, others } = this.#parts;
    if (!others.isEmpty) await desk.flush();
    this.restNow();
    await desk.flush();
  }

  restNow(): void {
    if (this.#last === null) return;
    const { band } = this.#parts;
    const { side, ticks } = this.#last;
    const away = side === "BUY" ? -band.settings.tick : band.settings.tick;
    // First the side that was traded on, whose stale quotes the others would meet.
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

  /** Trades of one taker mostly have one price, which is read once. */
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

  /** Exactly these trades print. */
  #print(prints: readonly Print[], limitTicks: number): void {
    const { band, desk } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    const total = lotsOf(prints);
    const best = band.best(makers);
    // The quote that stands there is filled by this trade alone.
    if (prints.length === 1 && best !== undefined && best.ticks === limitTicks && best.lots >= total) {
      this.#takeAt(limitTicks, total);
      band.taken(makers, best.id, total);
      return;
    }
    this.#makeWay(prints, limitTicks);
    const hasBand = band.settings.levels > 0;
    for (const { ticks, lots } of hasBand ? prints.slice(0, -1) : prints)
      desk.place("makers", { side: makers, ticks, lots });
    // The maker of the last trade stays as the best quote.
    if (hasBand) band.stepForward(makers, limitTicks, prints.at(-1)?.lots);
    this.#takeAt(limitTicks, total);
  }

  /** Returns whether quotes of ours are taken besides orders of others. */
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

  /** Others are filled beside the recorded trades, which print as they are. */
  #printBeside(
    prints: readonly Print[],
    limitTicks: number,
    { ahead, across }: Readonly<Record<"ahead" | "across", readonly ForeignOrder[]>>,
  ): void {
    const { desk } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    this.#makeWay(prints, limitTicks);
    const bestTicks = (prints[0] as Print).ticks;
    // They stand where the recorded makers come to: those fill them on their way.
    if (across.length > 0) desk.place("takers", { side: makers, ticks: bestTicks, lots: lotsOf(across) }, "IOC");
    for (const { ticks, lots } of prints) desk.place("makers", { side: makers, ticks, lots });
    this.#takeAt(limitTicks, lotsOf(prints) + lotsOf(ahead));
  }

  /** The recorded taker meets what stands there in its order: others that came first have his trade. */
  #printWithImpact(prints: readonly Print[], limitTicks: number): void {
    const { band, desk } = this.#parts;
    const side = this.#side;
    const makers = opposite(side);
    // Where the taker ends, quotes and others keep their queue; what is better goes as a whole.
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
      if (missing > 0) desk.place("makers", { side: makers, ticks, lots: missing });
      total += lots - owed;
    }
    if (total > 0) this.#takeAt(limitTicks, total);
    // Other traders' orders may have had part of this taker; what is left of the makers leaves the book.
    desk.cancelAll("makers");
  }

  #takeAt(ticks: number, lots: number): void {
    this.#parts.desk.place("takers", { side: this.#side, ticks, lots }, "IOC");
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

  /** Forgets what was taken at prices that the market has gone through since. */
  #forgetOwed(bestTicks: number): void {
    const isBuy = this.#side === "BUY";
    for (const ticks of this.#owed.SELL.keys())
      if (isBuy ? ticks < bestTicks : ticks <= bestTicks) this.#owed.SELL.delete(ticks);
    for (const ticks of this.#owed.BUY.keys())
      if (isBuy ? ticks >= bestTicks : ticks > bestTicks) this.#owed.BUY.delete(ticks);
  }

  /** A quote does not take: others may stand where it would. */
  #beside(side: Side, ticks: number): number {
    const { others, band } = this.#parts;
    if (others.isEmpty) return ticks;
    const [across] = others.within(opposite(side), ticks);
    if (across === undefined) return ticks;
    return side === "BUY" ? across.ticks - band.settings.tick : across.ticks + band.settings.tick;
  }
}

function lotsOf(all: readonly { readonly lots: number }[]): number {
  return all.reduce((sum, { lots }) => sum + lots, 0);
}
