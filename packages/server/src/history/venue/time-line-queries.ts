/**
 * Reads the time line of an account: lists of different things, merged by time. Each list gives its own newest rows before
 * a place, by an index, so that a page costs the same wherever it begins.
 */
import type { DatabaseSync } from "node:sqlite";
import type { OrderQueries } from "../orders/order-queries.ts";
import type { Units } from "../table/units.ts";
import type { TimeLine, TimeLineKind, TimeLinePlace, TimeLineQuestion, TimeLineRow } from "../venue-port.ts";
import { ActLine } from "./act-line.ts";
import { moneyLines } from "./money-lines.ts";
import { OrderLine } from "./order-line.ts";
import type { Line, LineItem } from "./line.ts";
import { TradeLine } from "./trade-line.ts";

/** Before every place. */
const NOW: TimeLinePlace = {
  timeMs: Number.MAX_SAFE_INTEGER,
  list: Number.MAX_SAFE_INTEGER,
  symbolId: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
};

export class TimeLineQueries {
  /** The place in the list is the number of a line in a place: of one moment, the last come first. */
  readonly #lines: readonly Line[];

  constructor(database: DatabaseSync, units: Units, orders: OrderQueries) {
    this.#lines = [
      new OrderLine(database, units, orders),
      new TradeLine(database, units),
      ...moneyLines(database, units),
      new ActLine(database),
    ];
  }

  timeLine(accountId: number, { kinds, before = NOW, limit }: TimeLineQuestion): TimeLine {
    const wanted: ReadonlySet<TimeLineKind> = new Set(kinds);
    const items: (LineItem & { readonly place: TimeLinePlace })[] = [];
    for (const [list, line] of this.#lines.entries()) {
      if (!line.kinds.some((kind) => wanted.has(kind))) continue;
      for (const item of line.newest(accountId, { before: boundFor(list, before), kinds: wanted, limit })) {
        items.push({ ...item, place: { timeMs: item.timeMs, list, symbolId: item.symbolId, id: item.id } });
      }
    }
    items.sort((a, b) => comparePlaces(b.place, a.place));
    const page = items.slice(0, limit);
    const rows: TimeLineRow[] = page.map(({ row }) => row());
    return { rows, last: page.at(-1)?.place ?? null };
  }
}

/** The bound within a list: of the place's own moment everything in lists below it is still to come, of those above nothing. */
function boundFor(list: number, { timeMs, list: at, symbolId, id }: TimeLinePlace): Omit<TimeLinePlace, "list"> {
  if (list === at) return { timeMs, symbolId, id };
  return list < at ? { ...NOW, timeMs } : { timeMs, symbolId: -1, id: -1 };
}

function comparePlaces(a: TimeLinePlace, b: TimeLinePlace): number {
  return a.timeMs - b.timeMs || a.list - b.list || a.symbolId - b.symbolId || a.id - b.id;
}
