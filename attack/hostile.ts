/**
 * An attacker's connections, from any loopback address: the bytes sent and read, and connections that are not read or
 * are held open.
 */
import { connect, type Socket } from "node:net";

export interface Hostile {
  readonly socket: Socket;
  /** The number of bytes read. */
  bytesRead: number;
  /** The beginning of the response. */
  text: string;
  isOpen: boolean;
  /** The other side has closed or refused the connection. */
  isClosed: boolean;
}

const MOST_KEPT_TEXT = 64 * 1024;

const all = new Set<Socket>();

/** Registers a socket for `closeHostiles`. */
export function hostileSocket(socket: Socket): Socket {
  all.add(socket);
  return socket.once("close", () => all.delete(socket));
}

/** Destroys the sockets, because unread data would wait in the system forever. */
export function closeHostiles(): void {
  for (const socket of all) socket.destroy();
}

export interface HostileOptions {
  readonly port: number;
  readonly localAddress?: string;
  /** Never reads from the socket. */
  readonly neverReads?: boolean;
  /** Sent after connecting. */
  readonly first?: string;
}

export function openHostile({
  port,
  localAddress = "127.0.0.2",
  neverReads = false,
  first = "",
}: HostileOptions): Hostile {
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
  if (neverReads) socket.pause();
  else {
    socket.on("data", (chunk: Buffer) => {
      hostile.bytesRead += chunk.length;
      if (hostile.text.length < MOST_KEPT_TEXT) hostile.text += chunk.toString("latin1");
    });
  }
  return hostile;
}

/** The statuses of all responses in `text`. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
}
