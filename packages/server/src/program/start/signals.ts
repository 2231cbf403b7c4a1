/** Waits for the signal to stop. */
import type { Clock, Timers } from "../../platform/world/port.ts";

/**
 * Signals within this time count as one: Ctrl-C reaches all processes of a terminal, including npm, which forwards it to
 * the program a second time.
 */
const SAME_SIGNAL_MS = 1000;
const PARENT_CHECK_MS = 250;
const STOP_SIGNALS: readonly NodeJS.Signals[] =
  // A Windows console sends the last two when it is closed or Ctrl+Break is pressed.
  process.platform === "win32" ? ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] : ["SIGTERM", "SIGINT"];

export interface SignalSources {
  readonly nowMs: () => number;
  readonly every: (periodMs: number, tick: () => void) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly parent: () => number;
}

export function machineSignals({ steadyMs, every }: Clock & Timers): SignalSources {
  return { nowMs: steadyMs, every, environment: process.env, parent: () => process.ppid };
}

/** Resolves with the first signal. A later second one ends the process immediately. */
export function untilStopSignal(sources: SignalSources): Promise<undefined> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = (): void => {
      if (firstMs !== undefined && sources.nowMs() - firstMs > SAME_SIGNAL_MS) process.exit(1);
      firstMs ??= sources.nowMs();
      resolve(undefined);
    };
    for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
    onShellGone(sources, () => resolve(undefined));
  });
}

/** Matches scripts that start a background process. */
const IN_BACKGROUND = /(^|[^&])&(?!&)/;

/**
 * npm runs a program through a shell and sends signals only to the shell. Some shells replace themselves by the program;
 * others exit without forwarding the signal. So a program started by npm stops when its shell has exited, unless it was
 * started in the background.
 */
export function onShellGone({ every, environment, parent }: Omit<SignalSources, "nowMs">, tell: () => void): void {
  const script = environment["npm_lifecycle_script"];
  if (script === undefined || IN_BACKGROUND.test(script)) return;
  const shell = parent();
  every(PARENT_CHECK_MS, () => {
    if (parent() !== shell) tell();
  });
}
