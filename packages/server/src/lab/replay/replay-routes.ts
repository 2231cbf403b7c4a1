/** Routes that play recorded markets. */
import type { EngineView } from "@pricetime/engine";
import { z } from "zod";
import { AdminRefusal, created, ok } from "../../people/admin/answer.ts";
import { findMarket } from "../../people/admin/find-market.ts";
import { type Route, route } from "../../people/admin/router.ts";
import { BadMarketFile } from "../../research/market-files/bad-market-file.ts";
import { REPLAY_LIMITS } from "./limits.ts";
import type { Replay } from "./replay.ts";
import { sentReplay, speedShape } from "./replay-shapes.ts";
import type { Replays } from "./replays.ts";
import { OffGrid } from "./symbol-grid.ts";

const PATTERN = "/v1/lab/replays";
const ANSWERS =
  "`id`, `symbol`, `layout`, `isAssumed` (true: candles, replayed as four trades each in an assumed order), `files`, `impact`, `state` (`checking` while large files are checked before the replay: `checkedBytes` is the progress), `speed`, `atMs` (when the last row was replayed, on the lab's clock) and `fileMs` (its time in the file), `rows`, `trades`, `skipped`, `bytes` of `totalBytes`, `doubts` (anomalies of its files, which are replayed anyway: every row has the same side, candles or trades are missing), `book` (for LOBSTER messages with their file of the book: `equalRows`, the number of its `rows` at which it equals the result of the messages, and how many orders appeared or vanished without a message because they were beyond its levels), and `error` when it has failed.";

const changeShape = z
  .strictObject({ state: z.enum(["playing", "paused"]).exactOptional(), speed: speedShape.exactOptional() })
  .refine((sent) => Object.keys(sent).length > 0, "it requests no change");
const stepShape = z.strictObject({ rows: z.int().min(1).max(REPLAY_LIMITS.maxStepRows).default(1) });

export function replayRoutes(replays: Replays, view: EngineView): Route[] {
  return [
    route({
      method: "GET",
      pattern: PATTERN,
      summary: "Lists the replays of recorded markets, current and past.",
      answers: `For each: ${ANSWERS}`,
      handle: () => ok(replays.all.map(bodyOf)),
    }),
    route({
      method: "POST",
      pattern: PATTERN,
      summary: "Replays a recorded market on a symbol, whose bots are paused until the replay is removed.",
      answers: `${ANSWERS} 400 (BAD_FILE) with file and line, 409 (ALREADY_REPLAYED), 409 (TIME_GOES_BACK).`,
      status: 201,
      body: sentReplay,
      handle: async ({ body }) => {
        const { symbol } = findMarket(view, body.symbol).spec;
        if (replays.of(symbol) !== undefined) {
          throw new AdminRefusal(
            409,
            "ALREADY_REPLAYED",
            `${symbol} is already being replayed: remove that replay first.`,
          );
        }
        if (!replays.takesMore) {
          throw new AdminRefusal(409, "TOO_MANY", `There can be ${REPLAY_LIMITS.maxReplays} replays.`);
        }
        return created(bodyOf(await badFileAsRefusal(replays.add({ ...body, symbol }))));
      },
    }),
    route({
      method: "POST",
      pattern: `${PATTERN}/:id`,
      summary: "Pauses or resumes a replay, or changes its speed: time in the files per unit of the lab's time.",
      answers: ANSWERS,
      body: changeShape,
      handle: async ({ path, body }) => {
        const replay = found(replays, path["id"]);
        await replays.change(replay, () => {
          if (body.speed !== undefined) replay.setSpeed(body.speed);
          if (body.state === "paused") replay.pause();
          if (body.state === "playing") replay.resume();
        });
        return ok(bodyOf(replay));
      },
    }),
    route({
      method: "POST",
      pattern: `${PATTERN}/:id/step`,
      summary: "Replays the next rows of a paused replay now, regardless of their time.",
      answers: `${ANSWERS} 409 (NOT_PAUSED).`,
      body: stepShape,
      handle: async ({ path, body }) => {
        const replay = found(replays, path["id"]);
        if (replay.state.phase !== "paused") {
          throw new AdminRefusal(409, "NOT_PAUSED", "Only a paused replay can be stepped.");
        }
        await replays.step(replay, body.rows);
        return ok(bodyOf(replay));
      },
    }),
    route({
      method: "DELETE",
      pattern: `${PATTERN}/:id`,
      summary: "Removes a replay: its orders are canceled, the symbol's filters are restored, and its bots resume.",
      answers: "`removed`.",
      handle: async ({ path }) => {
        await replays.remove(found(replays, path["id"]));
        return ok({ removed: 1 });
      },
    }),
  ];
}

function found(replays: Replays, id = ""): Replay {
  const replay = /^[1-9][0-9]{0,15}$/.test(id) ? replays.find(Number(id)) : undefined;
  if (replay === undefined) throw new AdminRefusal(404, "UNKNOWN_REPLAY", "There is no such replay.");
  return replay;
}

async function badFileAsRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BadMarketFile) throw new AdminRefusal(400, "BAD_FILE", error.message);
    if (error instanceof OffGrid) throw new AdminRefusal(400, "BAD_REQUEST", `${error.message}.`);
    throw error;
  }
}

function bodyOf({ state, skipped, bytesPlayed, bytesChecked }: Replay): object {
  const { id, settings, layout, phase, speed, last, rows, trades, bytes, doubts, book, error } = state;
  return {
    ...{ id, symbol: settings.symbol, layout, isAssumed: layout === "klines", files: settings.files },
    ...{ impact: settings.impact, state: phase, speed, atMs: last?.labMs ?? null, fileMs: last?.fileMs ?? null },
    ...{ rows, trades, skipped, bytes: bytesPlayed, totalBytes: bytes.reduce((sum, each) => sum + each, 0) },
    ...(bytesChecked !== null && { checkedBytes: bytesChecked }),
    doubts,
    ...(book !== null && { book }),
    ...(error !== null && { error }),
  };
}
