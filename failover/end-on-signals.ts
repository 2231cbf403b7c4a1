/** Exits on a signal such that all started processes are ended as well. */
export function endOnSignals(): void {
  for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
    process.once(signal, () => process.exit(code));
  }
}
