/**
 * The connections of the admin port. A connection that has sent a valid token is authenticated. Any other connection
 * gets one answer and limited time. When there are too many of them, the oldest that have not sent a complete request
 * are closed, so that idle connections cannot block a liveness probe.
 */
import type { Socket } from "node:net";
import type { Timers } from "../../platform/world/port.ts";

export interface AdminLimits {
  /** The maximum of connections without a valid token. */
  readonly maxUnproven: number;
  /** Younger connections are not closed, because their request may be on its way, except above `maxUnprovenAtOnce`. */
  readonly graceMs: number;
  readonly maxUnprovenAtOnce: number;
  /** The maximum of connections with a valid token. */
  readonly maxOperators: number;
  /** The time limit of a TLS handshake, and of the headers of each request. */
  readonly headersTimeoutMs: number;
  /** The time limit of a complete request. */
  readonly requestTimeoutMs: number;
  /** The interval at which both timeouts are checked. */
  readonly timeoutCheckMs: number;
  /** The time in which a client without a valid token must read its answer. */
  readonly readTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** The number of bytes read from one connection in a turn of the event loop. */
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
  /** All connections without a valid token, oldest first. */
  readonly #unproven = new Set<Socket>();
  /** The unproven connections that may be closed, because they have no request in progress. */
  readonly #idle = new Set<Socket>();
  /** The unproven connections with a request in progress. */
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
    // After a long turn of the event loop, requests that arrived in the meantime are read first.
    this.#timers.after(this.#limits.graceMs, () => this.#timers.soon(() => this.#mayGo(socket)));
  }

  /** The TLS handshake of `connection` is complete; `secure` replaces it. */
  secured(connection: Socket, secure: Socket): void {
    this.#forget(connection);
    this.opened(secure);
  }

  /** Records that the headers of a request were received. */
  asked(socket: Socket): void {
    this.#idle.delete(socket);
    if (this.#unproven.has(socket)) this.#busy.add(socket);
  }

  /** Records that the socket sent a valid token. False: `maxOperators` is reached, so the socket stays unproven. */
  isOperator(socket: Socket): boolean {
    if (this.#operators.has(socket)) return true;
    if (this.#operators.size >= this.#limits.maxOperators) return false;
    this.#forget(socket);
    this.#operators.add(socket);
    return true;
  }

  /** Records that an unproven client was answered, and closes the connection after `readTimeoutMs`. */
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
