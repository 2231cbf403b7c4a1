/** Measures the memory of a process repeatedly, and detects whether the process has exited. */
import { memoryBytes } from "@pricetime/testkit/process-usage";

const SAMPLE_MS = 50;
/** Above this, the process is killed to protect the machine. */
const LETHAL_MIB = 6 * 1024;

export interface MemoryWatch {
  /** The peak since the last call, MiB. */
  take(): number;
  /** Why the process has exited; null while it is running. */
  ended(): string | null;
  stop(): void;
}

/** Measures the process's memory without file pages. */
export function watchMemory(pid: number): MemoryWatch {
  let peakMiB = 0;
  let why: string | null = null;
  const sample = (): void => {
    const now = memoryBytes(pid, "RssAnon") / 2 ** 20;
    if (Number.isNaN(now)) why ??= "the process ended";
    else peakMiB = Math.max(peakMiB, now);
    if (!(now > LETHAL_MIB) || why !== null) return;
    why = `the process took more than ${LETHAL_MIB} MiB and was killed for it`;
    process.kill(pid, "SIGKILL");
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    take: () => {
      sample();
      const taken = peakMiB;
      peakMiB = 0;
      return taken;
    },
    ended: () => {
      sample();
      return why;
    },
    stop: () => clearInterval(timer),
  };
}
