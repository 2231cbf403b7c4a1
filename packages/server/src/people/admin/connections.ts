/**
 * The connections of the admin port. A connection is authenticated once it has sent a valid token. Any other connection
 * gets one answer within limited time. If there are too many, the oldest ones without a complete request are closed, so
 * that idle connections cannot block a liveness probe.
 */
import type { Socket } from "node:net";
import type { Timers } from "../../platform/world/port.ts";

export interface AdminLimits {
  /** Maximum number of connections without a valid token. */
  readonly maxUnproven: number;
  /** Younger connections are closed only above `maxUnprovenAtOnce`, because their request may be on its way. */
  readonly graceMs: number;
  readonly maxUnprovenAtOnce: number;
  /** Maximum number of connections with a valid token. */
  readonly maxOperators: number;
  /** Timeout of a TLS handshake, and of receiving the headers of a request. */
  readonly headersTimeoutMs: number;
  /** Timeout of receiving a complete request. */
  readonly requestTimeoutMs: number;
  /** How often both timeouts are checked. */
  readonly timeoutCheckMs: number;
  /** How long a client without a valid token may take to read its answer. */
  readonly readTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Maximum number of bytes read from one connection per turn of the event loop. */
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
  /** The unproven connections without a request in progress, which may be closed. */
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
    // Requests that arrived during a long turn of the event loop are read first.
    this.#timers.after(this.#limits.graceMs, () => this.#timers.soon(() => this.#mayGo(socket)));
  }

  /** Called when the TLS handshake of `connection` is complete. `secure` replaces it. */
  secured(connection: Socket, secure: Socket): void {
    this.#forget(connection);
    this.opened(secure);
  }

  /** Records that the headers of a request were received. */
  asked(socket: Socket): void {
    this.#idle.delete(socket);
    if (this.#unproven.has(socket)) this.#busy.add(socket);
  }

  /**
   * Records that the socket sent a valid token. Returns false if `maxOperators` is reached; the socket then stays
   * unproven.
   */
  isOperator(socket: Socket): boolean {
    if (this.#operators.has(socket)) return true;
    if (this.#operators.size >= this.#limits.maxOperators) return false;
    this.#forget(socket);
    this.#operators.add(socket);
    return true;
  }

  /** Records that an unproven client was answered. Closes the connection after `readTimeoutMs`. */
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
