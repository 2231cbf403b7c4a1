/** The ways in which an answer is spoilt on its line. */
import type { Spoil } from "../../api/edge/spoilt-answer.ts";
import type { Delays } from "./delays.ts";
import { BANDWIDTH_SLICE_MS } from "./limits.ts";

const BITS = 8;
const GARBAGE = "#".charCodeAt(0);

/** The body in so many pieces of about the same size, the last one when `ms` are over. */
export function dribble(chunks: number, ms: number, delays: Delays): Spoil {
  return (line) => {
    const { body } = line;
    line.sendHead();
    const send = (piece: number): void => {
      const at = (part: number): number => Math.floor((body.length * part) / chunks);
      const bytes = body.subarray(at(piece), at(piece + 1));
      if (bytes.length > 0) line.write(bytes);
      if (piece + 1 === chunks || !line.isOpen) line.done();
      else next(piece + 1);
    };
    const dueMs = (piece: number): number => Math.floor((ms * (piece + 1)) / chunks);
    const next = (piece: number): void =>
      delays.later(
        dueMs(piece) - (piece === 0 ? 0 : dueMs(piece - 1)),
        () => send(piece),
        () => line.end(),
      );
    next(0);
  };
}

/** So many thousands of bits a second. */
export function bandwidth(kbps: number, delays: Delays): Spoil {
  const sliceBytes = Math.max(1, Math.floor((kbps * BANDWIDTH_SLICE_MS) / BITS));
  return (line) => {
    const { body } = line;
    line.sendHead();
    const send = (from: number): void => {
      const to = Math.min(body.length, from + sliceBytes);
      if (to > from) line.write(body.subarray(from, to));
      if (to === body.length || !line.isOpen) line.done();
      else next(to);
    };
    const next = (from: number): void =>
      delays.later(
        BANDWIDTH_SLICE_MS,
        () => send(from),
        () => line.end(),
      );
    next(0);
  };
}

/** The first bytes of the body; then the connection ends, although the head has promised more. */
export function truncate(bytes: number): Spoil {
  return (line) => {
    line.sendHead();
    const part = line.body.subarray(0, bytes);
    if (part.length > 0) line.write(part);
    line.end();
  };
}

/** A body of the right length whose second half is garbage: no JSON, and no gzip. */
export const garble: Spoil = (line) => {
  line.sendHead();
  const { body } = line;
  const half = Math.floor(body.length / 2);
  line.write(Buffer.concat([body.subarray(0, half), Buffer.alloc(body.length - half, GARBAGE)]));
  line.done();
};

export const disconnect: Spoil = (line) => line.end();
export const reset: Spoil = (line) => line.reset();
export const hang: Spoil = (line) => line.abandon();
