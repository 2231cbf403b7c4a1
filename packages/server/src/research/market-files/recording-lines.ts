/**
 * Our recordings: the public streams of one symbol, one JSON line per message. The first line describes the recording.
 * Each other line has the time of receipt and a message as the exchange sent it, or a snapshot of the book. After an
 * interruption, a line with its times and reason is followed by a new snapshot, which replaces the earlier book.
 */
import { z } from "zod";
import type { Side } from "@pricetime/engine";
import { BadLine, decimalOf } from "./public-archive.ts";

const RECORDING_FORMAT = "pricetime-recording";
const RECORDING_VERSION = 1;

const recordingHead = z.object({
  format: z.literal(RECORDING_FORMAT),
  version: z.literal(RECORDING_VERSION),
  /** The recorded exchange's address. */
  venue: z.string(),
  symbol: z.string(),
});
type RecordingHead = z.output<typeof recordingHead>;

/** `data` is a message as received: a stream message, or the response to `GET /api/v3/depth`. */
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

/** An interruption of the recording. */
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

/** Parses the first line of a recording. Throws `BadLine`. */
export function readHead(text: string): RecordingHead {
  const { success, data } = recordingHead.safeParse(parsed(text));
  if (!success) throw new BadLine(`it is no head of a recording of version ${RECORDING_VERSION}`);
  return data;
}

/** Reads the trade in a line; null for other messages. Throws `BadLine`. */
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
