/** What a node asks its thread for audits to do, and what comes back. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuestion } from "../../../journal/port.ts";
import type { DataPaths } from "../../../journal/storage/data-paths.ts";
import type { Place } from "../proof.ts";
import type { AuditFault, GivenReserve } from "./port.ts";

export type AuditTask = (
  | { readonly kind: "treasury"; readonly at: number; readonly withFlows: boolean }
  | { readonly kind: "make"; readonly at: number; readonly place?: Place }
  | { readonly kind: "find"; readonly seq: number }
  | { readonly kind: "publications"; readonly seq: number; readonly last: PublishedProof | null }
  | { readonly kind: "moment"; readonly nowMs: number }
  | { readonly kind: "list" }
  | ({ readonly kind: "entries" } & EntriesQuestion)
  | { readonly kind: "public"; readonly seq: number }
  | { readonly kind: "reserves"; readonly seq: number }
  | {
      readonly kind: "addReserves";
      readonly seq: number;
      readonly given: readonly GivenReserve[];
      readonly isDraft: boolean;
    }
  | { readonly kind: "customer"; readonly seq: number; readonly accountId: number; readonly email: string }
) & { readonly dataFolder: string; readonly paths: DataPaths; readonly masterKey: string };

export type AuditAnswer =
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "refused"; readonly fault: AuditFault; readonly message: string };

/** An answer carries the number of what was asked. */
export interface AskedAudit {
  readonly id: number;
  readonly task: AuditTask;
}
export interface AnsweredAudit {
  readonly id: number;
  readonly answer: AuditAnswer;
}
