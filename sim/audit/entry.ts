/** An entry as all auditors receive it: the request, the time, and the expected outcome. */
import type { Command } from "@pricetime/engine";
import type { Happening } from "@pricetime/testkit/models";

export interface AuditedEntry {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
  readonly happened: readonly Happening[];
  /** True if it became public while a node was running; false if a start found it. */
  readonly isLive: boolean;
}
