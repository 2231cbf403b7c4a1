/**
 * A recording of ours: the public streams of one symbol of a venue, a line of JSON each. The first line says what it is;
 * each other one has the time at which it was heard, and a message as the venue sent it, or the snapshot of the book that
 * its changes go on from. Where nothing was heard for a while a line says from when to when, and why; another snapshot
 * follows, and the book before it is worth nothing.
 */
import { z } from "zod";
import type { Side } from "@pricetime/engine";
import { BadLine, decimalOf } from "./public-archive.ts";

const RECORDING_FORMAT = "pricetime-recording";
const RECORDING_VERSION = 1;

const recordingHead = z.object({
  format: z.literal(RECORDING_FORMAT),
  version: z.literal(RECORDING_VERSION),
  /** The address that was listened to. */
  venue: z.string(),
  symbol: z.string(),
});
type RecordingHead = z.output<typeof recordingHead>;

/** `data` is as it came: a message of a stream, or the answer of `GET /api/v3/depth`. */
export interface RecordedLine {
  readonly ms: number;
  readonly stream: string;
  readonly data: unknown;
}

const line = z.object({ ms: z.int().min(0), stream: z.string(), data: z.record(z.string(), z.unknown()) });
const trade = z.object({ t: z.int(), p: z.string(), q: z.string(), T: z.int().min(0), m: z.boolean() });

export interface RecordedTrade {
  readonly id: number;
  readonly timeMs: number;
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
}

export function headLine(venue: string, symbol: string): string {
  const head: RecordingHead = { format: RECORDING_FORMAT, version: RECORDING_VERSION, venue, symbol };
  return JSON.stringify(head);
}

export const recordedLine = (line: RecordedLine): string => JSON.stringify(line);

/** Nothing was heard between these times. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly why: string;
}

export const gapLine = ({ fromMs, toMs, why }: Gap): string =>
  recordedLine({ ms: toMs, stream: "gap", data: { fromMs, toMs, why } });

export function isHead(text: string): boolean {
  return text.startsWith("{") && text.includes(`"${RECORDING_FORMAT}"`);
}

/** Throws `BadLine`. */
export function readHead(text: string): RecordingHead {
  const { success, data } = recordingHead.safeParse(parsed(text));
  if (!success) throw new BadLine(`it is no head of a recording of version ${RECORDING_VERSION}`);
  return data;
}

/** The trade that a line tells of; null when it tells of something else. Throws `BadLine`. */
export function readRecordedTrade(text: string): RecordedTrade | null {
  const recorded = line.safeParse(parsed(text));
  if (!recorded.success) throw new BadLine("it is no line of a recording");
  if (recorded.data.data["e"] !== "trade") return null;
  const { success, data } = trade.safeParse(recorded.data.data);
  if (!success) throw new BadLine("it is no trade as streams tell it");
  const { t, p, q, T, m } = data;
  return { id: t, timeMs: T, price: decimalOf(p), quantity: decimalOf(q), takerSide: m ? "SELL" : "BUY" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLine("it is no JSON: the file was cut, perhaps");
  }
}
