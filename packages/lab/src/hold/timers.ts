/**
 * Replaces the time and timers of a bot by those of the lab's clock: `setTimeout` and related functions with all
 * features of Node's own, `Date`, `performance.now` and `process.hrtime`.
 */
import { AsyncResource } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";

// The machine's own time and timers, saved before they are replaced.

export const MACHINE = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  Date: globalThis.Date,
} as const;

/** Resolves in the next turn of the event loop, after all data that had arrived was handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void MACHINE.setImmediate(resolve));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void MACHINE.setTimeout(resolve, ms));
}

interface DueTask {
  /** The due time in milliseconds since 1970, by the lab's clock. */
  dueMs: number;
  /** The sequence number: tasks with the same time run in ascending order. */
  order: number;
  /** Whether this task keeps the process alive. */
  isWaitedFor: boolean;
  run(): void;
}

const isBefore = (one: DueTask, other: DueTask): boolean =>
  one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);

class DueTasks {
  /** Sorted by due time, the latest first, because tasks are removed from the end. */
  readonly #tasks: DueTask[] = [];
  #orders = 0;

  /** Schedules a task, or reschedules it. */
  set(task: DueTask, dueMs: number): void {
    this.delete(task);
    task.dueMs = dueMs;
    task.order = ++this.#orders;
    let [low, high] = [0, this.#tasks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(task, this.#tasks[middle] as DueTask)) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
  }

  delete(task: DueTask): boolean {
    const at = this.#tasks.indexOf(task);
    if (at !== -1) this.#tasks.splice(at, 1);
    return at !== -1;
  }

  has(task: DueTask): boolean {
    return this.#tasks.includes(task);
  }

  /** Removes and returns the first task that is due at `nowMs`. */
  take(nowMs: number): DueTask | undefined {
    const first = this.#tasks.at(-1);
    return first !== undefined && first.dueMs <= nowMs ? this.#tasks.pop() : undefined;
  }

  /** The time of the next task; undefined if no task is scheduled. */
  get nextMs(): number | undefined {
    return this.#tasks.at(-1)?.dueMs;
  }

  get isWaitedFor(): boolean {
    return this.#tasks.some((task) => task.isWaitedFor);
  }
}

export class LabTime {
  readonly startMs: number;
  readonly due = new DueTasks();
  #nowMs: number;

  constructor(nowMs: number) {
    this.startMs = nowMs;
    this.#nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Sets the time to the lab's current time. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}

type Callback = (...args: unknown[]) => void;

/** The maximum wait. Longer ones, and values that are not numbers, become one millisecond, as in Node. */
const LONGEST_MS = 2 ** 31 - 1;
/**
 * Matches stack frames of Node's own code, such as its HTTP client and fetch, whose socket timers use the machine's
 * clock.
 */
const INTERNAL = /^\s+at .*\(?node:/;
/** The index of the caller's line in a stack trace, after the message and the frames of this file. */
const CALLER_LINE = 3;

const waitOf = (ms: unknown): number => {
  const wait = Math.trunc(Number(ms));
  return wait >= 1 && wait <= LONGEST_MS ? wait : 1;
};

let ids = 0;

/** The object that `setTimeout` returns. */
class HeldTimeout extends AsyncResource implements DueTask {
  dueMs = 0;
  order = 0;
  isWaitedFor = true;
  readonly id = ++ids;
  readonly #time: LabTime;
  readonly #callback: Callback;
  readonly #args: readonly unknown[];
  readonly #waitMs: number;
  readonly #repeats: boolean;

  constructor(
    time: LabTime,
    { callback, ms, args, repeats }: { callback: Callback; ms: unknown; args: readonly unknown[]; repeats: boolean },
  ) {
    super("HeldTimeout");
    if (typeof callback !== "function") throw new TypeError('The "callback" argument must be of type function');
    [this.#time, this.#callback, this.#args] = [time, callback, args];
    [this.#waitMs, this.#repeats] = [waitOf(ms), repeats];
    this.refresh();
  }

  run(): void {
    if (this.#repeats) this.refresh();
    else known.delete(this.id);
    this.runInAsyncScope(this.#callback, this, ...this.#args);
  }

  refresh(): this {
    known.set(this.id, this);
    this.#time.due.set(this, this.#time.nowMs + this.#waitMs);
    return this;
  }

  ref(): this {
    this.isWaitedFor = true;
    return this;
  }

  unref(): this {
    this.isWaitedFor = false;
    return this;
  }

  hasRef(): boolean {
    return this.isWaitedFor;
  }

  close(): this {
    known.delete(this.id);
    this.#time.due.delete(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Timers by id, because `clearTimeout` also accepts numbers. */
const known = new Map<number, HeldTimeout>();

/** Pending `setImmediate` tasks. The bot counts as busy while there are any. They run in the machine's order. */
export class Immediates {
  readonly #pending = new Set<NodeJS.Immediate>();

  get count(): number {
    return this.#pending.size;
  }

  readonly set = (callback: Callback, ...args: unknown[]): NodeJS.Immediate => {
    const immediate = MACHINE.setImmediate(() => {
      this.#pending.delete(immediate);
      callback(...args);
    });
    this.#pending.add(immediate);
    return immediate;
  };

  readonly clear = (immediate: NodeJS.Immediate | undefined): void => {
    if (immediate === undefined) return;
    this.#pending.delete(immediate);
    MACHINE.clearImmediate(immediate);
  };
}

/** Replaces the timers of this process, including those of `node:timers` and `node:timers/promises`. */
export function holdTimers(time: LabTime): Immediates {
  const immediates = new Immediates();
  const make =
    (repeats: boolean) =>
    (callback: Callback, ms?: unknown, ...args: unknown[]): unknown => {
      if (isInternalCaller())
        return repeats
          ? MACHINE.setInterval(callback, ms as number, ...args)
          : MACHINE.setTimeout(callback, ms as number, ...args);
      return new HeldTimeout(time, { callback, ms, args, repeats });
    };
  const held = { setTimeout: make(false), setInterval: make(true), setImmediate: immediates.set };
  const promises = promisedTimers(time, immediates);
  Object.defineProperty(held.setTimeout, promisify.custom, { value: promises.setTimeout, enumerable: true });
  Object.defineProperty(held.setImmediate, promisify.custom, { value: promises.setImmediate, enumerable: true });
  const clear = (timer: unknown): void => {
    if (timer instanceof HeldTimeout) timer.close();
    else if (typeof timer === "object" && timer !== null) MACHINE.clearTimeout(timer as NodeJS.Timeout);
    else if (typeof timer === "number" || typeof timer === "string") known.get(Number(timer))?.close();
  };
  const all = { ...held, clearTimeout: clear, clearInterval: clear, clearImmediate: immediates.clear };
  Object.assign(globalThis, all);
  Object.assign(timers, all);
  Object.assign(timersPromises, { ...promises, scheduler: promises.scheduler });
  AbortSignal.timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    const abort = (): void => controller.abort(reason);
    new HeldTimeout(time, { callback: abort, ms, args: [], repeats: false }).unref();
    return controller.signal;
  };
  syncBuiltinESMExports();
  return immediates;
}

function isInternalCaller(): boolean {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = CALLER_LINE;
  const { stack } = new Error("who calls");
  Error.stackTraceLimit = limit;
  return typeof stack === "string" && INTERNAL.test(stack.split("\n")[CALLER_LINE] ?? "");
}

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

/** Returns the functions of `node:timers/promises` by the lab's time. */
function promisedTimers(time: LabTime, immediates: Immediates) {
  const wait = <T>(ms?: number, value?: T, { signal, ref = true }: WaitOptions = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(abortError(signal));
        return;
      }
      const onAbort = (): void => {
        timeout.close();
        if (signal !== undefined) reject(abortError(signal));
      };
      const callback = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve(value);
      };
      const timeout = new HeldTimeout(time, { callback, ms, args: [], repeats: false });
      if (!ref) timeout.unref();
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  const immediate = <T>(value?: T): Promise<T | undefined> =>
    new Promise((resolve) => void immediates.set(() => resolve(value)));
  return {
    setTimeout: wait,
    setImmediate: immediate,
    async *setInterval<T>(ms?: number, value?: T, options: WaitOptions = {}): AsyncGenerator<T | undefined> {
      // As in Node, the interval starts at the previous tick, not at the call of `next`.
      for (let dueMs = time.nowMs + waitOf(ms); ; dueMs += waitOf(ms)) {
        if (dueMs > time.nowMs) await wait(dueMs - time.nowMs, undefined, options);
        yield value;
      }
    },
    scheduler: {
      wait: (ms: number, options?: WaitOptions) => wait(ms, undefined, options),
      yield: () => immediate(),
    },
  };
}

function abortError({ reason }: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

const NS_PER_MS = 1_000_000n;
const NS_PER_S = 1_000_000_000n;

export function holdDate(time: LabTime): void {
  const { Date: machineDate } = MACHINE;
  const now = (): number => time.nowMs;
  const held = new Proxy(machineDate, {
    apply: () => new machineDate(now()).toString(),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    get: (target, name, receiver) => (name === "now" ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
  Object.defineProperty(machineDate.prototype, "constructor", { value: held, writable: true, configurable: true });
  globalThis.Date = held;

  const sinceStartMs = (): number => time.nowMs - time.startMs;
  Object.defineProperty(performance, "now", { value: sinceStartMs, writable: true, configurable: true });
  Object.defineProperty(performance, "timeOrigin", { value: time.startMs, configurable: true });

  const nanoseconds = (): bigint => BigInt(sinceStartMs()) * NS_PER_MS;
  const hrtime = (from: readonly [number, number] = [0, 0]): [number, number] => {
    const ns = nanoseconds() - (BigInt(from[0]) * NS_PER_S + BigInt(from[1]));
    const seconds = ns / NS_PER_S;
    return [Number(seconds), Number(ns - seconds * NS_PER_S)];
  };
  process.hrtime = Object.assign(hrtime, { bigint: nanoseconds });
  process.uptime = () => sinceStartMs() / 1000;
}
