/** An entry as all auditors know it: what was asked, when, and what must have come of it. */
import type { Command } from "@pricetime/engine";
import type { Happening } from "@pricetime/testkit/models";

export interface AuditedEntry {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
  readonly happened: readonly Happening[];
  /** It became public while a node served; else a start found it. */
  readonly isLive: boolean;
}
