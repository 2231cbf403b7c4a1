/** Long answers made one piece in each turn of the event loop, among them JSON of many rows. */
import type { Timers } from "../../platform/world/port.ts";
import { type Body, type LongBody, LongTextWriter } from "./long-text.ts";

// Between two pieces of a long answer the requests of others are served. Requests for an answer that is not begun yet
// share it, and get it one in each turn, since a long answer also takes time to send. Decision 16.

/** Each `yield` ends a turn. Data that must be of one moment is read in one turn. */
export type Pieces<Result> = Generator<void, Result, void>;

/** Answers in the making, a piece of each in turn; the data that each has read takes memory. */
export const MAX_IN_MAKING = 8;

interface Making {
  readonly begin: () => Pieces<unknown>;
  /** Those who asked for it, in their order. */
  readonly sharers: PromiseWithResolvers<unknown>[];
  /** Undefined: not begun. */
  pieces?: Pieces<void>;
}

export class Turns {
  readonly #nextTurn: Timers["soon"];
  /** Answers not begun, by key, in the order of request. */
  readonly #waiting = new Map<string | symbol, Making>();
  readonly #inMaking: Making[] = [];
  #isRunning = false;

  constructor({ soon }: Pick<Timers, "soon">) {
    this.#nextTurn = soon;
  }

  /**
   * `key` names the request: equal keys mean equal results; null: shared with nobody. The result is as of its
   * beginning, which is never before the request.
   */
  make<Result>(key: string | null, begin: () => Pieces<Result>): Promise<Result> {
    const place = key ?? Symbol("alone");
    let making = this.#waiting.get(place);
    if (making === undefined) {
      making = { begin, sharers: [] };
      this.#waiting.set(place, making);
    }
    const result = Promise.withResolvers<unknown>();
    making.sharers.push(result);
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#nextTurn(this.#piece);
    }
    return result.promise as Promise<Result>;
  }

  readonly #piece = (): void => {
    const making = this.#next();
    if (making === undefined) {
      this.#isRunning = false;
      return;
    }
    this.#nextTurn(this.#piece);
    try {
      making.pieces ??= madeAndGiven(making);
      if (making.pieces.next().done !== true) this.#inMaking.push(making);
    } catch (error) {
      for (const sharer of making.sharers) sharer.reject(error);
    }
  };

  /** A waiting one, while there is room; else the one that has waited longest for its next piece. */
  #next(): Making | undefined {
    if (this.#inMaking.length < MAX_IN_MAKING) {
      for (const [place, making] of this.#waiting) {
        this.#waiting.delete(place);
        return making;
      }
    }
    return this.#inMaking.shift();
  }
}

function* madeAndGiven({ begin, sharers }: Making): Pieces<void> {
  const value = yield* begin();
  for (const [at, sharer] of sharers.entries()) {
    if (at > 0) yield;
    sharer.resolve(value);
  }
}

/** Makes a result at once, for results of few pieces. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** How rows are turned into text. */
export interface RowWriting<Row> {
  /** Number of rows written in a fraction of a millisecond. */
  readonly rowsAPiece: number;
  /** JSON of a row. */
  readonly write: (row: Row) => string;
}

/** The rows of an answer, as of one moment. */
export interface Reading<Row> {
  readonly rows: readonly Row[];
  /** Text around the rows; brackets by default. */
  readonly before?: string;
  readonly after?: string;
}

export interface LongList<Row> extends RowWriting<Row> {
  /** Names the request: equal keys mean equal lists; null: the list is shared with nobody. */
  readonly key: string | null;
  /** Number of rows to come: at most `rowsAPiece` are written at once. */
  readonly count: number;
  /** Only copies what may change. */
  readonly read: () => Reading<Row>;
}

export function longList<Row>(turns: Turns, list: LongList<Row>): string | Promise<LongBody> {
  if (list.count > list.rowsAPiece) return turns.make(list.key, () => listPieces(list));
  const { rows, before = "[", after = "]" } = list.read();
  return before + rows.map(list.write).join(",") + after;
}

/** Writes rows that are read already. */
export function writtenRows<Row>(
  turns: Turns,
  reading: Reading<Row>,
  write: (row: Row) => string,
  rowsAPiece = 100,
): MaybeLong {
  return longList(turns, { key: null, count: reading.rows.length, rowsAPiece, read: () => reading, write });
}

function* listPieces<Row>(list: LongList<Row>): Pieces<LongBody> {
  const { rows, before, after } = list.read();
  yield;
  const text = new LongTextWriter();
  yield* writeRows(text, rows, list, before, after);
  return { head: "", text: text.text() };
}

/** Appends to `text`. `rows` must not change in between. */
export function* writeRows<Row>(
  text: LongTextWriter,
  rows: Iterable<Row>,
  { rowsAPiece, write }: RowWriting<Row>,
  before = "[",
  after = "]",
): Pieces<void> {
  let piece = before;
  let count = 0;
  for (const row of rows) {
    piece += count === 0 ? write(row) : `,${write(row)}`;
    if (++count % rowsAPiece !== 0) continue;
    text.add(piece);
    piece = "";
    yield;
  }
  text.add(piece + after);
}

/** An answer that may be long or short. */
export type MaybeLong = Body | Promise<Body>;
