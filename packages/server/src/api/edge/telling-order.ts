/**
 * The order in which a node reports an entry. When the entry is durable and applied, its followers hear of it, one
 * after the other. Then the messages of streams leave, and then the answers. So nobody reads the answer to a request
 * before its listeners could read of it (Interface 6), however many turns a handler has waited.
 */
import type { Entry, Event } from "@pricetime/engine";

/** Follows the exchange entry by entry. */
export interface Follower {
  /** Called while the engine is at the entry. */
  applied(entry: Entry, events: readonly Event[]): void;
}

type Send = () => void;

export class TellingOrder {
  #followers: Follower[] = [];
  #streams: Send[] = [];
  #answers: Send[] = [];
  #isDue = false;

  /** Adds followers, which hear of each entry in the order of the arguments. */
  follow(...followers: readonly Follower[]): void {
    this.#followers.push(...followers);
  }

  /** Removes all followers, because all of them are about to be made anew. */
  leaveAll(): void {
    this.#followers = [];
  }

  /** The hook of the sequencer, which settles the entry's request next. */
  readonly applied = (entry: Entry, events: readonly Event[]): void => {
    for (const follower of this.#followers) follower.applied(entry, events);
  };

  /** Whether nothing waits to be sent. */
  get isQuiet(): boolean {
    return !this.#isDue;
  }

  /** Sends at the end of this turn of the event loop, before every answer. */
  stream(send: Send): void {
    this.#streams.push(send);
    this.#drainSoon();
  }

  /** Sends at the end of this turn, after all messages of streams. */
  answer(send: Send): void {
    this.#answers.push(send);
    this.#drainSoon();
  }

  #drainSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(this.#drain);
  }

  readonly #drain = (): void => {
    const [streams, answers] = [this.#streams, this.#answers];
    this.#isDue = false;
    this.#streams = [];
    this.#answers = [];
    sendAll(streams);
    sendAll(answers);
  };
}

/** A send that throws is our bug. It ends the process, but only after all others were sent: their batch is durable. */
function sendAll(sends: readonly Send[]): void {
  for (const send of sends) {
    try {
      send();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
