/** `Date`, `performance.now` and `process.hrtime` by the lab's time. */
import type { LabTime } from "./lab-time.ts";
import { MACHINE } from "./machine.ts";

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
