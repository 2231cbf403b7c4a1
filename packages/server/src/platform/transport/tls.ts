/**
 * TLS handshakes of accepted connections. Until its first byte arrives, a connection costs no more than an idle one
 * without TLS. Each handshake has a time limit.
 */
import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from "node:tls";
import type { Cancel, Timers } from "../world/port.ts";

/** A certificate with its chain, and its key, both in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateSource {
  /** Calls `use` with the current certificate now, and again each time it is replaced. */
  follow(use: (pair: CertificatePair) => void): void;
}

export interface TlsListenerOptions {
  readonly certificates: CertificateSource;
  /** The time limit from opening a connection to the end of its handshake. */
  readonly handshakeTimeoutMs: number;
  readonly timers: Pick<Timers, "after">;
  /** Called after a handshake, with the TLS socket and the original connection. */
  readonly accept: (secure: TLSSocket, connection: Socket) => void;
  /** Called for a connection that does not begin with TLS. Its first bytes have been consumed. */
  readonly inClear: (connection: Socket) => void;
}

/** The result of a handshake. `clear`: the client did not use TLS. */
export type Handshake = "done" | "failed" | "clear";

/** The first byte of a handshake record. RFC 8446, 5.1. */
const HANDSHAKE = 22;
const PROTOCOLS = ["http/1.1"];

/** The TLS options for a certificate. `createSecureContext` throws OpenSSL's error if the pair is invalid. */
export function contextOf({ cert, key }: CertificatePair): SecureContextOptions {
  // Renegotiation is disabled, because it costs the server much more than the client.
  return { cert, key, minVersion: "TLSv1.2", secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}

interface PendingHandshake {
  readonly connection: Socket;
  readonly cancel: Cancel;
}

export class TlsListener {
  readonly #options: TlsListenerOptions;
  /** A server that does not listen: Node documents that connections can be passed to it. */
  readonly #server: Server;
  /** Connections in their handshake, keyed by their two endpoints, which the TLS socket also has. */
  readonly #shaking = new Map<string, PendingHandshake>();
  readonly #counts: Record<Handshake, number> = { done: 0, failed: 0, clear: 0 };

  constructor(options: TlsListenerOptions) {
    this.#options = options;
    // Longer than our own timeout, which starts earlier, so that ours applies.
    this.#server = createServer({ ALPNProtocols: PROTOCOLS, handshakeTimeout: 2 * options.handshakeTimeoutMs });
    this.#server.on("secureConnection", (socket) => this.#accept(socket));
    options.certificates.follow((pair) => this.#server.setSecureContext(contextOf(pair)));
  }

  /** Number of handshakes by result. */
  get handshakes(): Readonly<Record<Handshake, number>> {
    return this.#counts;
  }

  /** Number of connections in their handshake. */
  get shaking(): number {
    return this.#shaking.size;
  }

  admit(connection: Socket): void {
    const ends = endsOf(connection);
    const cancel = this.#options.timers.after(this.#options.handshakeTimeoutMs, () => connection.destroy());
    this.#shaking.set(ends, { connection, cancel });
    connection.on("error", () => connection.destroy());
    connection.once("close", () => {
      if (this.#leave(ends, connection)) this.#counts.failed++;
    });
    connection.once("readable", () => this.#begin(connection, ends));
  }

  /** Closes all connections that are still in their handshake. */
  closeShaking(): void {
    for (const { connection } of this.#shaking.values()) connection.destroy();
  }

  #begin(connection: Socket, ends: string): void {
    const bytes = connection.read() as Buffer | null;
    if (bytes === null) {
      connection.destroy();
    } else if (bytes[0] === HANDSHAKE) {
      connection.unshift(bytes);
      this.#server.emit("connection", connection);
    } else {
      this.#leave(ends, connection);
      this.#counts.clear++;
      // Discard further input: closing a connection with unread input would reset it before the answer arrives.
      connection.resume();
      this.#options.inClear(connection);
    }
  }

  #accept(secure: TLSSocket): void {
    const ends = endsOf(secure);
    const connection = this.#shaking.get(ends)?.connection;
    // The connection was closed in the meantime.
    if (connection === undefined || !this.#leave(ends, connection)) {
      secure.destroy();
      return;
    }
    this.#counts.done++;
    // Node implements this method only for TCP sockets.
    secure.resetAndDestroy = () => {
      connection.resetAndDestroy();
      return secure;
    };
    this.#options.accept(secure, connection);
  }

  /** Removes the connection from those in their handshake. Returns false if its handshake is already over. */
  #leave(ends: string, connection: Socket): boolean {
    const shaking = this.#shaking.get(ends);
    if (shaking?.connection !== connection) return false;
    shaking.cancel();
    return this.#shaking.delete(ends);
  }
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
