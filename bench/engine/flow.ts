/**
 * Seeded flows of orders, the same for every measured engine, on one symbol or on many:
 * - `mixed`: half adds around a moving mid, two fifths cancels of any open order, a tenth crossing orders;
 * - `making`: market makers at the touch, 95 % cancels and replacement quotes, the rest crossing orders;
 * - `deep`: like mixed, over a book of 1,000,000 orders that reaches far from the touch.
 */
import { Dice } from "@pricetime/testkit/dice";
import { BareBooks } from "./bare-books.ts";
import { PickableSet } from "./pickable-set.ts";

/** Prices are in ticks, quantities in lots. Order IDs count from 1, as the engine's do. */
export type Step =
  | {
      readonly kind: "place";
      readonly orderId: number;
      readonly symbolId: number;
      readonly buys: boolean;
      readonly ticks: number;
      readonly lots: number;
    }
  | { readonly kind: "cancel"; readonly orderId: number; readonly symbolId: number };

export type FlowName = "mixed" | "making" | "deep";
export const FLOW_NAMES: readonly FlowName[] = ["mixed", "making", "deep"];

export interface Flow {
  readonly name: FlowName;
  readonly symbols: number;
  /** The steps that fill the empty books. */
  readonly opening: readonly Step[];
  /** The measured steps. */
  readonly steps: readonly Step[];
  /** Fractions of the measured steps. */
  readonly adds: number;
  readonly cancels: number;
  readonly crossing: number;
}

interface FlowShape {
  /** Resting orders when measuring begins; on many symbols together `restingOnMany`. */
  readonly resting: number;
  readonly restingOnMany: number;
  /** The largest distance of a resting order from the mid. */
  readonly deepestTicks: number;
}

const SHAPES: Readonly<Record<FlowName, FlowShape>> = {
  mixed: { resting: 10_000, restingOnMany: 100_000, deepestTicks: 2_000 },
  making: { resting: 10_000, restingOnMany: 100_000, deepestTicks: 2_000 },
  deep: { resting: 1_000_000, restingOnMany: 1_000_000, deepestTicks: 100_000 },
};

const START_TICKS = 5_000_000;
/** The largest distance of a market maker's quote from the middle. */
const QUOTE_DEEPEST_TICKS = 10;
/** Quotes at the touch on each symbol: crossing orders take some, and they are placed again. */
const QUOTES = 200;
const QUOTES_OF_MANY = 4;

/** Generates a flow by running it, so that every cancel finds its order open. */
export function makeFlow(name: FlowName, symbols: number, seed: number, count: number, restingOrders?: number): Flow {
  const { resting, restingOnMany, deepestTicks } = SHAPES[name];
  const maker = new FlowMaker(seed, symbols, deepestTicks);
  const opening: Step[] = [];
  const wanted = restingOrders ?? (symbols === 1 ? resting : restingOnMany);
  while (maker.resting < wanted) opening.push(maker.add());
  const quotes = symbols === 1 ? QUOTES : QUOTES_OF_MANY * symbols;
  if (name === "making") while (maker.quotes < quotes) opening.push(maker.quote());
  const shares = { adds: 0, cancels: 0, crossing: 0 };
  const next = name === "making" ? makingStep(quotes) : mixedStep;
  const random = new Dice(seed + 1);
  const steps: Step[] = [];
  while (steps.length < count) {
    const [kind, step] = next(maker, random.next());
    shares[kind]++;
    steps.push(step);
  }
  return { name, symbols, opening, steps, ...shares };
}

type Kind = "adds" | "cancels" | "crossing";

function mixedStep(maker: FlowMaker, dice: number): readonly [Kind, Step] {
  if (dice < 0.5) return ["adds", maker.add()];
  return dice < 0.9 ? ["cancels", maker.cancel()] : ["crossing", maker.cross()];
}

/** A new quote follows only a cancel or a trade: a 90 % chance of a cancel results in 5 % crossing orders. */
function makingStep(quotes: number): typeof mixedStep {
  return (maker, dice) => {
    if (maker.quotes < quotes) return ["adds", maker.quote()];
    return dice < 0.9 ? ["cancels", maker.cancelQuote()] : ["crossing", maker.cross()];
  };
}

class FlowMaker {
  readonly #random: Dice;
  readonly #books: BareBooks;
  readonly #open = new PickableSet();
  readonly #quotes = new PickableSet();
  readonly #deepestTicks: number;
  readonly #midTicks: number[];
  readonly #symbolOf: number[] = [];
  #orderId = 0;

  constructor(seed: number, symbols: number, deepestTicks: number) {
    this.#random = new Dice(seed);
    this.#books = new BareBooks(symbols);
    this.#deepestTicks = deepestTicks;
    this.#midTicks = Array.from({ length: symbols }, () => START_TICKS);
  }

  get resting(): number {
    return this.#open.size;
  }
  get quotes(): number {
    return this.#quotes.size;
  }

  /** Behind the mid, dense near it and sparse far from it. */
  add(): Step {
    const symbolId = this.#pickSymbol();
    const buys = this.#random.next() < 0.5;
    const mid = this.#mid(symbolId) + this.#random.between(-1, 1);
    this.#midTicks[symbolId] = mid;
    const away = 1 + Math.floor(this.#random.next() ** 2 * this.#deepestTicks);
    return this.#place(symbolId, buys, mid + (buys ? -away : away), this.#random.between(1_000, 500_000));
  }

  /** Quotes at the touch, never crossing it. */
  quote(): Step {
    const symbolId = this.#pickSymbol();
    const buys = this.#random.next() < 0.5;
    const away = this.#random.between(1, QUOTE_DEEPEST_TICKS);
    const bestTicks = this.#books.bestTicks(symbolId, !buys);
    const mid = this.#mid(symbolId);
    const wanted = buys ? mid - away : mid + away;
    const ticks = bestTicks === 0 ? wanted : buys ? Math.min(wanted, bestTicks - 1) : Math.max(wanted, bestTicks + 1);
    const step = this.#place(symbolId, buys, ticks, this.#random.between(1_000, 500_000));
    this.#quotes.add(step.orderId);
    return step;
  }

  /** Crosses the best opposite price, for about one resting order. */
  cross(): Step {
    const symbolId = this.#pickSymbol();
    const buys = this.#random.next() < 0.5;
    const bestTicks = this.#books.bestTicks(symbolId, !buys);
    const ticks = bestTicks === 0 ? this.#mid(symbolId) : bestTicks;
    return this.#place(symbolId, buys, ticks + (buys ? 10 : -10), this.#random.between(1_000, 600_000));
  }

  cancel(): Step {
    return this.#cancel(this.#open.pick(this.#random));
  }
  cancelQuote(): Step {
    return this.#cancel(this.#quotes.pick(this.#random));
  }

  #pickSymbol(): number {
    return this.#midTicks.length === 1 ? 0 : this.#random.between(0, this.#midTicks.length - 1);
  }

  #mid(symbolId: number): number {
    return this.#midTicks[symbolId] as number;
  }

  #cancel(orderId: number): Step {
    const symbolId = this.#symbolOf[orderId] as number;
    if (!this.#books.cancel(orderId)) throw new Error(`order ${orderId} is not open`);
    this.#forget(orderId);
    return { kind: "cancel", orderId, symbolId };
  }

  #place(symbolId: number, buys: boolean, ticks: number, lots: number): Step {
    const orderId = ++this.#orderId;
    this.#symbolOf[orderId] = symbolId;
    const placed = this.#books.place(symbolId, orderId, buys, ticks, lots);
    let left = lots;
    for (const fill of placed) {
      left -= fill.lots;
      if (fill.makerIsDone) this.#forget(fill.makerId);
    }
    if (left > 0) this.#open.add(orderId);
    return { kind: "place", orderId, symbolId, buys, ticks, lots };
  }

  #forget(orderId: number): void {
    this.#open.remove(orderId);
    if (this.#quotes.has(orderId)) this.#quotes.remove(orderId);
  }
}
