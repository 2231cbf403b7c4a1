/** Connections of an attacker, from any loopback address: what they send, read, leave unread and hold open. */
import { connect, type Socket } from "node:net";

export interface Hostile {
  readonly socket: Socket;
  /** So many bytes came and were read. */
  bytesRead: number;
  /** What came first. */
  text: string;
  isOpen: boolean;
  /** The other side ended it, or would not have it at all. */
  isClosed: boolean;
}

const MOST_KEPT_TEXT = 64 * 1024;

const all = new Set<Socket>();

/** To be closed by `closeHostiles`. */
export function hostileSocket(socket: Socket): Socket {
  all.add(socket);
  return socket.once("close", () => all.delete(socket));
}

/** What is not read would wait in the system for ever. */
export function closeHostiles(): void {
  for (const socket of all) socket.destroy();
}

export interface HostileOptions {
  readonly port: number;
  readonly localAddress?: string;
  /** It never reads. */
  readonly isDeaf?: boolean;
  /** Sent once connected. */
  readonly first?: string;
}

export function openHostile({ port, localAddress = "127.0.0.2", isDeaf = false, first = "" }: HostileOptions): Hostile {
  const socket = hostileSocket(connect({ port, host: "127.0.0.1", localAddress }));
  const hostile: Hostile = { socket, bytesRead: 0, text: "", isOpen: false, isClosed: false };
  socket.on("connect", () => {
    hostile.isOpen = true;
    if (first !== "") socket.write(first, "latin1");
  });
  socket
    .on("error", () => {})
    .on("close", () => {
      hostile.isOpen = false;
      hostile.isClosed = true;
    });
  if (isDeaf) socket.pause();
  else {
    socket.on("data", (chunk: Buffer) => {
      hostile.bytesRead += chunk.length;
      if (hostile.text.length < MOST_KEPT_TEXT) hostile.text += chunk.toString("latin1");
    });
  }
  return hostile;
}

/** The statuses of all answers in `text`. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
}
