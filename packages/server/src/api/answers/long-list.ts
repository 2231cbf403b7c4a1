/** Generates long responses, such as JSON of many rows, in pieces: one piece per turn of the event loop. */
import type { Timers } from "../../platform/world/port.ts";
import { type Body, type LongBody, LongTextWriter } from "./long-text.ts";

// Other requests are served between two pieces. Requests for a response that has not been started yet share it. A
// shared response is sent to one request per turn, because sending a long response also takes time. Decision 16.

/** Each `yield` ends a turn of the event loop. Data that must be consistent is read in one turn. */
export type Pieces<Result> = Generator<void, Result, void>;

/** Maximum number of responses generated at the same time. Each keeps its data in memory. */
export const MAX_IN_MAKING = 8;

interface Making {
  readonly begin: () => Pieces<unknown>;
  /** The requests that share the result, in order of arrival. */
  readonly sharers: PromiseWithResolvers<unknown>[];
  /** Undefined if generation has not started. */
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

  /**
   * Requests with equal keys share a result; a null key is never shared. The data is read after the request arrived.
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
      making.pieces ??= makeAndShare(making);
      if (making.pieces.next().done !== true) this.#inMaking.push(making);
    } catch (error) {
      for (const sharer of making.sharers) sharer.reject(error);
    }
  };

  /**
   * The next waiting response if fewer than `MAX_IN_MAKING` are being generated; otherwise the one that has waited
   * longest for its next piece.
   */
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

/** Generates a short result in a single turn. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** How rows are written as text. */
export interface RowWriting<Row> {
  /** Number of rows per piece. Writing them takes a fraction of a millisecond. */
  readonly rowsAPiece: number;
  /** Returns the JSON of a row. */
  readonly write: (row: Row) => string;
}

/** The rows of a response, all from the same instant. */
export interface Reading<Row> {
  readonly rows: readonly Row[];
  /** The texts before and after the rows. Default: brackets. */
  readonly before?: string;
  readonly after?: string;
}

export interface LongList<Row> extends RowWriting<Row> {
  /** Requests with equal keys share the list; a null key is never shared. */
  readonly key: string | null;
  /** Number of rows. A list of up to `rowsAPiece` rows is written in a single turn. */
  readonly count: number;
  /** Reads the rows. Only data that may change is copied. */
  readonly read: () => Reading<Row>;
}

export function longList<Row>(turns: Turns, list: LongList<Row>): string | Promise<LongBody> {
  if (list.count > list.rowsAPiece) return turns.make(list.key, () => listPieces(list));
  const { rows, before = "[", after = "]" } = list.read();
  return before + rows.map(list.write).join(",") + after;
}

/** Writes rows that have already been read. */
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

/** Appends the rows to `text`. They must not change until all of them are written. */
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
