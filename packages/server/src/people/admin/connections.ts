/**
 * Who holds a place on the admin port. A client that has shown the token is an operator; everyone else is unproven. An
 * unproven client gets one answer and limited time. When there are too many, those that have not sent a whole request
 * make room, the oldest first, so that a liveness probe is never kept out by silent connections.
 */
import type { Socket } from "node:net";
import type { Timers } from "../../platform/world/port.ts";

export interface AdminLimits {
  /** The connections that have not shown the token. */
  readonly maxUnproven: number;
  /** A younger connection is not closed to make room (its request may be on its way), except at `maxUnprovenAtOnce`. */
  readonly graceMs: number;
  readonly maxUnprovenAtOnce: number;
  /** The connections of operators. */
  readonly maxOperators: number;
  /** The time of a handshake for TLS, from there to the end of the first headers, and for the headers of each later request. */
  readonly headersTimeoutMs: number;
  /** The time to the end of a request's body. */
  readonly requestTimeoutMs: number;
  /** The interval at which both timeouts are checked. */
  readonly timeoutCheckMs: number;
  /** The time in which a client that has not shown the token must read its answer. */
  readonly readTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** The bytes read from one connection in a turn of the event loop. */
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
  /** All connections that have not shown the token, oldest first. */
  readonly #unproven = new Set<Socket>();
  /** The unproven connections that may be closed, because none of their requests is being carried out. */
  readonly #idle = new Set<Socket>();
  /** Connections whose request is being carried out. */
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
    // After a long turn of the event loop, requests that arrived meanwhile are read first.
    this.#timers.after(this.#limits.graceMs, () => this.#timers.soon(() => this.#mayGo(socket)));
  }

  /** The connection has shaken hands for TLS, and is `secure` from here on. */
  secured(connection: Socket, secure: Socket): void {
    this.#forget(connection);
    this.opened(secure);
  }

  /** Call it when the whole head of a request has come. */
  asked(socket: Socket): void {
    this.#idle.delete(socket);
    if (this.#unproven.has(socket)) this.#busy.add(socket);
  }

  /** Records that the socket showed the token. False: there are too many operators, so it gets no more than anybody. */
  isOperator(socket: Socket): boolean {
    if (this.#operators.has(socket)) return true;
    if (this.#operators.size >= this.#limits.maxOperators) return false;
    this.#forget(socket);
    this.#operators.add(socket);
    return true;
  }

  /** Records that an unproven client was answered: it has limited time to read the answer, and is closed. */
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
