/**
 * Tries every starting book of up to six orders over three prices, and on each every sequence of two commands from a
 * small alphabet; its prefixes are the shorter sequences. The fast book must agree with the naive book, and both with
 * the model. BRUTE_COMMANDS sets another length; brute-force.campaign.ts tries sequences of five.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine, type Event, type OrderRecord } from "@pricetime/engine";
import { NaiveBook } from "@pricetime/engine/naive-book";
import { limitOrder, MAKER, startingBooks, TAKER } from "./brute/books.ts";
import { OPENING } from "./brute/exchange.ts";
import { waitingOrders } from "./brute/stops.ts";
import { happeningsOf, ModelExchange, sentence } from "@pricetime/testkit/models";

const TIME_MS = 1_700_000_000_000;
const COMMANDS = Number(process.env["BRUTE_COMMANDS"] ?? 2);

/** A command with its own id. Some commands depend on the open orders. */
type Letter = (id: string, engine: Engine) => Command;

const market =
  (side: "BUY" | "SELL", lots: number) =>
  (id: string): Command => ({
    ...limitOrder(TAKER, id, side, 0, lots, 0),
    orderType: "MARKET",
  });
const cancelOldest: Letter = (id, engine) => ({
  type: "cancelOrder",
  accountId: MAKER,
  symbolId: 0,
  orderId: engine.openOrders(MAKER)[0]?.orderId ?? 1,
  origClientOrderId: "",
  newClientOrderId: id,
});

/** Reduces the maker's largest order to one lot: it keeps its place, also if it is an iceberg or a leg of a list. */
const amendLargest: Letter = (id, engine) => {
  const [first, ...others] = engine.openOrders(MAKER);
  const left = (order: OrderRecord): number => order.quantityLots - order.executedLots;
  const largest = others.reduce((best, order) => (best && left(order) <= left(best) ? best : order), first);
  const common = { type: "amendOrder", accountId: MAKER, symbolId: 0, newClientOrderId: id } as const;
  return { ...common, orderId: largest?.orderId ?? 1, origClientOrderId: "", quantityLots: 1 };
};

const BOOK_LETTERS: readonly Letter[] = [
  (id) => limitOrder(TAKER, id, "BUY", 3, 3, 0),
  (id) => limitOrder(TAKER, id, "SELL", 2, 3, 1),
  market("SELL", 2),
  cancelOldest,
  amendLargest,
];
const STOP_LETTERS: readonly Letter[] = [market("BUY", 2), market("SELL", 1), cancelOldest, amendLargest];

function sequences(letters: readonly Letter[]): (readonly Letter[])[] {
  let found: (readonly Letter[])[] = [[]];
  for (let i = 0; i < COMMANDS; i++) {
    found = found.flatMap((sequence) => letters.map((letter) => [...sequence, letter]));
  }
  return found;
}

/** Counts of each outcome, so that the test fails if a case no longer occurs. */
type Counts = Map<string, number>;

class Case {
  readonly #fast = new Engine();
  readonly #naive = new Engine({ newBook: () => new NaiveBook() });
  readonly #model: ModelExchange | null;
  readonly #counts: Counts;
  readonly #done: Command[] = [];

  constructor(withModel: boolean, counts: Counts) {
    this.#model = withModel ? new ModelExchange() : null;
    this.#counts = counts;
  }

  run(start: readonly Command[], sequence: readonly Letter[]): void {
    try {
      for (const command of OPENING) this.#apply(command);
      for (const command of start) assert.notEqual(this.#apply(command)[0]?.type, "rejected", "a starting order");
      for (const [i, letter] of sequence.entries()) this.#count(this.#apply(letter(`t${i}`, this.#fast)));
      this.#compare();
    } catch (error) {
      const story = this.#done.slice(OPENING.length).map((command) => JSON.stringify(command, bigText));
      throw new Error(`${String(error)}\n${story.join("\n")}`, { cause: error });
    }
  }

  #apply(command: Command): readonly Event[] {
    this.#done.push(command);
    const seq = this.#done.length;
    const events = this.#fast.apply({ seq, timeMs: TIME_MS, command });
    const others = this.#naive.apply({ seq, timeMs: TIME_MS, command });
    assert.equal(events.length, others.length, "events of the two books");
    if (this.#model !== null) {
      const predicted = this.#model.apply(TIME_MS, command).map(sentence).join("\n");
      assert.equal(happeningsOf(this.#fast, events).map(sentence).join("\n"), predicted, "model");
    }
    return events;
  }

  /** The digest covers every event; every 17th run also compares the complete state with the model. */
  #compare(): void {
    assert.equal(this.#fast.eventDigest(), this.#naive.eventDigest(), "events of the two books");
    const [fast, naive] = [this.#fast.market(0), this.#naive.market(0)];
    const depth = String([fast.bids(9), ":", fast.asks(9)]);
    assert.equal(depth, String([naive.bids(9), ":", naive.asks(9)]), "depth of the two books");
    if (this.#model === null) return;
    this.#fast.checkInvariants();
    this.#naive.checkInvariants();
    assert.equal(Buffer.compare(this.#fast.snapshot(), this.#naive.snapshot()), 0, "state of the two books");
  }

  #count(events: readonly Event[]): void {
    for (const event of events) {
      const name = event.type === "orderOpened" && event.order.stopTicks > 0 ? "triggered" : event.type;
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    }
  }
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

function runAll(
  starts: Iterable<readonly Command[]>,
  letters: readonly Letter[],
  modelEvery: number,
): [number, Counts] {
  const all = sequences(letters);
  const counts: Counts = new Map();
  let cases = 0;
  for (const start of starts) {
    for (const sequence of all) new Case(cases++ % modelEvery === 0, counts).run(start, sequence);
  }
  return [cases, counts];
}

const BOOKS = 252;
const WAITING_SETS = 84;
const BOOK_CASES = BOOKS * BOOK_LETTERS.length ** COMMANDS;
const STOP_CASES = WAITING_SETS * STOP_LETTERS.length ** COMMANDS;

test(`${BOOK_CASES} cases: ${BOOKS} starting books, all sequences of ${COMMANDS} commands each`, {
  timeout: 300_000,
}, () => {
  // Every 17th run also uses the model: 17 and the size of the alphabet have no common factor.
  const [cases, counts] = runAll(startingBooks(), BOOK_LETTERS, 17);
  assert.equal(cases, BOOK_CASES);
  assert.ok((counts.get("trade") ?? 0) > 1.4 * cases, String([...counts]));
  assert.ok((counts.get("orderListChanged") ?? 0) > 0.38 * cases, String([...counts]));
  assert.ok((counts.get("orderAmended") ?? 0) > 0.25 * cases, String([...counts]));
});

test(`${STOP_CASES} cases: ${WAITING_SETS} sets of waiting orders, all sequences of ${COMMANDS} each`, {
  timeout: 300_000,
}, () => {
  const [cases, counts] = runAll(waitingOrders(), STOP_LETTERS, 1);
  assert.equal(cases, STOP_CASES);
  assert.ok((counts.get("triggered") ?? 0) > 0.9 * cases, String([...counts]));
  assert.ok((counts.get("trade") ?? 0) > 0.9 * cases, String([...counts]));
});
