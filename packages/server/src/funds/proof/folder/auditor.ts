/** A node's audits, in threads of their own: one replays journals, the other reads what is kept. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuestion, JournalEntries } from "../../../journal/port.ts";
import { dataPaths } from "../../../journal/storage/data-paths.ts";
import type { DrawnMoment } from "../drawn-moment.ts";
import { AuditLane } from "./audit-lane.ts";
import type { AuditTask } from "./audit-task.ts";
import { AUDIT_LIMITS } from "./limits.ts";
import type { Audits, GivenReserve, ProofSummary, Publication, ShownReserves, Treasury } from "./port.ts";

export class Auditor implements Audits {
  readonly #own: Pick<AuditTask, "dataFolder" | "paths" | "masterKey">;
  readonly #replays = new AuditLane("audit", AUDIT_LIMITS.replays);
  readonly #reads = new AuditLane("proofs", AUDIT_LIMITS.reads);

  constructor(dataFolder: string, masterKey: string) {
    this.#own = { dataFolder, paths: dataPaths(dataFolder), masterKey };
  }

  treasury(question: { readonly at: number; readonly withFlows: boolean }): Promise<Treasury> {
    return this.#replays.ask({ kind: "treasury", ...question, ...this.#own });
  }

  makeProof(at: number): Promise<ProofSummary> {
    return this.#replays.ask({ kind: "make", at, ...this.#own });
  }

  async makePublished({ seq, number, previous, root }: Publication): Promise<ProofSummary> {
    const kept = await this.#reads.ask<ProofSummary | null>({ kind: "find", seq, ...this.#own });
    if (kept?.digest === root) return kept;
    return this.#replays.ask({ kind: "make", at: seq, place: { number, previous }, ...this.#own });
  }

  publications(seq: number, last: PublishedProof | null): Promise<readonly Publication[]> {
    return this.#reads.ask({ kind: "publications", seq, last, ...this.#own });
  }

  newestMoment(nowMs: number): Promise<DrawnMoment | null> {
    return this.#reads.ask({ kind: "moment", nowMs, ...this.#own });
  }

  proofs(): Promise<readonly ProofSummary[]> {
    return this.#reads.ask({ kind: "list", ...this.#own });
  }

  entries(question: EntriesQuestion): Promise<JournalEntries> {
    return this.#reads.ask({ kind: "entries", ...question, ...this.#own });
  }

  publicPart(seq: number): Promise<string> {
    return this.#reads.ask({ kind: "public", seq, ...this.#own });
  }

  reserves(seq: number): Promise<ShownReserves> {
    return this.#reads.ask({ kind: "reserves", seq, ...this.#own });
  }

  addReserves(seq: number, given: readonly GivenReserve[], isDraft: boolean): Promise<ShownReserves> {
    return this.#reads.ask({ kind: "addReserves", seq, given, isDraft, ...this.#own });
  }

  customerPart(seq: number, account: { readonly accountId: number; readonly email: string }): Promise<string> {
    const { accountId, email } = account;
    return this.#reads.ask({ kind: "customer", seq, accountId, email, ...this.#own });
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.#replays.close(), this.#reads.close()]);
  }
}
