/** Makes long responses in pieces, one in each turn of the event loop; among them JSON of many rows. */
import type { Timers } from "../../platform/world/port.ts";
import { type Body, type LongBody, LongTextWriter } from "./long-text.ts";

// Other requests are served between two pieces. Requests for a response that has not been started yet share it. It is
// sent to one of them in each turn, because sending a long response also takes time. Decision 16.

/** Each `yield` ends a turn of the event loop. Data that must be consistent is read in one turn. */
export type Pieces<Result> = Generator<void, Result, void>;

/** Responses made at the same time. Each holds the data that it has read in memory. */
export const MAX_IN_MAKING = 8;

interface Making {
  readonly begin: () => Pieces<unknown>;
  /** The requests that share the result, in order of arrival. */
  readonly sharers: PromiseWithResolvers<unknown>[];
  /** Undefined: not started. */
  pieces?: Pieces<void>;
}

export class Turns {
  readonly #nextTurn: Timers["soon"];
  /** Responses not started yet, by key, in order of arrival. */
  readonly #waiting = new Map<string | symbol, Making>();
  readonly #inMaking: Making[] = [];
  #isRunning = false;

  constructor({ soon }: Pick<Timers, "soon">) {
    this.#nextTurn = soon;
  }

  /** Requests with equal keys share a result; null: never shared. The data is read after the request. */
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
      making.pieces ??= makeAndShare(making);
      if (making.pieces.next().done !== true) this.#inMaking.push(making);
    } catch (error) {
      for (const sharer of making.sharers) sharer.reject(error);
    }
  };

  /** The next waiting response if there is room, otherwise the one whose last piece is longest ago. */
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

function* makeAndShare({ begin, sharers }: Making): Pieces<void> {
  const value = yield* begin();
  for (const [at, sharer] of sharers.entries()) {
    if (at > 0) yield;
    sharer.resolve(value);
  }
}

/** Makes a short result at once. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** How rows are written as text. */
export interface RowWriting<Row> {
  /** Number of rows written in a fraction of a millisecond. */
  readonly rowsAPiece: number;
  /** JSON of a row. */
  readonly write: (row: Row) => string;
}

/** The rows of a response, as of one point in time. */
export interface Reading<Row> {
  readonly rows: readonly Row[];
  /** Text around the rows. Default: brackets. */
  readonly before?: string;
  readonly after?: string;
}

export interface LongList<Row> extends RowWriting<Row> {
  /** Requests with equal keys share the list; null: never shared. */
  readonly key: string | null;
  /** Number of rows. Up to `rowsAPiece` rows are written at once. */
  readonly count: number;
  /** Only copies what may change. */
  readonly read: () => Reading<Row>;
}

export function longList<Row>(turns: Turns, list: LongList<Row>): string | Promise<LongBody> {
  if (list.count > list.rowsAPiece) return turns.make(list.key, () => listPieces(list));
  const { rows, before = "[", after = "]" } = list.read();
  return before + rows.map(list.write).join(",") + after;
}

/** Writes rows that have been read before. */
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

/** Appends to `text`. `rows` must not change in the meantime. */
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

/** A response that may be long or short. */
export type MaybeLong = Body | Promise<Body>;
