/** The commands that play recorded markets in a lab, and record them. */
import { resolve } from "node:path";
import { MINUTE_MS } from "@pricetime/engine";
import { type Command, InvalidArgumentError, Option } from "commander";
import { LAYOUTS } from "../../market-files/rows.ts";
import { MACHINE } from "../../world/machine.ts";
import { toldByMachine, untilToldToStop } from "../../start/signals.ts";
import type { Connection } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import { createOutput, type Output, type Row } from "../session/output.ts";
import { recordMarket } from "./recorder/record-market.ts";
import { symbolName } from "../session/rest-session.ts";
import { action, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const REPLAYS = "/v1/lab/replays";
/** How often to ask how far the look at large files is. */
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
  if (Number.isNaN(timeMs)) throw new InvalidArgumentError("It must be a moment as 2026-01-01T00:00:00Z.");
  return timeMs;
}

export function addLabReplayCommands(lab: Command, terminal: Terminal): void {
  const replay = lab.command("replay <symbol>");
  replay.description("play a recorded market on a symbol, or show, pause, step and remove what is played there");
  replay.option(
    "--from <files...>",
    "play these files, the oldest first: the parent's CSV and ZIP, LOBSTER, recordings",
  );
  replay.addOption(new Option("--layout <layout>", "of the files (by their columns)").choices(LAYOUTS));
  replay.addOption(
    new Option("--impact <impact>", "what own orders do to recorded ones (book)").choices(["book", "none"]),
  );
  replay.addOption(
    new Option("--check <rows>", "look at these rows before any is played (all)").choices(["all", "beginning"]),
  );
  replay.option("--speed <number>", "the files' time in a unit of the lab's (1)", Number);
  replay.option("--start <time>", "of the lab's clock, when the first row is played (now)", moment);
  replay.option("--since <time>", "leave out the files' rows before this moment", moment);
  replay.option("--until <time>", "leave out rows from this moment on", moment);
  replay.option("--pause", "pause it").option("--play", "let it go on");
  replay.option("--step [rows]", "play the next row, or so many, while it is paused", Number);
  replay.option("--remove", "remove it: the symbol's bots go on");
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
  const replays = lab.command("replays").description("show recorded markets that are played, and how far they are");
  action(replays, terminal, async ({ connection, output }) => {
    const all = await connection.call<Listed[]>("GET", REPLAYS);
    output.rows(output.isJson ? (all as unknown as Row[]) : all.map(shown), COLUMNS);
  });
  addRecord(lab, terminal);
}

function addRecord(lab: Command, terminal: Terminal): void {
  const record = lab.command("record <url>");
  record.description("keep the public streams of a venue that speaks this interface in a file for `lab replay`");
  record.requiredOption("--symbol <symbol>", "whose trades and book");
  record.requiredOption("--to <file>", "a new file");
  record.option("--streams <url>", "where streams are, when that is another address");
  record.option("--minutes <number>", "end after so long (until it is told to stop)", Number);
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

/** Waits until large files were looked at, and tells how far that is. */
async function begun(connection: Connection, body: object, { note }: Pick<Output, "note">): Promise<Listed> {
  let replay = await connection.call<Listed>("POST", REPLAYS, body);
  for (let told = ""; replay.state === "checking"; ) {
    const progress = `looking at the files: ${share(replay.checkedBytes ?? 0, replay.totalBytes)}`;
    if (progress !== told) note((told = progress));
    await MACHINE.pause(LOOK_MS);
    const { id, symbol } = replay;
    const now = (await connection.call<Listed[]>("GET", REPLAYS)).find((one) => one.id === id);
    if (now === undefined) throw new CommandFailed(`the replay on ${symbol} was removed`);
    replay = now;
  }
  if (replay.state === "failed") throw new CommandFailed(replay.error ?? "");
  return replay;
}

async function found(connection: Connection, symbol: string): Promise<Listed> {
  const replay = (await connection.call<Listed[]>("GET", REPLAYS)).find((one) => one.symbol === symbol);
  if (replay === undefined) throw new CommandFailed(`nothing is replayed on ${symbol}: say --from FILE`);
  return replay;
}

/** Undefined: nothing was to be changed. */
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
