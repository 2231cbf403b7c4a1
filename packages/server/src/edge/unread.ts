/**
 * What waits for clients to read it: how much for each address and in all, and for how long. Whoever writes
 * to a socket says so when the system did not take all of it at once.
 */
import type { Socket } from "node:net";
import { networkOf } from "./limits/network.ts";

export interface UnreadLimits {
  /** What may wait for one address, on all its connections; then the one that waits for longest is closed. */
  readonly maxUnreadBytesPerIp: number;
  /** For all together; then the address with the most loses one. */
  readonly maxUnreadBytes: number;
  /** What waits must have been read after so many looks (`lookAfter`): the process may have been stopped itself. */
  readonly maxLooks: number;
}

/** What is asked of a socket. `writableLength`: bytes that wait; `bytesWritten`: all so far, those among them. */
export type UnreadSocket = Pick<Socket, "writableLength" | "bytesWritten" | "once">;

interface Waiter {
  readonly socket: UnreadSocket;
  readonly network: Network;
  readonly drop: () => void;
  bytes: number;
  /** What had been written when its wait began, and how many looks there were since: when all of it was read, it begins anew. */
  sinceBytes: number;
  looks: number;
}

interface Network {
  readonly name: string;
  /** Whose wait began first stands first. */
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

  /** Clients that were dropped because they did not read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** As they were when each socket was last looked at. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of `socket` wait. `drop` closes it. */
  note(socket: UnreadSocket, ip: string, drop: () => void): void {
    const waiter = this.#waiters.get(socket) ?? this.#add(socket, ip, drop);
    this.#recount(waiter);
    const { network } = waiter;
    if (hasRead(waiter)) waitAnew(waiter);
    if (network.bytes > this.#limits.maxUnreadBytesPerIp) this.#makeRoom(network);
    if (this.#bytes > this.#limits.maxUnreadBytes) this.#makeRoomForAll();
  }

  /** What is written to it from now on is none of ours. */
  forget(socket: UnreadSocket): void {
    const waiter = this.#waiters.get(socket);
    if (waiter !== undefined) this.#remove(waiter);
  }

  /** To be called from time to time: who has not read is dropped. */
  lookAfter(): void {
    for (const waiter of this.#waiters.values()) {
      this.#recount(waiter);
      if (hasRead(waiter)) waitAnew(waiter);
      else if (++waiter.looks > this.#limits.maxLooks) this.#drop(waiter);
    }
  }

  #add(socket: UnreadSocket, ip: string, drop: () => void): Waiter {
    const name = networkOf(ip);
    let network = this.#networks.get(name);
    if (network === undefined) {
      network = { name, waiters: new Set(), bytes: 0 };
      this.#networks.set(name, network);
    }
    const waiter: Waiter = { socket, network, drop, bytes: 0, sinceBytes: socket.bytesWritten, looks: 0 };
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
      if (network.bytes <= this.#limits.maxUnreadBytesPerIp) return;
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

/** All that waited when its wait began. */
function hasRead({ socket, bytes, sinceBytes }: Waiter): boolean {
  return socket.bytesWritten - bytes >= sinceBytes;
}

function waitAnew(waiter: Waiter): void {
  waiter.sinceBytes = waiter.socket.bytesWritten;
  waiter.looks = 0;
  waiter.network.waiters.delete(waiter);
  waiter.network.waiters.add(waiter);
}
