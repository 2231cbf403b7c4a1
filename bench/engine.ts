/**
 * The whole engine (filters, ledger, fees, candles, ids, state hash) beside `nodejs-order-book` (a book
 * alone), on the same flow in the same process, in alternating rounds. Both must make the same trades.
 */
import assert from "node:assert/strict";
import { OrderBook, Side } from "nodejs-order-book";
import { commandOf, type Flow, makeFlow, RESTING_ORDERS, type Step, Venue } from "./flow.ts";
import { median, thousands } from "./measure.ts";

const SEED = 1;
const STEPS = 300_000;
const ROUNDS = 5;

/** What came of the measured steps: equal for both, or one of them is wrong. */
interface Outcome {
  readonly tradedLots: number;
  readonly canceled: number;
  readonly restingLots: number;
}
interface Round {
  readonly perSecond: number;
  readonly outcome: Outcome;
}

const total = (levels: readonly (readonly [price: number, lots: number])[]): number =>
  levels.reduce((sum, [, lots]) => sum + lots, 0);

function runEngine({ opening, steps }: Flow): Round {
  const venue = new Venue();
  for (const step of opening) venue.apply(commandOf(step));
  const commands = steps.map(commandOf);
  let tradedLots = 0;
  let canceled = 0;
  const started = performance.now();
  for (const command of commands) {
    for (const event of venue.apply(command)) {
      if (event.type === "trade") tradedLots += event.lots;
      else if (event.type === "orderEnded") canceled++;
    }
  }
  const perSecond = (steps.length / (performance.now() - started)) * 1000;
  const market = venue.engine.market(0);
  const levels = [...market.bids(Number.MAX_SAFE_INTEGER), ...market.asks(Number.MAX_SAFE_INTEGER)];
  return { perSecond, outcome: { tradedLots, canceled, restingLots: total(levels) } };
}

type Input = { readonly cancel: string } | { readonly limit: { id: string; side: Side; size: number; price: number } };

function inputOf(step: Step): Input {
  const id = `order${step.orderId}`;
  if (step.kind === "cancel") return { cancel: id };
  return { limit: { id, side: step.buys ? Side.BUY : Side.SELL, size: step.lots, price: step.ticks } };
}

function runRival({ opening, steps }: Flow): Round {
  const book = new OrderBook();
  let tradedLots = 0;
  let canceled = 0;
  const apply = (input: Input): void => {
    if ("cancel" in input) {
      if (book.cancel(input.cancel) !== undefined) canceled++;
      return;
    }
    const { done, partial, partialQuantityProcessed, quantityLeft, err } = book.limit(input.limit);
    if (err !== null) throw err;
    if (done.length === 0 && partial === null) return;
    // Of an order that crossed: what it took is what it was for, less what is left of it.
    tradedLots += partial?.id === input.limit.id ? partialQuantityProcessed : input.limit.size - quantityLeft;
  };
  for (const step of opening) apply(inputOf(step));
  const inputs = steps.map(inputOf);
  tradedLots = 0;
  const started = performance.now();
  for (const input of inputs) apply(input);
  const perSecond = (steps.length / (performance.now() - started)) * 1000;
  return { perSecond, outcome: { tradedLots, canceled, restingLots: total(book.depth().flat()) } };
}

export function run(): string[] {
  const flow = makeFlow(SEED, STEPS);
  const ours: Round[] = [];
  const theirs: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(runEngine(flow));
    theirs.push(runRival(flow));
  }
  return report(flow, ours, theirs);
}

function report(flow: Flow, ours: readonly Round[], theirs: readonly Round[]): string[] {
  const outcome = ours[0]?.outcome;
  assert.ok(outcome);
  for (const round of [...ours, ...theirs]) assert.deepEqual(round.outcome, outcome, "both must do the same");
  assert.ok(outcome.tradedLots > 0, "nothing was traded");
  assert.equal(outcome.canceled, flow.cancels, "a cancel missed its order");
  const share = (count: number): string => `${Math.round((count / STEPS) * 100)} %`;
  const [a, b] = [median(ours.map((each) => each.perSecond)), median(theirs.map((each) => each.perSecond))];
  return [
    `flow: ${thousands(STEPS)} commands (${share(flow.adds)} adds, ${share(flow.cancels)} cancels, ${share(flow.crossing)} crossing), ${thousands(RESTING_ORDERS)} orders resting, seed ${SEED}, ${ROUNDS} rounds`,
    `engine ${thousands(a)} commands/s, nodejs-order-book ${thousands(b)}/s: ratio ${(a / b).toFixed(2)}`,
  ];
}
