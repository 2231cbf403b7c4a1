/** What a soak leaves behind to be compared with the journal. */
import type { StreamRecord } from "./messages.ts";

export interface Evidence {
  /** Data folder of the program, which has ended. */
  readonly dataFolder: string;
  readonly answersFile: string;
  /** Orders and cancels were numbered from 1 to this. */
  readonly sent: number;
  readonly streams: readonly StreamRecord[];
  /** What the interface said in the end, by mail address. */
  readonly balances: Readonly<Record<string, readonly SaidBalance[]>>;
  readonly openOrders: number;
}

export interface SaidBalance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}
