/** Waits for the operating system's word to stop. */

/** A second signal ends the process at once. */
export function untilToldToStop(): Promise<undefined> {
  return new Promise((resolve) => {
    let told = false;
    const onSignal = (): void => {
      if (told) process.exit(1);
      told = true;
      resolve(undefined);
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  });
}
