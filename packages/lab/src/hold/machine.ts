/** The machine's own time and timers, taken before anything else has them replaced. */

export const MACHINE = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  Date: globalThis.Date,
} as const;

/** The next turn of the event loop: what has arrived meanwhile has been handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void MACHINE.setImmediate(resolve));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void MACHINE.setTimeout(resolve, ms));
}
