/** The files and values that a soak leaves behind, to be compared with the journal. */
import type { StreamRecord } from "./messages.ts";

export interface Evidence {
  /** The data folder of the program, which has exited. */
  readonly dataFolder: string;
  readonly answersFile: string;
  /** Orders and cancels were numbered from 1 to this. */
  readonly sent: number;
  readonly streams: readonly StreamRecord[];
  /** The final balances that the interface reported, by email address. */
  readonly balances: Readonly<Record<string, readonly ReportedBalance[]>>;
  readonly openOrders: number;
}

export interface ReportedBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}
