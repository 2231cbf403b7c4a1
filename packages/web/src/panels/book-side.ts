/**
 * One side of the book: its levels grouped by price step, and the rows that show them. Rows are created once and
 * updated.
 */
import { formatDecimal, fromUnits } from "../exact/decimal.ts";
import type { Level } from "../market/port.ts";
import { grouped, showShort, showUnits } from "../exact/shown.ts";

// Groups the levels of one side of a book by price step.

/** A row of the book. Numbers are in units of the market's last digits, as in `Level`. */
export interface Rung {
  readonly price: number;
  readonly quantity: number;
  /** The total quantity from the best price to this row. */
  readonly total: number;
  /**
   * Price × quantity, and its total up to this row, for the bars and for amounts in the quote asset. The unit is the
   * product of the units of price and quantity.
   */
  readonly value: bigint;
  readonly totalValue: bigint;
}

/**
 * The price of the row that contains a price. Bids are rounded down and asks up, so that no row shows a better price
 * than its orders have.
 */
export function rungPrice(price: number, step: number, side: "bids" | "asks"): number {
  return (side === "bids" ? Math.floor(price / step) : Math.ceil(price / step)) * step;
}

/** Groups levels into at most `rows` rows. `levels` are best first. */
export function rungsOf(levels: readonly Level[], side: "bids" | "asks", step: number, rows: number): Rung[] {
  const rungs: Rung[] = [];
  let price = Number.NaN;
  let quantity = 0;
  let total = 0;
  let value = 0n;
  let totalValue = 0n;
  for (const level of levels) {
    const at = step === 1 ? level.price : rungPrice(level.price, step, side);
    if (at !== price) {
      if (quantity > 0) rungs.push({ price, quantity, total, value, totalValue });
      if (rungs.length === rows) return rungs;
      price = at;
      quantity = 0;
      value = 0n;
    }
    const levelValue = BigInt(level.price) * BigInt(level.quantity);
    quantity += level.quantity;
    total += level.quantity;
    value += levelValue;
    totalValue += levelValue;
  }
  if (quantity > 0 && rungs.length < rows) rungs.push({ price, quantity, total, value, totalValue });
  return rungs;
}

/** The price steps that the user can choose: 1, 10, 100 … ticks, up to about a fiftieth of the price. */
export function groupingSteps(tick: number, price: number): number[] {
  const steps = [tick];
  for (let step = tick * 10; steps.length < 6 && (steps.length < 2 || step * 50 <= price); step *= 10) steps.push(step);
  return steps;
}

const NONE_CHANGED: ReadonlySet<number> = new Set();

/**
 * The prices of rows whose quantity has changed. `before` has the drawn quantities by price, because a new level shifts
 * all rows below it. Rows that have just come into view at the far end do not count. If most rows have changed, because
 * the price moved, none does: a highlight of everything would only flicker.
 */
export function changedPrices(
  before: ReadonlyMap<number, number>,
  rungs: readonly Rung[],
  side: "bids" | "asks",
): ReadonlySet<number> {
  const changed = new Set<number>();
  if (before.size === 0) return changed;
  let farthest = Number.NaN;
  for (const price of before.keys()) farthest = price;
  for (const { price, quantity } of rungs) {
    const was = before.get(price);
    const isNew = was === undefined && (side === "bids" ? price > farthest : price < farthest);
    if (isNew || (was !== undefined && was !== quantity)) changed.add(price);
  }
  return changed.size * 2 > rungs.length ? NONE_CHANGED : changed;
}

// The rows of one side.

/** How rows are shown. */
export interface RungLook {
  readonly priceDigits: number;
  readonly quantityDigits: number;
  readonly quoteDigits: number;
  readonly unit: "base" | "quote";
  readonly isCumulative: boolean;
  /** Whether quantities are shortened, such as 1.25K, and their sum is left out. */
  readonly isShort: boolean;
  /** The greatest value on both sides, for which the bar has full width. */
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

/** The value that a row's bar shows. A float is precise enough for a length on the screen. */
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

/** Formats price × quantity as an amount of the quote asset, truncated. */
function showValue(value: bigint, { priceDigits, quantityDigits, quoteDigits }: RungLook): string {
  const digits = Math.min(quoteDigits, 2);
  const cut = value / 10n ** BigInt(Math.max(0, priceDigits + quantityDigits - digits));
  const text = cut.toString().padStart(digits + 1, "0");
  return digits === 0 ? grouped(text) : grouped(`${text.slice(0, -digits)}.${text.slice(-digits)}`);
}

function shortSize({ quantity, value }: Rung, { unit, priceDigits, quantityDigits }: RungLook): string {
  const size =
    unit === "quote" ? { units: value, digits: priceDigits + quantityDigits } : fromUnits(quantity, quantityDigits);
  return showShort(formatDecimal(size));
}

export class BookSide {
  readonly element: HTMLElement;
  readonly #side: "bids" | "asks";
  readonly #rows: Row[] = [];
  /** The last drawn quantities by price, best first. */
  #drawn: ReadonlyMap<number, number> = new Map();

  constructor(side: "bids" | "asks") {
    this.#side = side;
    this.element = document.createElement("div");
    this.element.className = `side ${side}`;
  }

  /** The price of the row that contains `target`; null if none does. */
  priceAt(target: Node): number | null {
    const row = this.#rows.find(({ element }) => element.contains(target));
    return row === undefined || row.element.hidden ? null : row.price;
  }

  /** Draws at most `count` rows. `own` has the prices of rows with an order of the account. */
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
    if (look.isShort) write(row.cells[1], shortSize(rung, look));
    else {
      write(row.cells[1], isQuote ? showValue(rung.value, look) : showUnits(rung.quantity, look.quantityDigits));
      write(row.cells[2], isQuote ? showValue(rung.totalValue, look) : showUnits(rung.total, look.quantityDigits));
    }
    const share = look.most === 0 ? 0 : Math.round((size * 1000) / look.most);
    if (share !== row.share) row.bar.style.transform = `scaleX(${share / 1000})`;
    if (isOwn !== row.isOwn) row.element.classList.toggle("own", isOwn);
    this.#flash(row, isFresh);
    row.price = rung.price;
    row.share = share;
    row.isOwn = isOwn;
  }

  /**
   * Removes the highlights of changed rows. CSS animations are not used, because they would redraw sixty times a
   * second.
   */
  calm(): void {
    for (const row of this.#rows) this.#flash(row, false);
  }

  #flash(row: Row, isFresh: boolean): void {
    if (isFresh !== row.isFresh) row.element.classList.toggle("fresh", isFresh);
    row.isFresh = isFresh;
  }

  /** Adds or removes rows. Asks are stacked upwards, because the best price is next to the spread. */
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
