/**
 * Limits clients' unread bytes: per address, in total, and in time. Code that writes to a socket reports the bytes that
 * the operating system did not accept immediately.
 */
import type { Socket } from "node:net";
import { networkOf } from "./client-address.ts";

export interface UnreadLimits {
  /**
   * Maximum unread bytes per address, on all its connections. Above it, the connection whose client has not read for
   * the longest time is closed.
   */
  readonly maxSendBufferBytesPerIp: number;
  /**
   * Maximum unread bytes of all addresses. Above it, a connection of the address with the most unread bytes is closed.
   */
  readonly maxUnreadBytes: number;
  /**
   * Number of calls of `check` within which unread bytes must be read. Calls instead of time, because the process
   * itself may be suspended.
   */
  readonly maxChecks: number;
}

/**
 * The part of a socket that is used here. `writableLength` is the number of unread bytes, `bytesWritten` the number of
 * all bytes so far, including the unread ones.
 */
export type UnreadSocket = Pick<Socket, "writableLength" | "bytesWritten" | "once">;

interface Waiter {
  readonly socket: UnreadSocket;
  readonly network: Network;
  readonly drop: () => void;
  bytes: number;
  /**
   * Bytes written when the wait began, and the checks since then. The wait restarts once the client has read all of
   * these bytes.
   */
  sinceBytes: number;
  checks: number;
}

interface Network {
  readonly name: string;
  /** Waiters, in the order in which they began to wait. */
  readonly waiters: Set<Waiter>;
  bytes: number;
}

export class Unread {
  readonly #limits: UnreadLimits;
  readonly #waiters = new Map<UnreadSocket, Waiter>();
  readonly #networks = new Map<string, Network>();
  #bytes = 0;
  #dropped = 0;

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  /** Number of clients disconnected because they did not read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Unread bytes, as of the last check of each socket. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reports unread bytes of `socket`. `drop` closes the socket. */
  note(socket: UnreadSocket, ip: string, drop: () => void): void {
    const waiter = this.#waiters.get(socket) ?? this.#add(socket, ip, drop);
    this.#recount(waiter);
    const { network } = waiter;
    if (hasRead(waiter)) waitAnew(waiter);
    if (network.bytes > this.#limits.maxSendBufferBytesPerIp) this.#makeRoom(network);
    if (this.#bytes > this.#limits.maxUnreadBytes) this.#makeRoomForAll();
  }

  /** Stops watching a socket. */
  forget(socket: UnreadSocket): void {
    const waiter = this.#waiters.get(socket);
    if (waiter !== undefined) this.#remove(waiter);
  }

  /** Called periodically. Drops clients that have not read in time. */
  check(): void {
    for (const waiter of this.#waiters.values()) {
      this.#recount(waiter);
      if (hasRead(waiter)) waitAnew(waiter);
      else if (++waiter.checks > this.#limits.maxChecks) this.#drop(waiter);
    }
  }

  #add(socket: UnreadSocket, ip: string, drop: () => void): Waiter {
    const name = networkOf(ip);
    let network = this.#networks.get(name);
    if (network === undefined) {
      network = { name, waiters: new Set(), bytes: 0 };
      this.#networks.set(name, network);
    }
    const waiter: Waiter = { socket, network, drop, bytes: 0, sinceBytes: socket.bytesWritten, checks: 0 };
    network.waiters.add(waiter);
    this.#waiters.set(socket, waiter);
    socket.once("close", () => this.#remove(waiter));
    return waiter;
  }

  #recount(waiter: Waiter): void {
    const bytes = waiter.socket.writableLength;
    this.#bytes += bytes - waiter.bytes;
    waiter.network.bytes += bytes - waiter.bytes;
    waiter.bytes = bytes;
  }

  #makeRoom(network: Network): void {
    for (const waiter of network.waiters) this.#recount(waiter);
    for (const waiter of network.waiters) {
      if (network.bytes <= this.#limits.maxSendBufferBytesPerIp) return;
      if (waiter.bytes > 0) this.#drop(waiter);
    }
  }

  #makeRoomForAll(): void {
    for (const waiter of this.#waiters.values()) this.#recount(waiter);
    while (this.#bytes > this.#limits.maxUnreadBytes) {
      let most: Network | undefined;
      for (const network of this.#networks.values()) if (network.bytes > (most?.bytes ?? 0)) most = network;
      for (const waiter of most?.waiters ?? []) {
        if (waiter.bytes === 0) continue;
        this.#drop(waiter);
        break;
      }
    }
  }

  #drop(waiter: Waiter): void {
    this.#dropped++;
    this.#remove(waiter);
    waiter.drop();
  }

  #remove(waiter: Waiter): void {
    const { socket, network } = waiter;
    if (!this.#waiters.delete(socket)) return;
    this.#bytes -= waiter.bytes;
    network.bytes -= waiter.bytes;
    network.waiters.delete(waiter);
    if (network.waiters.size === 0) this.#networks.delete(network.name);
  }
}

/** Whether the client has read everything that was unread when the wait began. */
function hasRead({ socket, bytes, sinceBytes }: Waiter): boolean {
  return socket.bytesWritten - bytes >= sinceBytes;
}

function waitAnew(waiter: Waiter): void {
  waiter.sinceBytes = waiter.socket.bytesWritten;
  waiter.checks = 0;
  waiter.network.waiters.delete(waiter);
  waiter.network.waiters.add(waiter);
}
