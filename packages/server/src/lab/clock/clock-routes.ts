/** The admin API's routes that control the clock of a lab. */
import { DAY_MS, type EngineView, type Entry, type Event, toScale } from "@pricetime/engine";
import { z } from "zod";
import { created, ok, Rejection } from "../../people/http/answer.ts";
import { accountName, findAccount, findAsset, findMarket } from "../../people/admin/parse.ts";
import { assetName, decimal, text } from "../../platform/config/listing-schema.ts";
import type { Follower } from "../../api/edge/send-queue.ts";
import { CLOCK_MODES, MAX_SPEED, MAX_TIME_MS } from "../../platform/config/lab-schema.ts";
import { type AdminRoute, labRoute } from "../../people/admin/router.ts";
import { type AdvanceEnd, type LabClock, NotManual } from "./lab-clock.ts";
import { type LockStep, MAX_CLIENTS } from "./lock-step.ts";
import { MAX_QUIET_MS } from "./under-way.ts";

/** The event to which a clock is advanced. Exactly one is given. */
const awaitedSchema = z.union([
  z.strictObject({ fill: z.strictObject({ account: accountName.exactOptional(), symbol: text.exactOptional() }) }),
  z.strictObject({
    price: z.union([
      z.strictObject({ symbol: text, atLeast: decimal }),
      z.strictObject({ symbol: text, atMost: decimal }),
    ]),
  }),
  z.strictObject({
    deposit: z.strictObject({ account: accountName.exactOptional(), coin: assetName.exactOptional() }),
  }),
]);
type Awaited = z.output<typeof awaitedSchema>;
type IsIt = (event: Event) => boolean;

/** Watches the exchange's events for advances that wait for one of them. */
export class AwaitedEvents implements Follower {
  readonly #view: EngineView;
  readonly #waiting = new Set<{ readonly isIt: IsIt; isThere: boolean }>();

  constructor(view: EngineView) {
    this.#view = view;
  }

  applied(_entry: Entry, events: readonly Event[]): void {
    for (const waiting of this.#waiting) waiting.isThere ||= events.some(waiting.isIt);
  }

  /**
   * Starts waiting for an event. `isReached`: whether the event has occurred since. Throws `Rejection` for unknown
   * names.
   */
  await(awaited: Awaited): { readonly isReached: () => boolean; readonly end: () => void } {
    const waiting = { isIt: isIt(this.#view, awaited), isThere: false };
    this.#waiting.add(waiting);
    return { isReached: () => waiting.isThere, end: () => void this.#waiting.delete(waiting) };
  }
}

function isIt(view: EngineView, awaited: Awaited): IsIt {
  if ("fill" in awaited) {
    const { account, symbol } = awaited.fill;
    const accountId = account === undefined ? undefined : findAccount(view, account).accountId;
    const symbolId = symbol === undefined ? undefined : findMarket(view, symbol).symbolId;
    return (event) =>
      event.type === "trade" &&
      (symbolId === undefined || event.symbolId === symbolId) &&
      (accountId === undefined || [event.taker, event.maker].some(({ order }) => order.accountId === accountId));
  }
  if ("price" in awaited) {
    const { symbol, ...bound } = awaited.price;
    const { symbolId, scale } = findMarket(view, symbol);
    const ticks = toScale("atLeast" in bound ? bound.atLeast : bound.atMost, scale.priceDecimals);
    if (ticks < 0) throw new Rejection(400, "INVALID_VALUE", `price: ${symbol} cannot have it`);
    const isThere = (priceTicks: number): boolean => ("atLeast" in bound ? priceTicks >= ticks : priceTicks <= ticks);
    return (event) => event.type === "trade" && event.symbolId === symbolId && isThere(event.priceTicks);
  }
  const { account, coin } = awaited.deposit;
  const accountId = account === undefined ? undefined : findAccount(view, account).accountId;
  const assetId = coin === undefined ? undefined : findAsset(view, coin).assetId;
  return (event) =>
    event.type === "depositChanged" &&
    event.moved > 0n &&
    (accountId === undefined || event.deposit.accountId === accountId) &&
    (assetId === undefined || event.deposit.assetId === assetId);
}

export interface ClockParts {
  readonly clock: LabClock;
  readonly lockStep: LockStep;
  readonly awaited: AwaitedEvents;
  readonly view: Pick<EngineView, "seq">;
  /** Resolves when all waiting requests have been admitted. */
  readonly queueIsEmpty: () => Promise<void>;
  /** Whether nothing that a client started is pending: no delayed answers, no payments. */
  readonly isIdle: () => boolean;
}

const timeMs = z.int().min(0).max(MAX_TIME_MS);
/** The maximum advance: ten years. */
const MAX_ADVANCE_MS = 3_660 * DAY_MS;
const durationMs = z.int().min(0).max(MAX_ADVANCE_MS);
const clientName = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -");

const settingSchema = z
  .strictObject({
    mode: z.enum(CLOCK_MODES),
    speed: z.number().positive().max(MAX_SPEED).exactOptional(),
    nowMs: timeMs.exactOptional(),
  })
  .refine(({ mode, speed }) => speed === undefined || mode === "scaled", "speed: only for a scaled clock");
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

export function clockRoutes(parts: ClockParts): AdminRoute[] {
  return [...paceRoutes(parts), interruptRoute(parts), ...lockStepRoutes(parts)];
}

const nowOf = ({ clock, view }: ClockParts): { nowMs: number; seq: number } => ({
  nowMs: clock.nowMs(),
  seq: view.seq,
});

function paceRoutes(parts: ClockParts): AdminRoute[] {
  const { clock } = parts;
  return [
    labRoute({
      endpoint: "GET /v1/lab/clock",
      summary: "Shows the lab's clock: its mode and its time.",
      answers: "`mode` real, scaled or manual; `nowMs`; `speed`, a multiple of the machine's pace.",
      handle: () => ok(clock.state),
    }),
    labRoute({
      endpoint: "POST /v1/lab/clock",
      summary:
        "Sets the mode of the clock, and ends a running advance. With `nowMs` the clock jumps to that time: everything due in between happens once, afterwards.",
      answers: "The clock, as in GET. 409 (TIME_GOES_BACK) for a time before the current one.",
      body: settingSchema,
      handle: async ({ body }) => ok(await clock.set(body)),
    }),
    labRoute({
      endpoint: "POST /v1/lab/clock/advance",
      summary: "Advances a manual clock by `ms`, to `toMs`, until nothing is pending, or until an event.",
      answers:
        "When everything due in between has happened: `nowMs` and `seq`, and for the last two `reached`: false if `maxMs` elapsed first. `interrupted`: the advance was ended early. 409: NOT_MANUAL, TIME_GOES_BACK.",
      body: advanceSchema,
      handle: async ({ body }) => {
        const end = await advanceBy(parts, body);
        // All requests that the lab has read before it answers belong to this instant, which bots in lock step rely on.
        await parts.queueIsEmpty();
        const reached = "maxMs" in body ? { reached: end === "reached" } : {};
        return ok({ ...nowOf(parts), ...reached, ...(end === "interrupted" && { interrupted: true }) });
      },
    }),
  ];
}

function advanceBy(parts: ClockParts, way: z.output<typeof advanceSchema>): Promise<AdvanceEnd> {
  const { clock } = parts;
  if ("maxMs" in way) return advanceUntil(parts, way);
  return "ms" in way ? clock.advance((nowMs) => nowMs + way.ms) : clock.advance(way.toMs);
}

function interruptRoute(parts: ClockParts): AdminRoute {
  return labRoute({
    endpoint: "DELETE /v1/lab/clock/advance",
    summary: "Ends a running advance after the current instant. Without a running advance it has no effect.",
    answers: "When the advance has ended: `nowMs` and `seq`.",
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

function lockStepRoutes(parts: ClockParts): AdminRoute[] {
  const { clock, lockStep } = parts;
  return [
    labRoute({
      endpoint: "GET /v1/lab/clock/clients",
      summary: "Lists the clients for which the clock waits.",
      handle: () => ok(lockStep.names),
    }),
    labRoute({
      endpoint: "POST /v1/lab/clock/clients",
      summary:
        "Registers a client: the clock waits until each client has reported that it is done with the current instant.",
      answers: "`name`, `leads`: the client is woken only at its own times, and before the others.",
      status: 201,
      body: z.strictObject({ name: clientName, leads: z.boolean().default(false) }),
      handle: ({ body: { name, leads } }) => {
        if (lockStep.names.length >= MAX_CLIENTS && !lockStep.names.includes(name)) {
          throw new Rejection(409, "TOO_MANY", `There can be ${MAX_CLIENTS} clients.`);
        }
        if (clock.state.mode !== "manual") throw new NotManual();
        lockStep.register(name, leads);
        return created({ name, leads });
      },
    }),
    labRoute({
      endpoint: "GET /v1/lab/clock/clients/:name",
      summary:
        "Holds a client's registration open: the response is sent when the client has left. Closing the connection earlier ends the registration.",
      answers: "`name`. The connection of a killed client is closed, so the clock does not wait for it.",
      handle: async ({ path: { name }, onGone }) => {
        onGone?.(lockStep.leaver(name));
        await lockStep.left(name);
        return ok({ name });
      },
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/clock/clients/:name",
      summary: "Removes a client: the clock no longer waits for it.",
      handle: ({ path: { name } }) => {
        lockStep.leave(name);
        return ok({ name });
      },
    }),
    labRoute({
      endpoint: "POST /v1/lab/clock/done",
      summary:
        "Reports that a client is done with the current instant: at once, or when nothing has been sent to any client for `quietMs` on the machine's clock. The response is sent when the client can act again; closing the connection earlier removes the client.",
      answers:
        "At the next instant: the earliest `untilMs` of all clients, or when one of them is sent something; without any `untilMs` the next at which something is due. A client that reported a computing time of `tookMs` is not woken before that time has passed.",
      body: doneSchema,
      handle: async ({ body: { name, untilMs, tookMs, quietMs }, onGone }) => {
        onGone?.(lockStep.leaver(name));
        if (quietMs === undefined) await lockStep.done(name, untilMs, tookMs);
        else await lockStep.doneWhenQuiet(name, quietMs, untilMs);
        return ok(nowOf(parts));
      },
    }),
  ];
}
