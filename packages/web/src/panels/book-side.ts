/**
 * One side of the drawn book: its levels grouped by price steps, in rows that are created once and reused, written cell
 * by cell where they changed.
 */
import { grouped, showUnits } from "../exact/shown.ts";
import { changedPrices, type Rung } from "./ladder.ts";

// The drawn rows.

/** How a rung is shown. */
export interface RungLook {
  readonly priceDigits: number;
  readonly quantityDigits: number;
  readonly quoteDigits: number;
  readonly unit: "base" | "quote";
  readonly isCumulative: boolean;
  /** The greatest of both sides, for the bars; of the unit and the kind that are shown. */
  readonly most: number;
}

interface Row {
  readonly element: HTMLElement;
  readonly bar: HTMLElement;
  readonly cells: readonly [Text, Text, Text];
  price: number;
  share: number;
  isOwn: boolean;
  isFresh: boolean;
}

/** What a bar measures. A float is enough: it is a length on the screen. */
export function sizeOf(rung: Rung, { unit, isCumulative }: Pick<RungLook, "unit" | "isCumulative">): number {
  if (unit === "quote") return Number(isCumulative ? rung.totalValue : rung.value);
  return isCumulative ? rung.total : rung.quantity;
}

function makeRow(): Row {
  const element = document.createElement("div");
  element.className = "level";
  element.hidden = true;
  const bar = document.createElement("i");
  bar.className = "bar";
  element.append(bar);
  const cells = [new Text(), new Text(), new Text()] as const;
  for (const [at, cell] of cells.entries()) {
    const place = document.createElement("span");
    if (at === 0) place.className = "price";
    place.append(cell);
    element.append(place);
  }
  return { element, bar, cells, price: -1, share: -1, isOwn: false, isFresh: false };
}

function write(cell: Text, text: string): void {
  if (cell.data !== text) cell.data = text;
}

/** An amount of the quote asset from price times quantity, cut to its digits. */
function showValue(value: bigint, { priceDigits, quantityDigits, quoteDigits }: RungLook): string {
  const digits = Math.min(quoteDigits, 2);
  const cut = value / 10n ** BigInt(Math.max(0, priceDigits + quantityDigits - digits));
  const text = cut.toString().padStart(digits + 1, "0");
  return digits === 0 ? grouped(text) : grouped(`${text.slice(0, -digits)}.${text.slice(-digits)}`);
}

const NONE_CHANGED: ReadonlySet<number> = new Set();

export class BookSide {
  readonly element: HTMLElement;
  readonly #side: "bids" | "asks";
  readonly #rows: Row[] = [];
  /** Quantities by price as they were drawn last, the best first. */
  #drawn: ReadonlyMap<number, number> = new Map();

  constructor(side: "bids" | "asks") {
    this.#side = side;
    this.element = document.createElement("div");
    this.element.className = `side ${side}`;
  }

  /** The price of the row in which this element stands; null: it is none of ours. */
  priceAt(target: Node): number | null {
    const row = this.#rows.find(({ element }) => element.contains(target));
    return row === undefined || row.element.hidden ? null : row.price;
  }

  /** `own`: prices of rungs that hold an order of the account. Rows beyond `count` are taken away. */
  draw(rungs: readonly Rung[], count: number, look: RungLook, own: ReadonlySet<number>, flashes: boolean): void {
    this.#resize(count);
    const shown = rungs.slice(0, count);
    const changed = flashes ? changedPrices(this.#drawn, shown, this.#side) : NONE_CHANGED;
    this.#drawn = new Map(shown.map(({ price, quantity }) => [price, quantity]));
    for (const [at, row] of this.#rows.entries()) {
      const rung = rungs[at];
      row.element.hidden = rung === undefined;
      if (rung === undefined) row.price = -1;
      else this.#drawRow(row, rung, look, own.has(rung.price), changed.has(rung.price));
    }
  }

  #drawRow(row: Row, rung: Rung, look: RungLook, isOwn: boolean, isFresh: boolean): void {
    const size = sizeOf(rung, look);
    if (row.price !== rung.price) write(row.cells[0], showUnits(rung.price, look.priceDigits));
    const isQuote = look.unit === "quote";
    write(row.cells[1], isQuote ? showValue(rung.value, look) : showUnits(rung.quantity, look.quantityDigits));
    write(row.cells[2], isQuote ? showValue(rung.totalValue, look) : showUnits(rung.total, look.quantityDigits));
    const share = look.most === 0 ? 0 : Math.round((size * 1000) / look.most);
    if (share !== row.share) row.bar.style.transform = `scaleX(${share / 1000})`;
    if (isOwn !== row.isOwn) row.element.classList.toggle("own", isOwn);
    this.#flash(row, isFresh);
    row.price = rung.price;
    row.share = share;
    row.isOwn = isOwn;
  }

  /** No row is marked as changed any more. An animation would draw sixty frames a second for the same. */
  calm(): void {
    for (const row of this.#rows) this.#flash(row, false);
  }

  #flash(row: Row, isFresh: boolean): void {
    if (isFresh !== row.isFresh) row.element.classList.toggle("fresh", isFresh);
    row.isFresh = isFresh;
  }

  /** The best price stands next to the spread: asks are stacked upwards. */
  #resize(count: number): void {
    while (this.#rows.length > count) this.#rows.pop()?.element.remove();
    while (this.#rows.length < count) {
      const row = makeRow();
      this.#rows.push(row);
      if (this.#side === "asks") this.element.prepend(row.element);
      else this.element.append(row.element);
    }
  }
}
