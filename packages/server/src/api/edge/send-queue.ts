/**
 * The queue of outgoing messages. After an entry is durable and applied, followers process it, then stream messages are
 * sent, and then responses. So the result of a request is published before its response is sent (Interface 6), no
 * matter how many turns of the event loop the handler needs.
 */
import type { Entry, Event } from "@pricetime/engine";

/** Receives every entry that the exchange applies. */
export interface Follower {
  /** Called while the engine's state is that just after the entry. */
  applied(entry: Entry, events: readonly Event[]): void;
}

type Send = () => void;

export class SendQueue {
  #followers: Follower[] = [];
  #streams: Send[] = [];
  #answers: Send[] = [];
  #isDue = false;

  /** Adds followers, which are called in the order of the arguments. */
  follow(...followers: readonly Follower[]): void {
    this.#followers.push(...followers);
  }

  /** Removes all followers, before all of them are replaced. */
  leaveAll(): void {
    this.#followers = [];
  }

  /** The sequencer calls it before it settles the entry's request. */
  readonly applied = (entry: Entry, events: readonly Event[]): void => {
    for (const follower of this.#followers) follower.applied(entry, events);
  };

  /** Whether the queue is empty. */
  get isQuiet(): boolean {
    return !this.#isDue;
  }

  /**
   * Queues a stream message. All stream messages are sent at the end of this turn of the event loop, before all
   * responses.
   */
  stream(send: Send): void {
    this.#streams.push(send);
    this.#drainSoon();
  }

  /** Queues a response. Responses are sent at the end of this turn, after all stream messages. */
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

/**
 * Sends all messages. An exception is a bug and ends the process, but only after all other messages are sent, because
 * their batch is durable.
 */
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
