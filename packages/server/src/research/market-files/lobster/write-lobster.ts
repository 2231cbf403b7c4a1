/** Writes a day of a symbol in LOBSTER's layout: messages, the book after each, and how to read them. */
import type { OutputFile } from "../output-file.ts";
import { type LobsterMeta, lobsterNames } from "./lobster-day.ts";
import { LOBSTER_TYPE, type LobsterRow, NS_A_MS } from "./lobster-row.ts";
import type { VisibleBook } from "./visible-book.ts";

const NS_A_SECOND = 1_000_000_000;

export class LobsterDay {
  readonly #message: OutputFile;
  readonly #orderbook: OutputFile;

  /** `create` makes a file of this name. */
  constructor(meta: LobsterMeta, create: (name: string) => OutputFile) {
    const names = lobsterNames(meta);
    this.#message = create(names.message);
    this.#orderbook = create(names.orderbook);
    create(names.meta).addText(`${JSON.stringify(meta)}\n`);
  }

  /** `book` is as the message leaves it. */
  add({ timeNs, type, orderId, size, price, direction }: LobsterRow, book: VisibleBook): void {
    this.#message.addText(`${secondsText(timeNs)},${type},${orderId},${size},${price},${direction}\n`);
    this.#orderbook.addText(`${book.line()}\n`);
  }
}

/** Applies a message to the book. Hidden executions and halts leave it as it is. */
export function applyMessage(book: VisibleBook, { type, size, price, direction }: LobsterRow): void {
  if (type === LOBSTER_TYPE.newOrder) book.add(direction, price, size);
  else if (type <= LOBSTER_TYPE.execution) book.add(direction, price, -size);
}

/** Seconds with 3 digits after the point, or with 9 where 3 do not hold the time. */
function secondsText(timeNs: number): string {
  const seconds = Math.floor(timeNs / NS_A_SECOND);
  const rest = timeNs - seconds * NS_A_SECOND;
  const digits = rest % NS_A_MS === 0 ? String(rest / NS_A_MS).padStart(3, "0") : String(rest).padStart(9, "0");
  return `${seconds}.${digits}`;
}
