/** The processor time of each thread of a process, as Linux reports it. */
import { readdirSync, readFileSync } from "node:fs";

const TICKS_A_SECOND = 100;
/** The indexes of user and system time after the name in `/proc/<pid>/stat`. */
const USER_AT = 11;
const SYSTEM_AT = 12;

/** Milliseconds of a core. */
export interface CpuTime {
  readonly userMs: number;
  readonly systemMs: number;
}
export type ThreadTimes = ReadonlyMap<string, CpuTime>;

/**
 * Times by thread name; threads of one name are added up. V8 names the threads of its compiler and garbage collector.
 */
export function threadTimes(pid: number): ThreadTimes {
  const times = new Map<string, CpuTime>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = read(`/proc/${pid}/task/${thread}/stat`);
    const close = stat.lastIndexOf(")");
    if (close < 0) continue;
    const name = nameOf(stat.slice(stat.indexOf("(") + 1, close));
    const { userMs, systemMs } = timeIn(stat);
    const before = times.get(name) ?? { userMs: 0, systemMs: 0 };
    times.set(name, { userMs: before.userMs + userMs, systemMs: before.systemMs + systemMs });
  }
  return times;
}

/** Processor time of all threads of a process, including those that have exited. */
export function processTime(pid: number): CpuTime {
  return timeIn(read(`/proc/${pid}/stat`));
}

function timeIn(stat: string): CpuTime {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ms = (at: number): number => (Number(fields[at] ?? 0) / TICKS_A_SECOND) * 1000;
  return { userMs: ms(USER_AT), systemMs: ms(SYSTEM_AT) };
}

export function timesSince(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  const since = new Map<string, CpuTime>();
  for (const [name, { userMs, systemMs }] of after) {
    const was = before.get(name) ?? { userMs: 0, systemMs: 0 };
    since.set(name, { userMs: userMs - was.userMs, systemMs: systemMs - was.systemMs });
  }
  return since;
}

/** `VmRSS` or `VmHWM`, in bytes. */
export function memoryBytes(pid: number, what: "VmRSS" | "VmHWM"): number {
  const kib = new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kib) * 1024;
}

function nameOf(name: string): string {
  if (name === "MainThread" || name === "node") return "main";
  return name === "V8Worker" || name === "DelayedTaskSche" ? "V8" : name;
}

/** "" for a thread that has exited in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
