/**
 * What accounts are still to be sent of an entry that ended very many orders: a piece in each turn of the event loop, and
 * the next when the last one has been read. At once it would hold up everybody's orders, and overflow the sockets of the
 * account. Decision 69.
 */
import type { Timers } from "../../../platform/world/port.ts";

/** Messages in one turn: less than a millisecond of work. */
export const MESSAGES_A_TURN = 100;
/** So long a piece waits for listeners who do not read; then they are dropped by the bound of their sockets. */
const READ_PATIENCE_MS = 1000;

type Send = () => void;

interface Backlog {
  readonly sends: Send[];
  /** The next of them. */
  next: number;
  /** Whether its last piece is being read. */
  isBeingRead: boolean;
}

export class Backlogs {
  readonly #timers: Pick<Timers, "soon" | "after">;
  readonly #whenRead: (accountId: number) => Promise<unknown> | undefined;
  /** Accounts by turn: whoever was sent a piece goes to the end. */
  readonly #byAccount = new Map<number, Backlog>();
  #isScheduled = false;

  /** `whenRead` resolves when the account's listeners have read what they were sent; undefined: they have. */
  constructor(timers: Pick<Timers, "soon" | "after">, whenRead: (accountId: number) => Promise<unknown> | undefined) {
    this.#timers = timers;
    this.#whenRead = whenRead;
  }

  has(accountId: number): boolean {
    return this.#byAccount.has(accountId);
  }

  /** Sends in a later turn, behind what waits already. */
  add(accountId: number, send: Send): void {
    let backlog = this.#byAccount.get(accountId);
    if (backlog === undefined) {
      backlog = { sends: [], next: 0, isBeingRead: false };
      this.#byAccount.set(accountId, backlog);
    }
    backlog.sends.push(send);
    this.#schedule();
  }

  /** The account has no listeners any more. */
  drop(accountId: number): void {
    this.#byAccount.delete(accountId);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.soon(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    const [accountId, backlog] = [...this.#byAccount].find(([, { isBeingRead }]) => !isBeingRead) ?? [];
    if (accountId === undefined || backlog === undefined) return;
    this.#schedule();
    const read = this.#whenRead(accountId);
    if (read === undefined) this.#sendPiece(accountId, backlog);
    else this.#waitFor(read, backlog);
  };

  #waitFor(read: Promise<unknown>, backlog: Backlog): void {
    backlog.isBeingRead = true;
    const goOn = (): void => {
      cancel();
      if (!backlog.isBeingRead) return;
      backlog.isBeingRead = false;
      this.#schedule();
    };
    const cancel = this.#timers.after(READ_PATIENCE_MS, goOn, "user streams: backlog");
    void read.then(goOn);
  }

  #sendPiece(accountId: number, backlog: Backlog): void {
    const { sends } = backlog;
    for (const send of sends.slice(backlog.next, backlog.next + MESSAGES_A_TURN)) send();
    backlog.next += MESSAGES_A_TURN;
    // A message may have ended the last stream, and with it the backlog.
    if (this.#byAccount.get(accountId) !== backlog) return;
    this.#byAccount.delete(accountId);
    if (backlog.next < sends.length) this.#byAccount.set(accountId, backlog);
  }
}
