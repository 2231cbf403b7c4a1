/** Waits for the signal to stop. */
import type { Clock, Timers } from "../../platform/world/port.ts";

/**
 * Signals within this time count as one: at a terminal Ctrl-C reaches every process that runs there, and npm, which is
 * one of them, passes it on to the program once more.
 */
const ONE_WORD_MS = 1000;
const PARENT_CHECK_MS = 250;
const TO_STOP: readonly NodeJS.Signals[] =
  // A Windows console sends these when it is closed, or when Ctrl+Break is pressed.
  process.platform === "win32" ? ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] : ["SIGTERM", "SIGINT"];

/** What it needs of the machine. */
export interface Told {
  readonly nowMs: () => number;
  readonly every: (periodMs: number, tick: () => void) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly parent: () => number;
}

export function toldByMachine({ steadyMs, every }: Clock & Timers): Told {
  return { nowMs: steadyMs, every, environment: process.env, parent: () => process.ppid };
}

/** Resolves with the first signal. A second one, unless it came together with the first, ends the process at once. */
export function untilToldToStop(told: Told): Promise<undefined> {
  return new Promise((resolve) => {
    let toldMs: number | undefined;
    const onSignal = (): void => {
      if (toldMs !== undefined && told.nowMs() - toldMs > ONE_WORD_MS) process.exit(1);
      toldMs ??= told.nowMs();
      resolve(undefined);
    };
    for (const signal of TO_STOP) process.on(signal, onSignal);
    onShellGone(told, () => resolve(undefined));
  });
}

/** Recognizes scripts that start a process without waiting for it. */
const IN_BACKGROUND = /(^|[^&])&(?!&)/;

/**
 * npm runs a program through a shell and tells the shell to stop. Some shells put the program in their own place,
 * others die and tell nobody. A program that npm started and whose shell is gone was told to stop, unless it was meant
 * to run without the shell.
 */
export function onShellGone({ every, environment, parent }: Omit<Told, "nowMs">, tell: () => void): void {
  const script = environment["npm_lifecycle_script"];
  if (script === undefined || IN_BACKGROUND.test(script)) return;
  const shell = parent();
  every(PARENT_CHECK_MS, () => {
    if (parent() !== shell) tell();
  });
}
