/**
 * One day of LOBSTER's files: whose it is, and in which units. Their own have prices of 10^-4, whole sizes and the day in
 * their names; ours have a third file beside them that says so, because no fixed unit holds every symbol.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { DAY_MS } from "@pricetime/engine";
import { z } from "zod";
import { BadMarketFile } from "../bad-market-file.ts";

const MAX_SCALE = 8;

const lobsterMeta = z.object({
  venue: z.string(),
  symbol: z.string(),
  /** Days since 1970, UTC. */
  epochDay: z.int().min(0).max(1e6),
  /** Decimals of a price and of a size. */
  priceScale: z.int().min(0).max(MAX_SCALE),
  sizeScale: z.int().min(0).max(MAX_SCALE),
  /** The levels of the file of the book. */
  levels: z.int().min(0),
});
export type LobsterMeta = z.output<typeof lobsterMeta>;

export interface LobsterDay {
  /** When the day began, in milliseconds since 1970. */
  readonly startMs: number;
  readonly priceScale: number;
  readonly sizeScale: number;
}

/** The names of a day's files, without their folder. */
export function lobsterNames({ symbol, epochDay, levels }: Pick<LobsterMeta, "symbol" | "epochDay" | "levels">): {
  readonly message: string;
  readonly orderbook: string;
  readonly meta: string;
} {
  const stem = `${symbol}_${new Date(epochDay * DAY_MS).toISOString().slice(0, 10)}`;
  return { message: `${stem}_message.csv`, orderbook: `${stem}_orderbook_${levels}.csv`, meta: `${stem}_meta.json` };
}

const NAME = /^(.*_([0-9]{4}-[0-9]{2}-[0-9]{2})_.*)message(?:_([0-9]+))?\.(?:csv|zip|csv\.zip|csv\.gz)$/i;
const ORDERBOOK = /_[0-9]{4}-[0-9]{2}-[0-9]{2}_.*orderbook_[0-9]+\.(?:csv|zip|csv\.zip|csv\.gz)$/i;

export const isOrderbookFile = (path: string): boolean => ORDERBOOK.test(basename(path));

/** `SYMBOL_YYYY-MM-DD_meta.json` for a file of messages; null when the name is not one. */
function metaPathOf(path: string): string | null {
  const name = basename(path);
  const [, before] = NAME.exec(name) ?? [];
  return before === undefined ? null : `${path.slice(0, path.length - name.length)}${before}meta.json`;
}

/** How a file of the book may be packed, whatever the messages are. */
const ENDINGS = [".csv", ".csv.gz", ".zip", ".csv.zip"];

/**
 * The file of the book beside a file of messages, as LOBSTER sells them: both tell of some levels alone. Null where there
 * is none, and where messages are ours, which tell of every order.
 */
export function orderbookOf(path: string): string | null {
  const stem = orderbookStem(path);
  if (stem === null) return null;
  return ENDINGS.map((each) => stem + each).find((each) => existsSync(each)) ?? null;
}

/** What an error about messages says that may tell of some levels alone; "" where their file of the book is there. */
export function missingOrderbook(path: string): string {
  const stem = orderbookStem(path);
  if (stem === null || orderbookOf(path) !== null) return "";
  return `; without ${basename(stem)}.csv beside it, messages of some levels are taken for those of all`;
}

/** Where the file of the book would be, without its ending; null for messages that need none. */
function orderbookStem(path: string): string | null {
  const name = basename(path);
  const [, before, , levels] = NAME.exec(name) ?? [];
  const metaPath = metaPathOf(path);
  if (levels === undefined || metaPath === null || existsSync(metaPath)) return null;
  return `${path.slice(0, path.length - name.length)}${before}orderbook_${levels}`;
}

/** Throws `BadMarketFile`. */
export async function lobsterDayOf(path: string): Promise<LobsterDay> {
  const [, , day] = NAME.exec(basename(path)) ?? [];
  const metaPath = metaPathOf(path);
  if (day === undefined || metaPath === null) {
    throw new BadMarketFile(path, undefined, "a file of messages is named SYMBOL_YYYY-MM-DD_…message….csv");
  }
  const meta = await metaAt(metaPath);
  if (meta !== undefined) {
    return { startMs: meta.epochDay * DAY_MS, priceScale: meta.priceScale, sizeScale: meta.sizeScale };
  }
  const startMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(startMs)) throw new BadMarketFile(path, undefined, `${day} is no day`);
  return { startMs, priceScale: 4, sizeScale: 0 };
}

async function metaAt(path: string): Promise<LobsterMeta | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new BadMarketFile(path, undefined, `it cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    return lobsterMeta.parse(JSON.parse(text));
  } catch (error) {
    throw new BadMarketFile(path, undefined, "it is not what our exports put beside messages", { cause: error });
  }
}
