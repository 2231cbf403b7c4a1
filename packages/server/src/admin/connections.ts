/**
 * Who holds a place on the admin port. Whoever has shown the token is an operator; all others are anybody.
 * These get one answer each and so much time, and when there are too many, those who have not sent a whole
 * request make room, the oldest first: what asks whether the node lives is never kept out by what asks nothing.
 */
import type { Socket } from "node:net";
import type { Timers } from "../world/port.ts";

export interface AdminLimits {
  /** Connections that have not shown the token. */
  readonly maxUnproven: number;
  /** One that is younger is not closed to make room, unless there are `maxUnprovenAtOnce`: its request may be on its way. */
  readonly graceMs: number;
  readonly maxUnprovenAtOnce: number;
  /** Connections of operators. */
  readonly maxOperators: number;
  /** From the opening of a connection to the end of its first headers, and for those of each later request. */
  readonly headersTimeoutMs: number;
  /** To the end of a request's body. */
  readonly requestTimeoutMs: number;
  /** How often the two are looked after. */
  readonly timeoutCheckMs: number;
  /** Who has not shown the token must take its answer within this. */
  readonly readTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** What one connection sends is read by so much in a turn of the event loop. */
  readonly maxBytesATurn: number;
}

export const ADMIN_LIMITS: AdminLimits = {
  maxUnproven: 100,
  graceMs: 100,
  maxUnprovenAtOnce: 1000,
  maxOperators: 100,
  headersTimeoutMs: 5000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 500,
  readTimeoutMs: 5000,
  maxHeaderBytes: 8192,
  maxBytesATurn: 4096,
};

export class AdminConnections {
  readonly #limits: AdminLimits;
  readonly #timers: Timers;
  /** All that have not shown the token, oldest first. */
  readonly #unproven = new Set<Socket>();
  /** Those among them that may be closed: nothing that they have asked is being carried out. */
  readonly #idle = new Set<Socket>();
  /** Those whose request is being carried out. */
  readonly #busy = new Set<Socket>();
  readonly #operators = new Set<Socket>();

  constructor(limits: AdminLimits, timers: Timers) {
    this.#timers = timers;
    this.#limits = limits;
  }

  get unproven(): number {
    return this.#unproven.size;
  }

  opened(socket: Socket): void {
    this.#unproven.add(socket);
    socket.once("close", () => this.#closed(socket));
    if (this.#unproven.size > this.#limits.maxUnprovenAtOnce) this.#closeOldest(this.#unproven);
    // After a turn of the event loop that was long, what has come meanwhile is read first.
    this.#timers.after(this.#limits.graceMs, () => this.#timers.soon(() => this.#mayGo(socket)));
  }

  /** A whole head has come. */
  asked(socket: Socket): void {
    this.#idle.delete(socket);
    if (this.#unproven.has(socket)) this.#busy.add(socket);
  }

  /** It showed the token. False: there are too many operators, and this one gets no more than anybody. */
  isOperator(socket: Socket): boolean {
    if (this.#operators.has(socket)) return true;
    if (this.#operators.size >= this.#limits.maxOperators) return false;
    this.#forget(socket);
    this.#operators.add(socket);
    return true;
  }

  /** Its answer was given: it has so long to take it, and ends. Of one that has not shown the token. */
  answered(socket: Socket): void {
    this.#busy.delete(socket);
    this.#mayGo(socket);
    socket.once(
      "close",
      this.#timers.after(this.#limits.readTimeoutMs, () => socket.destroy()),
    );
  }

  #mayGo(socket: Socket): void {
    if (!this.#unproven.has(socket) || this.#busy.has(socket)) return;
    this.#idle.add(socket);
    while (this.#unproven.size > this.#limits.maxUnproven && this.#idle.size > 0) this.#closeOldest(this.#idle);
  }

  #closeOldest(sockets: Iterable<Socket>): void {
    for (const socket of sockets) {
      if (this.#busy.has(socket)) continue;
      this.#forget(socket);
      socket.destroy();
      return;
    }
  }

  #forget(socket: Socket): void {
    this.#unproven.delete(socket);
    this.#idle.delete(socket);
    this.#busy.delete(socket);
  }

  #closed(socket: Socket): void {
    this.#forget(socket);
    this.#operators.delete(socket);
  }
}
