/** An answer whose length nobody knows before its end: written as it is made, and no faster than its client reads it. */

/** The connection to the client. */
export interface StreamEnds {
  readonly isOpen: () => boolean;
  /** False: the client has not read all that was written. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Resolves when it has, or is gone. */
  readonly drained: () => Promise<void>;
  readonly finish: () => void;
  /** The client must see that it did not get the whole. */
  readonly breakOff: () => void;
}

/** Never rejects: whoever made the pieces tells of their errors. */
export async function writeStream(pieces: AsyncIterable<Uint8Array>, ends: StreamEnds): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!ends.isOpen()) break;
      if (piece.length > 0 && !ends.write(piece)) await ends.drained();
    }
  } catch {
    ends.breakOff();
    return;
  }
  ends.finish();
}

/** A stream of which nothing is sent gives back what it holds. */
export function letGo(pieces: AsyncIterable<Uint8Array> | undefined): void {
  void pieces?.[Symbol.asyncIterator]().return?.();
}

interface Emitter {
  once(event: "drain" | "close", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

export function drainedOrClosed(socket: Emitter): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.once("drain", done);
    socket.once("close", done);
  });
}
