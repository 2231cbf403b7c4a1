/** Reads a request's body within bounds. */
import type { IncomingMessage } from "node:http";
import type { HttpLimits } from "./limits.ts";

export type BodyEnd =
  /** Whole and small enough; one character a byte. */
  | { readonly kind: "whole"; readonly body: string }
  /** `drained`: it was read to its end all the same, so the connection can go on. */
  | { readonly kind: "tooLarge"; readonly drained: boolean };

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (length !== undefined && length !== "0") || request.headers["transfer-encoding"] !== undefined;
}

/** `done` is called once, and not at all when the connection breaks before the end. */
export function readBody(request: IncomingMessage, limits: HttpLimits, done: (end: BodyEnd) => void): void {
  let held: Buffer = NOTHING;
  let bytes = 0;
  let isDone = false;
  const finish = (end: BodyEnd) => {
    if (isDone) return;
    isDone = true;
    held = NOTHING;
    done(end);
  };
  if (Number(request.headers["content-length"] ?? 0) > limits.maxDiscardedBytes) {
    finish({ kind: "tooLarge", drained: false });
    return;
  }
  // A truncated body ends in an error, which node reports as clientError as well.
  request.on("error", () => undefined);
  request.on("data", (chunk: Buffer) => {
    if (bytes + chunk.length <= limits.maxBodyBytes) held = withMore(held, bytes, chunk);
    else held = NOTHING;
    bytes += chunk.length;
    if (bytes > limits.maxDiscardedBytes) finish({ kind: "tooLarge", drained: false });
  });
  request.on("end", () => {
    if (bytes > limits.maxBodyBytes) finish({ kind: "tooLarge", drained: true });
    else finish({ kind: "whole", body: held.toString("latin1", 0, bytes) });
  });
}

const NOTHING = Buffer.alloc(0);

/** `held` has `bytes`, and room perhaps. In one piece: each of a thousand small ones would take more than its bytes. */
function withMore(held: Buffer, bytes: number, chunk: Buffer): Buffer {
  if (bytes === 0) return chunk;
  const needed = bytes + chunk.length;
  const room = needed <= held.length ? held : Buffer.concat([held], Math.max(needed, 2 * held.length));
  chunk.copy(room, bytes);
  return room;
}
