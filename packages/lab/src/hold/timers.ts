/** `setTimeout` and its kin by the lab's time, with all that Node's own can do. */
import { AsyncResource } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";
import type { DueTask } from "./due-tasks.ts";
import type { LabTime } from "./lab-time.ts";
import { MACHINE } from "./machine.ts";

type Callback = (...args: unknown[]) => void;

/** Longer waits, and what is no number, are a millisecond: as in Node. */
const LONGEST_MS = 2 ** 31 - 1;
/** Node's own HTTP client and fetch: timers of sockets are the machine's. */
const INTERNAL = /^\s+at .*\(?node:/;
/** In a stack: the message, this file's frames, then the caller. */
const CALLER_LINE = 3;

const waitOf = (ms: unknown): number => {
  const wait = Math.trunc(Number(ms));
  return wait >= 1 && wait <= LONGEST_MS ? wait : 1;
};

let ids = 0;

/** What `setTimeout` returns. */
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

/** Timers by id, since `clearTimeout` takes numbers. */
const known = new Map<number, HeldTimeout>();

/** Tasks of `setImmediate` that have not run yet: the bot is not idle. They keep the machine's order. */
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

/** Replaces the timers of this process, those of `node:timers` and of `node:timers/promises` too. */
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

/** The functions of `node:timers/promises`, by the lab's time. */
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
      // Node counts from the ticks, not from when each was asked for.
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
