/**
 * The door of a port that speaks TLS: accepted connections shake hands here, and those that have are handed on. Until its
 * first byte a connection costs no more than one without TLS that sends no request; it must have shaken hands within a
 * bounded time, however slowly its bytes come.
 */
import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from "node:tls";
import type { Cancel, Timers } from "../world/port.ts";

/** A certificate with its chain, and its key, as texts in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** Where the certificate comes from. */
export interface CertificateSource {
  /** Calls `use` with the present certificate at once, and with each that takes its place. */
  follow(use: (pair: CertificatePair) => void): void;
}

export interface TlsDoorOptions {
  readonly certificates: CertificateSource;
  /** From the opening of a connection to the end of its handshake; then it is closed. */
  readonly handshakeTimeoutMs: number;
  readonly timers: Pick<Timers, "after">;
  /** Takes a connection that has shaken hands, with what it was before. */
  readonly accept: (secure: TLSSocket, connection: Socket) => void;
  /** Takes one whose first byte is not of TLS, without that byte. */
  readonly inClear: (connection: Socket) => void;
}

/** How handshakes went. `clear`: what came was no TLS. */
export type Handshake = "done" | "failed" | "clear";

/** The first byte of a record that begins a handshake. RFC 8446, 5.1. */
const HANDSHAKE = 22;
const PROTOCOLS = ["http/1.1"];

/** Throws OpenSSL's error for a pair that cannot be served. */
export function contextOf({ cert, key }: CertificatePair): SecureContextOptions {
  // A client that renegotiates makes the server work at no cost of its own.
  return { cert, key, minVersion: "TLSv1.2", secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}

interface Shaking {
  readonly connection: Socket;
  readonly cancel: Cancel;
}

export class TlsDoor {
  readonly #options: TlsDoorOptions;
  /** It listens nowhere: Node documents that connections may be passed to it. */
  readonly #server: Server;
  /** Connections that have not shaken hands yet, by both their ends: the one that comes out has the same. */
  readonly #shaking = new Map<string, Shaking>();
  readonly #counts: Record<Handshake, number> = { done: 0, failed: 0, clear: 0 };

  constructor(options: TlsDoorOptions) {
    this.#options = options;
    // The time is bounded by ours, which begins earlier.
    this.#server = createServer({ ALPNProtocols: PROTOCOLS, handshakeTimeout: 2 * options.handshakeTimeoutMs });
    this.#server.on("secureConnection", (socket) => this.#accept(socket));
    options.certificates.follow((pair) => this.#server.setSecureContext(contextOf(pair)));
  }

  /** Handshakes so far, by how they went. */
  get handshakes(): Readonly<Record<Handshake, number>> {
    return this.#counts;
  }

  /** Number of connections that have not shaken hands yet. */
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

  /** Closes those that have not shaken hands. */
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
      // What it goes on to send is not read: a connection with unread bytes would end before its answer has arrived.
      connection.resume();
      this.#options.inClear(connection);
    }
  }

  #accept(secure: TLSSocket): void {
    const ends = endsOf(secure);
    const connection = this.#shaking.get(ends)?.connection;
    // It was closed meanwhile.
    if (connection === undefined || !this.#leave(ends, connection)) {
      secure.destroy();
      return;
    }
    this.#counts.done++;
    // Node resets connections of TCP alone.
    secure.resetAndDestroy = () => {
      connection.resetAndDestroy();
      return secure;
    };
    this.#options.accept(secure, connection);
  }

  /** False when it had left already. */
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
