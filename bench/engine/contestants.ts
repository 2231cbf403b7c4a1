/**
 * The compared implementations. Each runs the opening orders, then the steps one by one, and reports its outcome, which
 * must be equal for all.
 */
import { OrderBook as HftBook, Side as HftSide } from "hft-limit-order-book";
import { OrderBook as NodeBook, Side as NodeSide } from "nodejs-order-book";
import { BareBooks } from "./bare-books.ts";
import type { Flow, Step } from "./flow.ts";
import { commandOf, Venue } from "./flow-venue.ts";

/** The outcome of the measured steps. */
export interface Outcome {
  readonly tradedLots: number;
  readonly canceled: number;
  readonly restingLots: number;
}

/** `load` runs the opening and returns the measured steps in the engine's format. */
export interface Run {
  readonly count: number;
  step(index: number): void;
  outcome(): Outcome;
}

export interface Contestant {
  readonly name: string;
  load(flow: Flow): Run;
}

export const ENGINE: Contestant = {
  name: "engine",
  load({ symbols, opening, steps }) {
    const venue = new Venue(symbols);
    for (const step of opening) venue.apply(commandOf(step));
    const commands = steps.map((step) => commandOf(step));
    let tradedLots = 0;
    let canceled = 0;
    return {
      count: commands.length,
      step(index) {
        for (const event of venue.apply(commands[index] as (typeof commands)[number])) {
          if (event.type === "trade") tradedLots += event.lots;
          else if (event.type === "orderEnded") canceled++;
        }
      },
      outcome() {
        let restingLots = 0;
        for (const market of venue.engine.markets()) {
          for (const [, lots] of market.bids(Number.MAX_SAFE_INTEGER)) restingLots += lots;
          for (const [, lots] of market.asks(Number.MAX_SAFE_INTEGER)) restingLots += lots;
        }
        return { tradedLots, canceled, restingLots };
      },
    };
  },
};

export const BARE: Contestant = {
  name: "bare matching",
  load({ symbols, opening, steps }) {
    const books = new BareBooks(symbols);
    let tradedLots = 0;
    let canceled = 0;
    const apply = (step: Step): void => {
      if (step.kind === "cancel") {
        if (books.cancel(step.orderId)) canceled++;
        return;
      }
      const { symbolId, orderId, buys, ticks, lots } = step;
      for (const fill of books.place(symbolId, orderId, buys, ticks, lots)) tradedLots += fill.lots;
    };
    for (const step of opening) apply(step);
    tradedLots = 0;
    return {
      count: steps.length,
      step: (index) => apply(steps[index] as Step),
      outcome: () => ({ tradedLots, canceled, restingLots: books.restingLots() }),
    };
  },
};

/** The common interface of the two libraries: the second is an older release of the first, under its former name. */
interface PeerBook<Side> {
  limit(order: { id: string; side: Side; size: number; price: number }): {
    readonly done: readonly { readonly id?: string }[];
    readonly partial: { readonly id?: string } | null;
    readonly partialQuantityProcessed: number;
    readonly quantityLeft: number;
    readonly err: { readonly message: string } | null;
  };
  cancel(id: string): unknown;
  depth(): [[number, number][], [number, number][]];
}

type Input<Side> =
  | { readonly symbolId: number; readonly cancel: string }
  | {
      readonly symbolId: number;
      readonly cancel: null;
      readonly limit: { id: string; side: Side; size: number; price: number };
    };

function peer<Side>(name: string, newBook: () => PeerBook<Side>, buy: Side, sell: Side): Contestant {
  const inputOf = (step: Step): Input<Side> => {
    const { symbolId } = step;
    const id = `order${step.orderId}`;
    if (step.kind === "cancel") return { symbolId, cancel: id };
    const limit = { id, side: step.buys ? buy : sell, size: step.lots, price: step.ticks };
    return { symbolId, cancel: null, limit };
  };
  const load = ({ symbols, opening, steps }: Flow): Run => {
    const books = Array.from({ length: symbols }, newBook);
    let tradedLots = 0;
    let canceled = 0;
    const apply = (input: Input<Side>): void => {
      const book = books[input.symbolId] as PeerBook<Side>;
      if (input.cancel !== null) {
        if (book.cancel(input.cancel) !== undefined) canceled++;
        return;
      }
      const { done, partial, partialQuantityProcessed, quantityLeft, err } = book.limit(input.limit);
      if (err !== null) throw new Error(err.message);
      if (done.length === 0 && partial === null) return;
      // A crossing order has traded its quantity less the unfilled rest.
      tradedLots += partial?.id === input.limit.id ? partialQuantityProcessed : input.limit.size - quantityLeft;
    };
    for (const step of opening) apply(inputOf(step));
    const inputs = steps.map(inputOf);
    tradedLots = 0;
    return {
      count: inputs.length,
      step: (index) => apply(inputs[index] as Input<Side>),
      outcome() {
        let restingLots = 0;
        for (const book of books) for (const [, lots] of book.depth().flat()) restingLots += lots;
        return { tradedLots, canceled, restingLots };
      },
    };
  };
  return { name, load };
}

export const NODE_BOOK = peer("nodejs-order-book", () => new NodeBook(), NodeSide.BUY, NodeSide.SELL);
export const HFT_BOOK = peer("hft-limit-order-book", () => new HftBook(), HftSide.BUY, HftSide.SELL);
