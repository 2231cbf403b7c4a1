/** The processor time and memory of a process, as reported by Linux. */
import { readdirSync, readFileSync } from "node:fs";

const TICKS_A_SECOND = 100;
/** The index of the user time after the name in `/proc/<pid>/stat`; the system time follows. */
const USER_AT = 11;
const SYSTEM_AT = 12;

/** Milliseconds of processor time. */
export interface CpuTime {
  readonly userMs: number;
  readonly systemMs: number;
}
export type ThreadTimes = ReadonlyMap<string, CpuTime>;

/**
 * Returns times by thread name; the times of threads with the same name are added up. V8 names the threads of its
 * compiler and garbage collector.
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

export function timesSince(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  const since = new Map<string, CpuTime>();
  for (const [name, { userMs, systemMs }] of after) {
    const was = before.get(name) ?? { userMs: 0, systemMs: 0 };
    since.set(name, { userMs: userMs - was.userMs, systemMs: systemMs - was.systemMs });
  }
  return since;
}

/** Returns the user and system time of all threads of a process, including threads that have exited. */
export function processorMs(pid: number): number {
  const { userMs, systemMs } = timeIn(read(`/proc/${pid}/stat`));
  return userMs + systemMs;
}

/** Returns the user and system time of this process, in a finer resolution. */
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns bytes of memory: resident, peak resident, or resident without file pages. Returns NaN if the process has
 * exited.
 */
export function memoryBytes(pid: number, what: "VmRSS" | "VmHWM" | "RssAnon"): number {
  const kib = new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kib) * 1024;
}

function timeIn(stat: string): CpuTime {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ms = (at: number): number => (Number(fields[at] ?? 0) / TICKS_A_SECOND) * 1000;
  return { userMs: ms(USER_AT), systemMs: ms(SYSTEM_AT) };
}

function nameOf(name: string): string {
  if (name === "MainThread" || name === "node") return "main";
  return name === "V8Worker" || name === "DelayedTaskSche" ? "V8" : name;
}

/** Returns "" if the process or thread has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
