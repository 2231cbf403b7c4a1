/** What the node tells of itself in one answer. */
import type { Stop } from "../stops/stop.ts";

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly now: number | null;
  /** Oldest first, one each period. */
  readonly hour: readonly (number | null)[];
}

export interface Overview {
  readonly timeMs: number;
  readonly version: string;
  readonly startedMs: number;
  readonly isReady: boolean;
  readonly faults: Readonly<Record<string, string>>;
  readonly warnings: Readonly<Record<string, string>>;
  readonly networks: Readonly<Record<string, string>>;
  readonly tasks: Readonly<Record<string, string>>;
  readonly isInMaintenance: boolean;
  readonly suspensions: readonly Stop[];
  /** Coins of nobody that wait. */
  readonly unattributedDeposits: number;
  /** Whether the venue converts dust. */
  readonly isDustOffered: boolean;
  readonly markets: Readonly<Record<string, number>>;
  readonly withdrawals: Readonly<Record<string, number>>;
  readonly journal: { readonly lastSeq: number; readonly lastTimeMs: number; readonly chainHash: string };
  readonly state: { readonly seq: number; readonly timeMs: number };
  readonly history: { readonly seq: number; readonly lag: number };
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  readonly periodMs: number;
  readonly figures: readonly Figure[];
}
