/** Commands that record markets, and replay recordings in a lab. */
import { resolve } from "node:path";
import { MINUTE_MS } from "@pricetime/engine";
import { LAYOUTS } from "../../../research/market-files/rows.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { machineSignals, untilStopSignal } from "../../start/signals.ts";
import { command, localCommand } from "../session/command-row.ts";
import type { Connection } from "../session/connection.ts";
import { CommandFailed, type Output, type Row } from "../session/terminal.ts";
import { symbolName } from "../session/rest.ts";
import { choices, said, time } from "../session/values.ts";

const REPLAYS = "/v1/lab/replays";
/** How often the progress of validating large files is requested. */
const LOOK_MS = 500;
interface Listed {
  readonly id: number;
  readonly symbol: string;
  readonly bytes: number;
  readonly totalBytes: number;
  /** Only present while the files are being validated. */
  readonly checkedBytes?: number;
  readonly state: string;
  readonly fileMs: number | null;
  /** Anomalies found in the files. */
  readonly doubts: readonly string[];
  /** How many rows of LOBSTER's order book file agree with its messages. */
  readonly book?: { readonly rows: number; readonly equalRows: number };
  readonly error?: string;
}

interface ReplayOptions {
  readonly symbol: string;
  readonly from?: readonly string[];
  readonly layout?: string;
  readonly impact?: string;
  readonly check?: string;
  readonly speed?: number;
  readonly start?: number;
  readonly since?: number;
  readonly until?: number;
  readonly pause?: true;
  readonly play?: true;
  readonly step?: number | true;
  readonly remove?: true;
}

const REPLAY = command("replay <symbol>")
  .text("Replay a recorded market on a symbol, or show, pause, step or remove its replay.")
  .option("--from <files...>", "Replay these files, oldest first: Binance's CSV and ZIP, LOBSTER, recordings")
  .option("--layout <layout>", "File format (default: detected from the columns)", choices(...LAYOUTS))
  .option("--impact <impact>", "Effect of your orders on recorded ones (default: book)", choices("book", "none"))
  .option("--check <rows>", "Rows to validate before the replay starts (default: all)", choices("all", "beginning"))
  .option("--speed <number>", "Speed of the recording, as a multiple of the lab's clock (default: 1)", {
    parse: Number,
  })
  .option("--start <time>", "Time of the lab's clock at which the first row is replayed (default: now)", time)
  .option("--since <time>", "Skip rows before this time", time)
  .option("--until <time>", "Skip rows from this time on", time)
  .option("--pause", "Pause the replay")
  .option("--play", "Resume the replay")
  .option("--step [rows]", "Replay the next row, or this many, while paused", { parse: Number })
  .option("--remove", "Remove the replay. The symbol's bots resume")
  .runs(async ({ connection, output }, options: ReplayOptions) => {
    const symbol = symbolName(options.symbol);
    const { from, layout, impact, check, speed, start, since, until } = options;
    if (from !== undefined) {
      const files = from.map((file) => resolve(file));
      const times = { startAtMs: start, fromMs: since, toMs: until };
      const body = said({ symbol, files, layout, impact, check, speed, ...times });
      return output.one(shown(await begun(connection, body, output)));
    }
    const replay = await found(connection, symbol);
    if (options.remove === true) output.one(await connection.call<Row>("DELETE", `${REPLAYS}/${replay.id}`));
    else output.one(shown((await changed(connection, replay.id, options)) ?? replay));
  });

const LIST = command("replays", "GET /v1/lab/replays")
  .text("List replays and their progress.")
  .table((replays: readonly Listed[]) => replays.map(shown))
  .columns(
    ...["id", "symbol", "layout", "state", "speed", "fileTime", "rows", "trades"],
    ...["skipped", "checked", "played", "book", "doubts", "error"],
  );

interface RecordOptions {
  readonly url: string;
  readonly symbol: string;
  readonly to: string;
  readonly streams?: string;
  readonly minutes?: number;
}

const RECORD = localCommand("record <url>")
  .text("Record the public streams of a venue with this API to a file for `lab replay`.")
  .required("--symbol <symbol>", "Symbol to record")
  .required("--to <file>", "New file to write")
  .option("--streams <url>", "Address of the streams (default: the venue's URL)")
  .option("--minutes <number>", "Stop after this many minutes (default: until it is interrupted)", { parse: Number })
  .option("--json", "print JSON")
  .runs(async ({ output }, { url: rest, symbol, to: path, streams, minutes }: RecordOptions) => {
    const { recordMarket } = await import("./record-market.ts");
    const stopped: Promise<unknown>[] = [untilStopSignal(machineSignals(MACHINE))];
    if (minutes !== undefined) stopped.push(MACHINE.pause(minutes * MINUTE_MS));
    const task = { rest, streams, symbol: symbolName(symbol), path, until: Promise.race(stopped) };
    const note = (text: string): void => output.note(text);
    output.one({ ...(await recordMarket({ ...task, nowMs: MACHINE.nowMs, timers: MACHINE, note })) });
  });

export const LAB_REPLAYS = [REPLAY, LIST, RECORD];

/** Waits until large files are validated, and reports the progress. */
async function begun(connection: Connection, body: object, { note }: Pick<Output, "note">): Promise<Listed> {
  let replay = await connection.call<Listed>("POST", REPLAYS, body);
  for (let told = ""; replay.state === "checking"; ) {
    const progress = `Validating the files: ${share(replay.checkedBytes ?? 0, replay.totalBytes)}`;
    if (progress !== told) note((told = progress));
    await MACHINE.pause(LOOK_MS);
    const { id, symbol } = replay;
    const now = (await connection.call<Listed[]>("GET", REPLAYS)).find((one) => one.id === id);
    if (now === undefined) throw new CommandFailed(`The replay on ${symbol} was removed.`);
    replay = now;
  }
  if (replay.state === "failed") throw new CommandFailed(replay.error ?? "");
  return replay;
}

async function found(connection: Connection, symbol: string): Promise<Listed> {
  const replay = (await connection.call<Listed[]>("GET", REPLAYS)).find((one) => one.symbol === symbol);
  if (replay === undefined) throw new CommandFailed(`There is no replay on ${symbol}. Start one with --from FILE.`);
  return replay;
}

/** Applies the requested changes to a replay. Returns undefined if no change was requested. */
async function changed(
  connection: Connection,
  id: number,
  { pause, play, step, speed }: ReplayOptions,
): Promise<Listed | undefined> {
  const state = pause === true ? "paused" : play === true ? "playing" : undefined;
  let replay: Listed | undefined;
  if (state !== undefined || speed !== undefined) {
    replay = await connection.call<Listed>("POST", `${REPLAYS}/${id}`, said({ state, speed }));
  }
  if (step === undefined) return replay;
  return connection.call<Listed>("POST", `${REPLAYS}/${id}/step`, step === true ? {} : { rows: step });
}

function shown({ bytes, totalBytes, checkedBytes, fileMs, doubts, book, ...row }: Listed): Row {
  const fileTime = fileMs === null ? null : new Date(fileMs).toISOString();
  const checked = checkedBytes === undefined ? {} : { checked: share(checkedBytes, totalBytes) };
  const strange = doubts.length === 0 ? {} : { doubts };
  const agreed = book === undefined ? {} : { book: `equal at ${book.equalRows} of ${book.rows} rows` };
  return { ...row, fileTime, ...checked, ...agreed, ...strange, played: share(bytes, totalBytes) };
}

const share = (bytes: number, totalBytes: number): string =>
  `${totalBytes === 0 ? 100 : Math.floor((100 * bytes) / totalBytes)} %`;
