/** A look at files before anything of them is played: at all of their rows where that is cheap, else at the first. */
import { BadMarketFile } from "../../market-files/bad-market-file.ts";
import { bytesOf } from "../../market-files/market-rows.ts";
import type { Layout } from "../../market-files/rows.ts";
import { REPLAY_LIMITS } from "./limits.ts";
import { type KnownOrders, OrdersAhead } from "./lobster/known-orders.ts";
import { ReplaySource, type SourceOptions } from "./replay-source.ts";

export interface Survey {
  readonly layout: Layout;
  /** The size of each file, unpacked. */
  readonly bytes: readonly number[];
  /** When the first row is, in the files' time. */
  readonly firstMs: number;
  readonly firstTicks: number;
  /** The mean quantity of the first rows. */
  readonly meanLots: number;
  /** Facts about messages that the player needs beforehand; null for other layouts. */
  readonly known: KnownOrders | null;
}

/** Throws `BadMarketFile`. */
export async function surveyed(options: SourceOptions): Promise<Survey> {
  const bytes = await bytesOf(options.paths);
  const isSmall = bytes.reduce((sum, each) => sum + each, 0) <= REPLAY_LIMITS.maxCheckedBytes;
  const source = new ReplaySource(options);
  try {
    return await look(source, options, bytes, isSmall);
  } finally {
    source.close();
  }
}

async function look(
  source: ReplaySource,
  { grid, paths }: SourceOptions,
  bytes: readonly number[],
  isSmall: boolean,
): Promise<Survey> {
  const ahead = new OrdersAhead(grid);
  let [rows, lots, firstMs, firstTicks] = [0, 0, 0, 0];
  while (source.peek() !== undefined || (await source.more())) {
    const row = source.peek();
    if (row === undefined) break;
    try {
      const one = row.kind === "message" ? ahead.take(row, source.place.file) : sizesOf(row, grid);
      if (rows === 0) [firstMs, firstTicks] = [row.timeMs, one.ticks];
      if (rows < REPLAY_LIMITS.measuredRows) lots += one.lots;
    } catch (error) {
      throw source.bad(row, error);
    }
    rows++;
    if (!isSmall && row.kind !== "message" && rows >= REPLAY_LIMITS.measuredRows) break;
    source.take();
  }
  const { layout } = source;
  if (rows === 0 || layout === undefined)
    throw new BadMarketFile(paths[0] ?? "", undefined, "no row is within the span");
  const meanLots = lots / Math.min(rows, REPLAY_LIMITS.measuredRows);
  return { layout, bytes, firstMs, firstTicks, meanLots, known: layout === "lobster" ? ahead.known : null };
}

function sizesOf(
  row: Parameters<ReplaySource["bad"]>[0],
  grid: SourceOptions["grid"],
): { readonly ticks: number; readonly lots: number } {
  if (row.kind !== "trade") throw new TypeError("a source gives candles as trades");
  return { ticks: grid.ticksOf(row.price), lots: grid.lotsOf(row.quantity) };
}
