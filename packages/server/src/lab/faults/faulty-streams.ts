/** Applies faults to stream messages. Messages of a stream stay in order. */
import type { StreamFaults, StreamLine, StreamMessage } from "../../api/streams/port.ts";
import type { FaultBook } from "./fault-book.ts";
import { describeMessage, heard } from "./targets.ts";
import { MAX_HELD_MESSAGES } from "./fault.ts";
import { drawMs } from "./delays.ts";

interface HeldMessage {
  readonly dueMs: number;
  readonly payload: string;
  readonly copies: number;
}

/** The combined effect of all faults on a message. */
interface Fate {
  waitMs: number;
  /** Whether the message is sent in its own turn. */
  isLate: boolean;
  copies: number;
}

export class FaultyStreams implements StreamFaults {
  readonly #book: FaultBook;
  /** The held messages of each stream, in the order of their arrival. */
  readonly #held = new Map<StreamLine, HeldMessage[]>();
  #heldCount = 0;

  constructor(book: FaultBook) {
    this.#book = book;
  }

  get isIdle(): boolean {
    return this.#heldCount === 0;
  }

  pass(message: StreamMessage, line: StreamLine): void {
    const fate: Fate = { waitMs: 0, isLate: false, copies: 1 };
    const { payload } = message;
    if (this.#book.streamRules.length > 0 && !this.#strike(message, line, fate)) return;
    const { waitMs, isLate, copies } = fate;
    if (waitMs === 0 && !isLate && !this.#held.has(line)) send(line, payload, copies);
    else this.#hold(line, { dueMs: this.#book.nowMs() + waitMs, payload, copies });
  }

  /** Applies the faults to a message. Returns false if it is dropped. */
  #strike(message: StreamMessage, line: StreamLine, fate: Fate): boolean {
    const book = this.#book;
    const about = heard(message, book.view, book.nowMs());
    for (const { rule, isMeant } of book.streamRules) {
      const { fault } = rule;
      if (!isMeant(about) || !book.strikes(rule)) continue;
      const told = describeMessage(about);
      switch (fault.fault) {
        case "drop":
        case "gap":
          book.note(rule, told);
          return false;
        case "cut":
          book.note(rule, told);
          line.cut(fault.code);
          return false;
        case "duplicate":
          book.note(rule, told);
          fate.copies += fault.copies;
          break;
        case "late":
          book.note(rule, told);
          fate.isLate = true;
          break;
        case "hold": {
          const ms = drawMs(fault, book.dice);
          book.note(rule, { ...told, ms });
          fate.waitMs += ms;
        }
      }
    }
    return true;
  }

  #hold(line: StreamLine, message: HeldMessage): void {
    const waiting = this.#held.get(line);
    if (waiting === undefined) this.#held.set(line, [message]);
    else waiting.push(message);
    this.#heldCount++;
    if (waiting === undefined) this.#releaseLater(line, message.dueMs);
    else if (this.#heldCount > MAX_HELD_MESSAGES) this.#releaseFirst(line, waiting);
  }

  #releaseLater(line: StreamLine, dueMs: number): void {
    const { delays, world } = this.#book;
    const waitMs = dueMs - this.#book.nowMs();
    if (waitMs <= 0) world.soon(() => this.#release(line));
    else
      delays.later(
        waitMs,
        () => this.#release(line),
        () => {},
      );
  }

  /** Sends the held messages up to the first one that is not due yet. */
  #release(line: StreamLine): void {
    const waiting = this.#held.get(line) ?? [];
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      if (first.dueMs > this.#book.nowMs()) {
        this.#releaseLater(line, first.dueMs);
        return;
      }
      this.#releaseFirst(line, waiting);
    }
    this.#held.delete(line);
  }

  #releaseFirst(line: StreamLine, waiting: HeldMessage[]): void {
    const first = waiting.shift();
    if (first === undefined) return;
    this.#heldCount--;
    send(line, first.payload, first.copies);
  }
}

function send(line: StreamLine, payload: string, copies: number): void {
  for (let i = 0; i < copies; i++) line.send(payload);
}
