/** Routes that hold the clock of a lab. */
import { DAY_MS, type EngineView } from "@pricetime/engine";
import { z } from "zod";
import { CLOCK_MODES, MAX_SPEED, MAX_TIME_MS } from "../../config/lab-schema.ts";
import { AdminRefusal, type Answer, created, ok } from "../../admin/answer.ts";
import { type Route, route } from "../../admin/router.ts";
import { type AwaitedEvents, awaitedSchema } from "./awaited-event.ts";
import { type AdvanceEnd, type LabClock, NotManual, TimeGoesBack } from "./lab-clock.ts";
import { type LockStep, MAX_CLIENTS, NoSuchClient } from "./lock-step.ts";
import { MAX_QUIET_MS } from "./quiet.ts";

export interface ClockParts {
  readonly clock: LabClock;
  readonly lockStep: LockStep;
  readonly awaited: AwaitedEvents;
  readonly view: Pick<EngineView, "seq">;
  /** Resolves when all who wait at the door have come in. */
  readonly doorIsClear: () => Promise<void>;
  /** Whether nothing waits to happen that somebody has set off: delayed answers, payments under way. */
  readonly isIdle: () => boolean;
}

const timeMs = z.int().min(0).max(MAX_TIME_MS);
/** Ten years. */
const MAX_ADVANCE_MS = 3_660 * DAY_MS;
const durationMs = z.int().min(0).max(MAX_ADVANCE_MS);
const clientName = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -");

const settingSchema = z
  .strictObject({
    mode: z.enum(CLOCK_MODES),
    speed: z.number().positive().max(MAX_SPEED).exactOptional(),
    nowMs: timeMs.exactOptional(),
  })
  .refine(({ mode, speed }) => speed === undefined || mode === "scaled", "speed: only a scaled clock has one");
const advanceSchema = z.union([
  z.strictObject({ ms: durationMs }),
  z.strictObject({ toMs: timeMs }),
  z.strictObject({ untilIdle: z.literal(true), maxMs: durationMs.default(DAY_MS) }),
  z.strictObject({ untilEvent: awaitedSchema, maxMs: durationMs.default(DAY_MS) }),
]);
const doneSchema = z
  .strictObject({
    name: clientName,
    untilMs: timeMs.exactOptional(),
    tookMs: durationMs.exactOptional(),
    quietMs: z.int().min(1).max(MAX_QUIET_MS).exactOptional(),
  })
  .refine(({ tookMs, quietMs }) => tookMs === undefined || quietMs === undefined, "tookMs or quietMs, not both");

export function clockRoutes(parts: ClockParts): Route[] {
  return [...paceRoutes(parts), interruptRoute(parts), ...lockStepRoutes(parts)];
}

const nowOf = ({ clock, view }: ClockParts): { nowMs: number; seq: number } => ({
  nowMs: clock.nowMs(),
  seq: view.seq,
});

function paceRoutes(parts: ClockParts): Route[] {
  const { clock } = parts;
  return [
    route({
      method: "GET",
      pattern: "/v1/lab/clock",
      summary: "The clock of the lab: how it goes, and what it shows.",
      answers: "`mode` real, scaled or manual; `nowMs`; `speed`, a multiple of the machine's pace.",
      handle: () => ok(clock.state),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/clock",
      summary:
        "Sets how the clock goes, and ends an advance under way. With `nowMs` it leaps there: what falls due on the way happens once, after it.",
      answers: "The clock, as GET. 409 (TIME_GOES_BACK) for a time before the present one.",
      body: settingSchema,
      handle: ({ body }) => told(async () => ok(await clock.set(body))),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/clock/advance",
      summary: "Advances a manual clock by `ms`, to `toMs`, until nothing is under way, or until an event.",
      answers:
        "When all that falls due on the way has happened: `nowMs` and `seq`, and for the last two `reached`: false when `maxMs` was over first. `interrupted`: it was ended on the way. 409: NOT_MANUAL, TIME_GOES_BACK.",
      body: advanceSchema,
      handle: ({ body }) =>
        told(async () => {
          const end = await advanceBy(parts, body);
          // Whatever the lab has read before the answer leaves belongs to this moment: a bot in lock step counts on it.
          await parts.doorIsClear();
          const reached = "maxMs" in body ? { reached: end === "reached" } : {};
          return ok({ ...nowOf(parts), ...reached, ...(end === "interrupted" && { interrupted: true }) });
        }),
    }),
  ];
}

function advanceBy(parts: ClockParts, way: z.output<typeof advanceSchema>): Promise<AdvanceEnd> {
  const { clock } = parts;
  if ("maxMs" in way) return advanceUntil(parts, way);
  return "ms" in way ? clock.advance((nowMs) => nowMs + way.ms) : clock.advance(way.toMs);
}

function interruptRoute(parts: ClockParts): Route {
  return route({
    method: "DELETE",
    pattern: "/v1/lab/clock/advance",
    summary: "Ends an advance under way, after the moment that is passing. Without one it changes nothing.",
    answers: "When it has ended: `nowMs` and `seq`.",
    handle: async () => {
      await parts.clock.interrupt();
      return ok(nowOf(parts));
    },
  });
}

async function advanceUntil(
  { clock, awaited, isIdle }: ClockParts,
  until: Extract<z.output<typeof advanceSchema>, { maxMs: number }>,
): Promise<AdvanceEnd> {
  const toMs = (nowMs: number): number => nowMs + until.maxMs;
  if ("untilIdle" in until) return clock.advance(toMs, isIdle);
  const { isReached, end } = awaited.await(until.untilEvent);
  try {
    return await clock.advance(toMs, isReached);
  } finally {
    end();
  }
}

function lockStepRoutes(parts: ClockParts): Route[] {
  const { clock, lockStep } = parts;
  return [
    route({
      method: "GET",
      pattern: "/v1/lab/clock/clients",
      summary: "The clients for which the clock waits.",
      handle: () => ok(lockStep.names),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/clock/clients",
      summary: "Registers a client: the clock waits until each has said that it is done with the moment.",
      answers: "`name`, `leads`: it is woken at its own times alone, and before the others.",
      status: 201,
      body: z.strictObject({ name: clientName, leads: z.boolean().default(false) }),
      handle: ({ body: { name, leads } }) => {
        if (lockStep.names.length >= MAX_CLIENTS && !lockStep.names.includes(name)) {
          throw new AdminRefusal(409, "TOO_MANY", `There can be ${MAX_CLIENTS} clients.`);
        }
        if (clock.state.mode !== "manual") throw notManual();
        lockStep.register(name, leads);
        return created({ name, leads });
      },
    }),
    route({
      method: "GET",
      pattern: "/v1/lab/clock/clients/:name",
      summary: "A client's life line: answered when it has left. Who breaks off the connection before leaves.",
      answers: "`name`. A client that is killed has broken off: the clock does not wait for it.",
      handle: ({ path: { name = "" }, onGone }) =>
        told(async () => {
          onGone?.(lockStep.leaver(name));
          await lockStep.left(name);
          return ok({ name });
        }),
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/clock/clients/:name",
      summary: "The clock does not wait for this client any more.",
      handle: ({ path: { name = "" } }) =>
        told(async () => {
          lockStep.leave(name);
          return ok({ name });
        }),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/clock/done",
      summary:
        "A client is done with this moment: at once, or when nobody has been sent anything for `quietMs` of the machine. It hears when it may act again; if it breaks off the connection before, it leaves.",
      answers:
        "At the next moment: the earliest `untilMs` of all clients, or when one of them is sent something; without any `untilMs` the next at which anything falls due. A client that took `tookMs` to think is not woken before it has thought.",
      body: doneSchema,
      handle: ({ body: { name, untilMs, tookMs, quietMs }, onGone }) =>
        told(async () => {
          onGone?.(lockStep.leaver(name));
          if (quietMs === undefined) await lockStep.done(name, untilMs, tookMs);
          else await lockStep.doneWhenQuiet(name, quietMs, untilMs);
          return ok(nowOf(parts));
        }),
    }),
  ];
}

const notManual = (): AdminRefusal =>
  new AdminRefusal(409, "NOT_MANUAL", "The clock goes by itself: set its mode to manual first.");

async function told(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TimeGoesBack) {
      throw new AdminRefusal(409, "TIME_GOES_BACK", `Time goes back with a checkpoint only: ${error.message}.`);
    }
    if (error instanceof NotManual) throw notManual();
    if (error instanceof NoSuchClient) {
      throw new AdminRefusal(404, "UNKNOWN_CLIENT", `No client ${error.message} is registered.`);
    }
    throw error;
  }
}
