/** What of an executionReport is compared with the journal. */

export interface Execution {
  /** The order's id for clients, or the cancel's. */
  readonly c: string;
  /** The order that a cancel ended, else "". */
  readonly C: string;
  readonly x: string;
  readonly X: string;
  readonly i: number;
  readonly l: string;
  readonly z: string;
  readonly L: string;
  readonly n: string;
  readonly N: string | null;
  readonly T: number;
  readonly t: number;
  readonly m: boolean;
  readonly Z: string;
  readonly Y: string;
}

export function executionText({ c, C, x, X, i, l, z, L, n, N, T, t, m, Z, Y }: Execution): string {
  return [c, C, x, X, i, l, z, L, n, N, T, t, m, Z, Y].join("|");
}

/** Undefined when the message is another. */
export function executionTextOf(message: string): string | undefined {
  if (!message.startsWith('{"e":"executionReport"')) return undefined;
  return executionText(JSON.parse(message) as Execution);
}
