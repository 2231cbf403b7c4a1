/** Long answers made one piece in each turn of the event loop, among them JSON of many rows. */
import type { Body, LongBody } from "./long-text.ts";
import { LongTextWriter } from "./long-text.ts";
import type { Pieces, Turns } from "./turns.ts";

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
