/**
 * The replays of a lab, each for a recorded market on one symbol, and their routes in the admin API. Their state is
 * plain data, so replays continue after a restore.
 */
import type { Replay as ReplayAnswer } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { z } from "zod";
import type { EngineView, Entry, Event } from "@pricetime/engine";
import type { Follower } from "../../api/edge/send-queue.ts";
import { type Cancel, type Clock, NOTHING_FOLLOWS, type Saves, type Timers } from "../../platform/world/port.ts";
import { savedCount, SavedStateUnreadable } from "../../platform/world/saved-state.ts";
import {
  REPLAY_LIMITS,
  type ReplaySettings,
  replayShape,
  type ReplayState,
  sentReplay,
  speedShape,
} from "./replay-shapes.ts";
import { Replay, type ReplayGround } from "./replay.ts";
import type { ReplayNode } from "./replay-orders.ts";
import { created, ok, Rejection } from "../../people/http/answer.ts";
import { findMarket } from "../../people/admin/parse.ts";
import { type AdminRoute, labRoute } from "../../people/admin/router.ts";
import { BadMarketFile } from "../../research/market-files/rows.ts";
import { OffGrid } from "./symbol-grid.ts";

const SAVED = z.strictObject({ lastId: savedCount, replays: z.array(replayShape).max(REPLAY_LIMITS.maxReplays) });

export interface ReplaysWorld extends Pick<Clock, "nowMs">, Pick<Timers, "after">, Saves {
  /** Keeps the current instant from ending until `work` has finished. */
  readonly during: <T>(work: Promise<T>) => Promise<T>;
  readonly isManual: () => boolean;
  /** Whether no other work is pending. */
  readonly isQuiet: () => boolean;
}

/** A node with the state of its send queue: `isQuiet` if all messages have been sent. */
export interface ReplaysNode extends ReplayNode {
  readonly sendQueue: { readonly isQuiet: boolean };
}

export interface ReplaysParts {
  readonly world: ReplaysWorld;
  readonly standIn: ReplayGround["standIn"];
  /** Called when a replay fails for any reason but an invalid file, which is a bug. */
  readonly onBug: (error: unknown) => void;
}

interface Listed {
  readonly replay: Replay;
  stopTimer: Cancel;
  /** The last of the operations on the replay, which run one after another. */
  turn: Promise<unknown>;
  /** The number of unfinished operations. */
  acts: number;
}

export class Replays implements Follower {
  readonly #parts: ReplaysParts;
  #replays: Listed[] = [];
  /** Replays that continue as soon as the node exists. */
  #waiting: readonly ReplayState[] = [];
  #lastId = 0;
  #ground: ReplayGround | undefined;
  #node: ReplaysNode | undefined;
  /** The number of rows that were replayed since sockets last had a turn. */
  #rowsInTurn = 0;

  constructor(parts: ReplaysParts) {
    this.#parts = parts;
    const save = () => ({ lastId: this.#lastId, replays: this.#replays.map(({ replay }) => replay.toSave()) });
    const takeBack = (state: z.output<typeof SAVED>): void => this.#goBackTo(state);
    const restored = parts.world.saved.restore("replays", SAVED, save, takeBack);
    if (restored !== undefined) this.#goBackTo(restored);
  }

  /** Restores the state. Nothing is replayed until `start` is called. */
  #goBackTo({ lastId, replays }: z.output<typeof SAVED>): void {
    this.#stop();
    this.#lastId = lastId;
    this.#waiting = replays;
  }

  /**
   * Continues the replays of a restored state. Called once the node exists. Throws `SavedStateUnreadable` if the
   * replays do not belong to its exchange.
   */
  start(node: ReplaysNode): void {
    const { world, standIn } = this.#parts;
    const { view, sequencer } = node;
    this.#node = node;
    this.#ground = { view, sequencer, nowMs: world.nowMs, standIn };
    for (const state of this.#waiting) {
      const { symbol } = state.settings;
      const isThere = node.view.marketBySymbol(symbol) !== undefined;
      if (!isThere) throw new SavedStateUnreadable(`replays: ${symbol} is not listed`);
      const replay = new Replay(this.#ground, state);
      replay.takeUp();
      const listed = this.#listed(replay);
      if (state.phase === "checking") this.#check(listed);
      this.#watch(listed);
    }
    this.#waiting = [];
  }

  get all(): readonly Replay[] {
    return this.#replays.map(({ replay }) => replay);
  }

  get takesMore(): boolean {
    return this.#replays.length < REPLAY_LIMITS.maxReplays;
  }

  find(id: number): Replay | undefined {
    return this.all.find(({ state }) => state.id === id);
  }

  /** Returns the replay that drives the symbol now or later. */
  of(symbol: string): Replay | undefined {
    return this.all.find((replay) => replay.state.settings.symbol === symbol && !replay.isRefused);
  }

  /**
   * Checks the files, and begins when the replay is due. If `BadMarketFile` is thrown, nothing has changed. Large files
   * are checked afterwards, in the state `checking`.
   */
  add(settings: ReplaySettings): Promise<Replay> {
    return this.#parts.world.during(this.#add(settings));
  }

  async remove(replay: Replay): Promise<void> {
    const listed = this.#entryOf(replay);
    listed.stopTimer();
    replay.stopChecking();
    await this.#inTurn(listed, async () => {
      listed.stopTimer();
      await replay.remove();
      this.#replays = this.#replays.filter((one) => one !== listed);
    });
  }

  /** Replays the next `rows` now. */
  async step(replay: Replay, rows: number): Promise<void> {
    await this.#inTurn(this.#entryOf(replay), () => replay.play(rows));
  }

  /** Changes the speed of a replay, pauses it or resumes it. */
  async change(replay: Replay, change: () => void): Promise<void> {
    const listed = this.#entryOf(replay);
    await this.#inTurn(listed, async () => {
      change();
      this.#watch(listed);
    });
  }

  applied(entry: Entry, events: readonly Event[]): void {
    for (const { replay } of this.#replays) replay.applied(entry, events);
  }

  /** Stops all replays. */
  close(): void {
    this.#stop();
  }

  async #add(settings: ReplaySettings): Promise<Replay> {
    const ground = this.#ground;
    if (ground === undefined) throw new Error("a replay needs a node");
    const replay = await Replay.prepare(ground, this.#lastId + 1, settings);
    this.#lastId++;
    this.#replays = this.#replays.filter((one) => {
      return !one.replay.isRefused || one.replay.state.settings.symbol !== settings.symbol;
    });
    const listed = this.#listed(replay);
    if (replay.state.phase === "checking") this.#check(listed);
    if (replay.dueMs <= ground.nowMs()) await this.#inTurn(listed, () => this.#step(replay));
    this.#watch(listed);
    return replay;
  }

  #listed(replay: Replay): Listed {
    const listed = { replay, stopTimer: () => {}, turn: Promise.resolve(), acts: 0 };
    this.#replays.push(listed);
    return listed;
  }

  #entryOf(replay: Replay): Listed {
    const listed = this.#replays.find((one) => one.replay === replay);
    assert(listed !== undefined, "a replay is acted on while it is listed");
    return listed;
  }

  /**
   * Checks the files while requests are served. A manual clock waits for the check, so that the start of the replay
   * does not depend on the disk.
   */
  #check(listed: Listed): void {
    const { world, onBug } = this.#parts;
    const { replay } = listed;
    const checked = replay.check().then(() => this.#watch(listed), onBug);
    const hold = (): void => void (world.isManual() && world.during(checked));
    listed.stopTimer = world.after(0, hold, `replay ${replay.state.id}`);
  }

  #inTurn<T>(listed: Listed, work: () => Promise<T>): Promise<T> {
    listed.acts++;
    const done = listed.turn.then(work).finally(() => listed.acts--);
    listed.turn = done.catch(() => {});
    return this.#parts.world.during(done);
  }

  async #step(replay: Replay): Promise<void> {
    if (replay.state.phase === "waiting") await replay.begin();
    if (replay.state.phase === "playing") await replay.play();
  }

  #watch(listed: Listed): void {
    const { world } = this.#parts;
    const { dueMs, state } = listed.replay;
    if (state.phase === "checking") return;
    listed.stopTimer();
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const due = (): unknown => this.#due(listed);
    listed.stopTimer = world.after(Math.max(0, dueMs - world.nowMs()), due, `replay ${state.id}`);
  }

  /** Replays the rows that are due. Several instants may pass in one turn if no further work follows from them. */
  #due(listed: Listed): unknown {
    if (!this.#replays.includes(listed)) return undefined;
    const { replay } = listed;
    const { phase, rows } = replay.state;
    let rest: Promise<void> | undefined;
    if (listed.acts === 0 && phase === "playing") {
      rest = replay.playDue();
      if (rest === undefined) {
        this.#watch(listed);
        return this.#nothingFollows(replay.state.rows - rows) ? NOTHING_FOLLOWS : undefined;
      }
    }
    const step = async (): Promise<void> => {
      await (rest ?? this.#step(replay));
      this.#watch(listed);
    };
    this.#inTurn(listed, step).catch(this.#parts.onBug);
    return undefined;
  }

  /** Whether the replayed rows caused no further work, and sockets do not need a turn yet. */
  #nothingFollows(rows: number): boolean {
    const { sequencer, sendQueue } = this.#nodeNow;
    this.#rowsInTurn += rows;
    const isOver = sendQueue.isQuiet && sequencer.canSubmitNow && this.#parts.world.isQuiet();
    if (isOver && this.#rowsInTurn < REPLAY_LIMITS.maxRowsInTurn) return true;
    this.#rowsInTurn = 0;
    return false;
  }

  get #nodeNow(): ReplaysNode {
    assert(this.#node !== undefined, "a replay needs a node");
    return this.#node;
  }

  #stop(): void {
    for (const { replay, stopTimer } of this.#replays) {
      stopTimer();
      replay.close();
    }
    this.#replays = [];
    this.#ground = undefined;
  }
}

const PATTERN = "/v1/lab/replays";
const ANSWERS =
  "`id`, `symbol`, `layout`, `isAssumed` (true: candles, replayed as four trades each in an assumed order), `files`, `impact`, `state` (`checking` while large files are checked before the replay: `checkedBytes` is the progress), `speed`, `atMs` (when the last row was replayed, on the lab's clock) and `fileMs` (its time in the file), `rows`, `trades`, `skipped`, `bytes` of `totalBytes`, `doubts` (anomalies of its files, which are replayed anyway: every row has the same side, candles or trades are missing), `book` (for LOBSTER messages with their file of the book: `equalRows`, the number of its `rows` at which it equals the result of the messages, and how many orders appeared or vanished without a message because they were beyond its levels), and `error` when it has failed.";

const changeShape = z
  .strictObject({ state: z.enum(["playing", "paused"]).exactOptional(), speed: speedShape.exactOptional() })
  .refine((sent) => Object.keys(sent).length > 0, "it requests no change");
const stepShape = z.strictObject({ rows: z.int().min(1).max(REPLAY_LIMITS.maxStepRows).default(1) });

export function replayRoutes(replays: Replays, view: EngineView): AdminRoute[] {
  return [
    labRoute({
      endpoint: `GET ${PATTERN}`,
      summary: "Lists the replays of recorded markets, current and past.",
      answers: `For each: ${ANSWERS}`,
      handle: () => ok(replays.all.map(bodyOf)),
    }),
    labRoute({
      endpoint: `POST ${PATTERN}`,
      summary: "Replays a recorded market on a symbol, whose bots are paused until the replay is removed.",
      answers: `${ANSWERS} 400 (BAD_FILE) with file and line, 409 (ALREADY_REPLAYED), 409 (TIME_GOES_BACK).`,
      status: 201,
      body: sentReplay,
      handle: async ({ body }) => {
        const { symbol } = findMarket(view, body.symbol).spec;
        if (replays.of(symbol) !== undefined) {
          throw new Rejection(
            409,
            "ALREADY_REPLAYED",
            `${symbol} is already being replayed: remove that replay first.`,
          );
        }
        if (!replays.takesMore) {
          throw new Rejection(409, "TOO_MANY", `There can be ${REPLAY_LIMITS.maxReplays} replays.`);
        }
        return created(bodyOf(await badFileAsRefusal(replays.add({ ...body, symbol }))));
      },
    }),
    labRoute({
      endpoint: `POST ${PATTERN}/:id`,
      summary: "Pauses or resumes a replay, or changes its speed: time in the files per unit of the lab's time.",
      answers: ANSWERS,
      body: changeShape,
      handle: async ({ path, body }) => {
        const replay = found(replays, path.id);
        await replays.change(replay, () => {
          if (body.speed !== undefined) replay.setSpeed(body.speed);
          if (body.state === "paused") replay.pause();
          if (body.state === "playing") replay.resume();
        });
        return ok(bodyOf(replay));
      },
    }),
    labRoute({
      endpoint: `POST ${PATTERN}/:id/step`,
      summary: "Replays the next rows of a paused replay now, regardless of their time.",
      answers: `${ANSWERS} 409 (NOT_PAUSED).`,
      body: stepShape,
      handle: async ({ path, body }) => {
        const replay = found(replays, path.id);
        if (replay.state.phase !== "paused") {
          throw new Rejection(409, "NOT_PAUSED", "Only a paused replay can be stepped.");
        }
        await replays.step(replay, body.rows);
        return ok(bodyOf(replay));
      },
    }),
    labRoute({
      endpoint: `DELETE ${PATTERN}/:id`,
      summary: "Removes a replay: its orders are canceled, the symbol's filters are restored, and its bots resume.",
      answers: "`removed`.",
      handle: async ({ path }) => {
        await replays.remove(found(replays, path.id));
        return ok({ removed: 1 });
      },
    }),
  ];
}

function found(replays: Replays, id = ""): Replay {
  const replay = /^[1-9][0-9]{0,15}$/.test(id) ? replays.find(Number(id)) : undefined;
  if (replay === undefined) throw new Rejection(404, "UNKNOWN_REPLAY", "There is no such replay.");
  return replay;
}

async function badFileAsRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BadMarketFile) throw new Rejection(400, "BAD_FILE", error.message);
    if (error instanceof OffGrid) throw new Rejection(400, "BAD_REQUEST", `${error.message}.`);
    throw error;
  }
}

function bodyOf({ state, skipped, bytesPlayed, bytesChecked }: Replay): ReplayAnswer {
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
