/** A node's audits, in separate threads: one replays journals, the other reads stored proofs. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuestion, JournalEntries } from "../../../journal/port.ts";
import { type DataPaths, dataPaths } from "../../../journal/storage/data-folder.ts";
import type { Place } from "../proof.ts";
import {
  AUDIT_LIMITS,
  type AuditFault,
  AuditRefused,
  type Audits,
  type GivenReserve,
  type ProofSummary,
  type Publication,
  type ShownReserves,
  type Treasury,
} from "./port.ts";
import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import type { DrawnMoment } from "./moments.ts";

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

/** An answer has the id of its request. */
export interface AskedAudit {
  readonly id: number;
  readonly task: AuditTask;
}
export interface AnsweredAudit {
  readonly id: number;
  readonly answer: AuditAnswer;
}

const ENDED = "the thread of audits has ended";

export class AuditLane {
  readonly #name: string;
  readonly #atOnce: number;
  #thread: Worker | undefined;
  /** Pending requests by id. */
  readonly #waiting = new Map<number, PromiseWithResolvers<AuditAnswer>>();
  #lastId = 0;

  /** At most `atOnce` audits may run or wait; further ones are rejected. */
  constructor(name: string, atOnce: number) {
    this.#name = name;
    this.#atOnce = atOnce;
  }

  /** Rejects with `AuditRefused`, or with the error of a thread that fails, ends or cannot be started. */
  async ask<T>(task: AuditTask): Promise<T> {
    if (this.#waiting.size >= this.#atOnce) {
      throw new AuditRefused("BUSY", "Other audits are running. Try again later.");
    }
    const thread = (this.#thread ??= this.#begin());
    const id = ++this.#lastId;
    thread.postMessage({ id, task } satisfies AskedAudit);
    const answered = Promise.withResolvers<AuditAnswer>();
    this.#waiting.set(id, answered);
    const answer = await answered.promise;
    if (answer.type === "refused") throw new AuditRefused(answer.fault, answer.message);
    return answer.result as T;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #begin(): Worker {
    const thread = new Worker(new URL("./audit-worker.ts", import.meta.url), { name: this.#name });
    thread.unref();
    thread.on("message", ({ id, answer }: AnsweredAudit) => {
      // The requests of a failed thread were already rejected.
      if (this.#thread !== thread) return;
      const answered = this.#waiting.get(id);
      assert(answered !== undefined, `the audit thread sent the answer ${id}, which was never requested`);
      this.#waiting.delete(id);
      answered.resolve(answer);
    });
    const end = (error: Error): void => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const each of this.#waiting.values()) each.reject(error);
      this.#waiting.clear();
    };
    thread.once("error", end);
    thread.once("exit", () => end(new Error(ENDED)));
    return thread;
  }
}

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

  /** Ends running audits. */
  async close(): Promise<void> {
    await Promise.all([this.#replays.close(), this.#reads.close()]);
  }
}
