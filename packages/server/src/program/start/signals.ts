/** Waits for the signal to stop. */
import type { Clock, Timers } from "../../platform/world/port.ts";

/**
 * Signals within this time count as one: Ctrl-C reaches all processes of a terminal, including npm, which then forwards
 * it to the program.
 */
const SAME_SIGNAL_MS = 1000;
const PARENT_CHECK_MS = 250;
const STOP_SIGNALS: readonly NodeJS.Signals[] =
  // A Windows console sends SIGHUP when it is closed and SIGBREAK for Ctrl+Break.
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

/** Resolves at the first signal. A later second signal ends the process immediately. */
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
 * Stops a program started by npm when the shell between them has exited, unless it was started in the background. npm
 * sends signals only to that shell. Some shells replace themselves by the program; others exit without forwarding the
 * signal.
 */
export function onShellGone({ every, environment, parent }: Omit<SignalSources, "nowMs">, tell: () => void): void {
  const script = environment["npm_lifecycle_script"];
  if (script === undefined || IN_BACKGROUND.test(script)) return;
  const shell = parent();
  every(PARENT_CHECK_MS, () => {
    if (parent() !== shell) tell();
  });
}
