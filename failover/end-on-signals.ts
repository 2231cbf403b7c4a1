/** Ends the process on a signal in such a way that all that it has started ends with it. */
export function endOnSignals(): void {
  for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
    process.once(signal, () => process.exit(code));
  }
}
