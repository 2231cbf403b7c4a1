/** Waits for the word to stop: a signal, or the end of the shell that npm put between itself and this process. */

/** A terminal signals each process of its foreground, and npm hands the same signal on: that is one word, not two. */
const SAME_WORD_MS = 1_000;
const PARENT_CHECK_MS = 500;
const TO_STOP: readonly NodeJS.Signals[] =
  // A console of Windows says these when it is closed, or Ctrl+Break is pressed.
  process.platform === "win32" ? ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] : ["SIGTERM", "SIGINT"];

/** A second signal, a second or more after the first, ends the process at once. */
export function untilToldToStop(): Promise<undefined> {
  return new Promise((resolve) => {
    let toldAtMs: number | undefined;
    const onSignal = (): void => {
      if (toldAtMs !== undefined && performance.now() - toldAtMs >= SAME_WORD_MS) process.exit(1);
      toldAtMs ??= performance.now();
      resolve(undefined);
    };
    for (const signal of TO_STOP) process.on(signal, onSignal);
    if (isBehindNpmsShell()) onParentGone(() => resolve(undefined));
  });
}

/**
 * npm runs a command as `sh -c ...` and passes a signal to that shell alone, which dies of it and tells nobody. Whoever
 * is started otherwise may outlive its parent, as `nohup` means it.
 */
function isBehindNpmsShell(): boolean {
  return process.platform !== "win32" && process.env["npm_command"] !== undefined;
}

function onParentGone(tell: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    tell();
  }, PARENT_CHECK_MS).unref();
}
