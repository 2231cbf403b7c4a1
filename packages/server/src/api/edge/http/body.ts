/** Reads a request's body within bounds. */
import type { IncomingMessage } from "node:http";
import type { HttpLimits } from "./limits.ts";
import { Pieces } from "./pieces.ts";

export type BodyEnd =
  /** Complete and small enough; one character a byte. */
  | { readonly kind: "whole"; readonly body: string }
  /** `drained`: it was still read to its end, so the connection can go on. */
  | { readonly kind: "tooLarge"; readonly drained: boolean };

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (length !== undefined && length !== "0") || request.headers["transfer-encoding"] !== undefined;
}

/** `done` is called once, or never if the connection breaks first. */
export function readBody(request: IncomingMessage, limits: HttpLimits, done: (end: BodyEnd) => void): void {
  const pieces = new Pieces();
  let bytes = 0;
  let isDone = false;
  const finish = (end: BodyEnd) => {
    if (isDone) return;
    isDone = true;
    pieces.clear();
    done(end);
  };
  if (Number(request.headers["content-length"] ?? 0) > limits.maxDiscardedBytes) {
    finish({ kind: "tooLarge", drained: false });
    return;
  }
  // A truncated body ends in an error, which node reports as clientError as well.
  request.on("error", () => undefined);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limits.maxBodyBytes) pieces.add(chunk);
    else pieces.clear();
    if (bytes > limits.maxDiscardedBytes) finish({ kind: "tooLarge", drained: false });
  });
  request.on("end", () => {
    if (bytes > limits.maxBodyBytes) finish({ kind: "tooLarge", drained: true });
    else finish({ kind: "whole", body: pieces.whole().toString("latin1") });
  });
}
