/**
 * The latency of a lab's network by the lab's clock, for requests, responses and stream messages; and its routes in the
 * admin API.
 */
import { z } from "zod";
import type { Clock, Dice, SavedValue, Saves } from "../platform/world/port.ts";
import { savedCount } from "../platform/world/saved-state.ts";
import { MAX_SIGMA, MAX_WAIT_MS } from "./faults/fault.ts";
import { type Delays, drawMs } from "./faults/delays.ts";
import { findEndpoint, findMethod, type KnownEndpoint } from "@pricetime/protocol";
import { STOPPING } from "../api/edge/http/own-answers.ts";
import type { Entrance, GatewayRequest, MethodRequest, Replier } from "../api/edge/request.ts";
import { onReply, RequestStage } from "./request-stage.ts";
import type { StreamFaults, StreamLine, StreamMessage } from "../api/streams/port.ts";
import { readFileSync, statSync } from "node:fs";
import { ok, Rejection } from "../people/http/answer.ts";
import { type AdminRoute, labRoute } from "../people/admin/router.ts";

/** The maximum number of samples in a file. */
const MAX_SAMPLES = 100_000;

/** Kinds of requests that can have different latencies. */
const REQUEST_KINDS = ["place", "cancel", "query"] as const;
type RequestKind = (typeof REQUEST_KINDS)[number];

const ms = z.int().min(0).max(MAX_WAIT_MS);
/** A delay: constant, log-normal around a median, or a list that is used in order and then repeated. */
export const waitSchema = z.union([
  z.strictObject({ ms }),
  z.strictObject({ medianMs: ms.min(1), sigma: z.number().min(0).max(MAX_SIGMA) }),
  z.strictObject({ samplesMs: z.array(ms).min(1).max(MAX_SAMPLES) }),
]);
export type Wait = z.output<typeof waitSchema>;

const byKind = z.strictObject({
  place: waitSchema.exactOptional(),
  cancel: waitSchema.exactOptional(),
  query: waitSchema.exactOptional(),
});
/** The latency setting. A missing field means no latency. */
export const latencySchema = z.strictObject({
  marketData: waitSchema.exactOptional(),
  orderEntry: z.union([waitSchema, byKind]).exactOptional(),
  answer: z.union([waitSchema, byKind]).exactOptional(),
});
export type LatencySetting = z.output<typeof latencySchema>;

/** The fields of a setting that may contain a list of samples. */
const PLACES = [
  "marketData",
  ...(["orderEntry", "answer"] as const).flatMap((way) => [
    way,
    ...REQUEST_KINDS.map((kind): `${typeof way}.${RequestKind}` => `${way}.${kind}`),
  ]),
] as const;
type Place = (typeof PLACES)[number];

/** The number of samples used from each list. */
type Taken = Partial<Record<Place, number>>;

const SAVED = z.strictObject({ setting: latencySchema, taken: z.partialRecord(z.enum(PLACES), savedCount) });

export class Latency {
  readonly #dice: Dice;
  #setting: LatencySetting = {};
  /** The position in each list of samples. */
  #taken: Taken = {};

  constructor(world: Dice & Saves) {
    this.#dice = world;
    const takeBack = (state: z.output<typeof SAVED>): void => this.#goBackTo(state);
    const restored = world.saved.restore("latency", SAVED, () => this.#state(), takeBack);
    if (restored !== undefined) this.#goBackTo(restored);
  }

  #state(): SavedValue {
    return { setting: structuredClone(this.#setting) as SavedValue, taken: { ...this.#taken } };
  }

  #goBackTo({ setting, taken }: z.output<typeof SAVED>): void {
    this.#setting = setting;
    this.#taken = taken;
  }

  get setting(): LatencySetting {
    return this.#setting;
  }

  set(setting: LatencySetting): void {
    this.#setting = setting;
    this.#taken = {};
  }

  /** Draws the milliseconds until the request arrives at the exchange. */
  orderEntryMs(kind: RequestKind): number {
    return this.#ofKindMs("orderEntry", kind);
  }

  /** Draws the milliseconds until the response arrives at the client. */
  answerMs(kind: RequestKind): number {
    return this.#ofKindMs("answer", kind);
  }

  /** Draws the milliseconds until a stream message arrives at the client. */
  marketDataMs(): number {
    return this.#drawMs(this.#setting.marketData, "marketData");
  }

  get isNone(): boolean {
    return Object.keys(this.#setting).length === 0;
  }

  #ofKindMs(way: "answer" | "orderEntry", kind: RequestKind): number {
    const waits = this.#setting[way];
    if (waits === undefined) return 0;
    return isWait(waits) ? this.#drawMs(waits, way) : this.#drawMs(waits[kind], `${way}.${kind}`);
  }

  #drawMs(wait: Wait | undefined, place: Place): number {
    if (wait === undefined) return 0;
    if (!("samplesMs" in wait)) return drawMs(wait, this.#dice);
    const taken = this.#taken[place] ?? 0;
    this.#taken[place] = taken + 1;
    return wait.samplesMs[taken % wait.samplesMs.length] ?? 0;
  }
}

function isWait(waits: Wait | z.output<typeof byKind>): waits is Wait {
  return "ms" in waits || "medianMs" in waits || "samplesMs" in waits;
}

// Delays requests and their responses.

const PLACING: ReadonlySet<string> = new Set([
  ...["order.place", "order.test", "order.cancelReplace", "orderList.place", "orderList.place.oco"],
  ...["orderList.place.oto", "orderList.place.otoco", "orderList.place.opo", "orderList.place.opoco"],
]);
const CANCELLING: ReadonlySet<string> = new Set([
  ...["order.cancel", "openOrders.cancelAll", "orderList.cancel", "order.amend.keepPriority"],
]);

export class LatentSink extends RequestStage {
  readonly #latency: Latency;
  readonly #delays: Delays;

  constructor(latency: Latency, delays: Delays, inner: Entrance) {
    super(inner);
    this.#latency = latency;
    this.#delays = delays;
  }

  process(request: GatewayRequest, replier: Replier): void {
    const { method, path } = request;
    if (this.#latency.isNone) {
      this.inner.process(request, replier);
      return;
    }
    const endpoint = findEndpoint(method === "HEAD" ? "GET" : method, path);
    const kind = typeof endpoint === "string" ? "query" : kindOf(endpoint);
    this.#go(kind, replier, (late) => this.inner.process(request, late));
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    const endpoint = findMethod(request.method);
    const kind = endpoint === undefined ? "query" : kindOf(endpoint);
    this.#go(kind, replier, (late) => this.inner.processMethod(request, late));
  }

  #go(kind: RequestKind, replier: Replier, carryOut: (replier: Replier) => void): void {
    const waitMs = this.#latency.orderEntryMs(kind);
    const late = onReply(replier, (response, send) => {
      const answerMs = this.#latency.answerMs(kind);
      const sendIt = (): void => send(response);
      if (answerMs === 0) sendIt();
      else this.#delays.later(answerMs, sendIt, sendIt);
    });
    if (waitMs === 0) carryOut(late);
    else
      this.#delays.later(
        waitMs,
        () => carryOut(late),
        () => replier.reply(STOPPING),
      );
  }
}

function kindOf({ id }: KnownEndpoint): RequestKind {
  if (PLACING.has(id)) return "place";
  return CANCELLING.has(id) ? "cancel" : "query";
}

// Delays stream messages, which keep their order.

/** The messages of a connection that have not arrived yet. */
interface OnWay {
  /** The arrival time of the last message; the next one arrives no earlier. */
  lastMs: number;
  count: number;
}

export class LatentStreams implements StreamFaults {
  readonly #latency: Latency;
  readonly #delays: Delays;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #inner: StreamFaults;
  readonly #onWay = new WeakMap<StreamLine, OnWay>();

  constructor(latency: Latency, delays: Delays, clock: Pick<Clock, "nowMs">, inner: StreamFaults) {
    this.#latency = latency;
    this.#delays = delays;
    this.#clock = clock;
    this.#inner = inner;
  }

  pass(message: StreamMessage, line: StreamLine): void {
    const nowMs = this.#clock.nowMs();
    const onWay = this.#onWay.get(line) ?? { lastMs: 0, count: 0 };
    const dueMs = Math.max(nowMs + this.#latency.marketDataMs(), onWay.lastMs);
    // If an earlier message is due in this millisecond, it may not have been sent yet, so this one has to wait as well.
    if (dueMs === nowMs && onWay.count === 0) {
      this.#inner.pass(message, line);
      return;
    }
    onWay.lastMs = dueMs;
    onWay.count++;
    this.#onWay.set(line, onWay);
    this.#delays.later(
      dueMs - nowMs,
      () => {
        onWay.count--;
        this.#inner.pass(message, line);
      },
      () => {},
    );
  }
}

/** The maximum size in bytes of a file of samples. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function latencyRoutes(latency: Latency): AdminRoute[] {
  return [
    labRoute({
      endpoint: "GET /v1/lab/latency",
      summary: "Shows the latency of requests, responses and stream messages.",
      answers: "`marketData`, `orderEntry`, `answer`: no latency if absent.",
      handle: () => ok(latency.setting),
    }),
    labRoute({
      endpoint: "POST /v1/lab/latency",
      summary: "Sets the latency of requests, responses and stream messages, on the lab's clock.",
      answers:
        "As in GET. Each is `{ms}`, `{medianMs, sigma}` of a log-normal distribution, or `{samplesMs: […]}`, used in order and repeated; `orderEntry` and `answer` can also have one of these for each of `place`, `cancel` and `query`. `{}` means no latency.",
      body: latencySchema,
      asSchema: withFiles,
      handle: ({ body }) => {
        latency.set(body);
        return ok(latency.setting);
      },
    }),
  ];
}

/**
 * Replaces `{file}` by `samplesMs`: the contents of a file on the node's machine with one number of milliseconds per
 * line.
 */
function withFiles(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const { file, ...others } = sent as { readonly file?: unknown };
  if (typeof file === "string" && Object.keys(others).length === 0) return { samplesMs: samplesOf(file) };
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, withFiles(value)]));
}

const notAFile = (path: string): Rejection =>
  new Rejection(400, "BAD_REQUEST", `file: ${path} must be a file of at most ${MAX_FILE_BYTES} bytes`);

function samplesOf(path: string): readonly number[] {
  let text: string;
  try {
    // Only regular files are read, because reading a device may never end.
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_FILE_BYTES) throw notAFile(path);
    text = readFileSync(path, "latin1");
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw new Rejection(400, "BAD_REQUEST", `file: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const lines = text.split("\n").map((line) => line.trim());
  const samples = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (samples.length > MAX_SAMPLES) throw new Rejection(400, "BAD_REQUEST", `file: more than ${MAX_SAMPLES} lines`);
  return samples.map((line, at) => {
    const value = z.coerce.number().safeParse(line);
    if (!value.success) throw new Rejection(400, "BAD_REQUEST", `file: line ${at + 1} is not a number of milliseconds`);
    return Math.round(value.data);
  });
}
