/** The fields of an executionReport that are compared with the journal. */

export interface Execution {
  /** The client order ID of the order, or of the cancel. */
  readonly c: string;
  /** The order that a cancel closed, otherwise "". */
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

/** Undefined for other messages. */
export function executionTextOf(message: string): string | undefined {
  if (!message.startsWith('{"e":"executionReport"')) return undefined;
  return executionText(JSON.parse(message) as Execution);
}
