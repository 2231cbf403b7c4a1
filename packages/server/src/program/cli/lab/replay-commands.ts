/** The commands that record markets, and replay recordings in a lab. */
import { resolve } from "node:path";
import { MINUTE_MS } from "@pricetime/engine";
import { type Command, InvalidArgumentError, Option } from "commander";
import { LAYOUTS } from "../../../research/market-files/rows.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { toldByMachine, untilToldToStop } from "../../start/signals.ts";
import type { Connection } from "../session/connection.ts";
import { CommandFailed, createOutput, type Output, type Row, type Terminal } from "../session/terminal.ts";
import { recordMarket } from "./record-market.ts";
import { symbolName } from "../session/rest.ts";
import { action, said } from "../session/session.ts";

const REPLAYS = "/v1/lab/replays";
/** The interval between requests for the progress of checking large files. */
const LOOK_MS = 500;
const COLUMNS = [
  "id",
  "symbol",
  "layout",
  "state",
  "speed",
  "fileTime",
  "rows",
  "trades",
  "skipped",
  "checked",
  "played",
  "book",
  "doubts",
  "error",
];

interface Listed {
  readonly id: number;
  readonly symbol: string;
  readonly bytes: number;
  readonly totalBytes: number;
  /** While the files are looked at. */
  readonly checkedBytes?: number;
  readonly state: string;
  readonly fileMs: number | null;
  /** What is strange about its files. */
  readonly doubts: readonly string[];
  /** How LOBSTER's messages agree with their file of the book. */
  readonly book?: { readonly rows: number; readonly equalRows: number };
  readonly error?: string;
}

/** Milliseconds since 1970, or a moment as ISO 8601 writes it. */
function moment(text: string): number {
  const timeMs = /^[0-9]{1,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError("It must be a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970.");
  return timeMs;
}

export function addLabReplayCommands(lab: Command, terminal: Terminal): void {
  const replay = lab.command("replay <symbol>");
  replay.description("Replay a recorded market on a symbol, or show, pause, step or remove its replay.");
  replay.option("--from <files...>", "Replay these files, oldest first: Binance's CSV and ZIP, LOBSTER, recordings");
  replay.addOption(
    new Option("--layout <layout>", "File format (default: detected from the columns)").choices(LAYOUTS),
  );
  replay.addOption(
    new Option("--impact <impact>", "Effect of your orders on recorded ones (default: book)").choices(["book", "none"]),
  );
  replay.addOption(
    new Option("--check <rows>", "Rows to validate before the replay starts (default: all)").choices([
      "all",
      "beginning",
    ]),
  );
  replay.option("--speed <number>", "Speed of the recording, as a multiple of the lab's clock (default: 1)", Number);
  replay.option("--start <time>", "Time of the lab's clock at which the first row is replayed (default: now)", moment);
  replay.option("--since <time>", "Skip rows before this time", moment);
  replay.option("--until <time>", "Skip rows from this time on", moment);
  replay.option("--pause", "Pause the replay").option("--play", "Resume the replay");
  replay.option("--step [rows]", "Replay the next row, or this many, while paused", Number);
  replay.option("--remove", "Remove the replay. The symbol's bots resume");
  action(replay, terminal, async ({ connection, output }, [name], options) => {
    const symbol = symbolName(name);
    const { from, layout, impact, check, speed, start, since, until } = options;
    if (from !== undefined) {
      const files = (from as string[]).map((file) => resolve(file));
      const times = { startAtMs: start, fromMs: since, toMs: until };
      const body = said({ symbol, files, layout, impact, check, speed, ...times });
      output.one(shown(await begun(connection, body, output)));
      return;
    }
    const { id, ...row } = await found(connection, symbol);
    if (options["remove"] === true) output.one(await connection.call<Row>("DELETE", `${REPLAYS}/${id}`));
    else output.one(shown((await changed(connection, id, options)) ?? { id, ...row }));
  });
  const replays = lab.command("replays").description("List replays and their progress.");
  action(replays, terminal, async ({ connection, output }) => {
    const all = await connection.call<Listed[]>("GET", REPLAYS);
    output.rows(output.isJson ? (all as unknown as Row[]) : all.map(shown), COLUMNS);
  });
  addRecord(lab, terminal);
}

function addRecord(lab: Command, terminal: Terminal): void {
  const record = lab.command("record <url>");
  record.description("Record the public streams of a venue with this API to a file for `lab replay`.");
  record.requiredOption("--symbol <symbol>", "Symbol to record");
  record.requiredOption("--to <file>", "New file to write");
  record.option("--streams <url>", "Address of the streams (default: the venue's URL)");
  record.option("--minutes <number>", "Stop after this many minutes (default: until it is interrupted)", Number);
  record.option("--json", "print JSON");
  record.action(async (url: string, options: Readonly<Record<string, unknown>>) => {
    const { symbol, to, streams, minutes, json } = options;
    const stopped: Promise<unknown>[] = [untilToldToStop(toldByMachine(MACHINE))];
    if (minutes !== undefined) stopped.push(MACHINE.pause(Number(minutes) * MINUTE_MS));
    const task = { rest: url, streams: streams as string | undefined, symbol: symbolName(symbol as string) };
    const output = createOutput(json === true, terminal.print);
    const { nowMs } = MACHINE;
    const note = (text: string): void => output.note(text);
    const until = Promise.race(stopped);
    const kept = await recordMarket({ ...task, path: to as string, until, nowMs, timers: MACHINE, note });
    output.one({ ...kept });
  });
}

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

/** Undefined: no change was requested. */
async function changed(
  connection: Connection,
  id: number,
  { pause, play, step, speed }: Readonly<Record<string, unknown>>,
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
