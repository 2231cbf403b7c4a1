/** A node's audits, in separate threads: one replays journals, the other reads stored proofs. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuery, JournalEntries } from "../../../journal/port.ts";
import { dataPaths } from "../../../journal/storage/data-folder.ts";
import {
  AUDIT_LIMITS,
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
import type { AnsweredAudit, AskedAudit, AuditAnswer, AuditedNode, AuditKind, Given, Result } from "./audits.ts";
import type { DrawnMoment } from "./moments.ts";

const ENDED = "the thread of audits has ended";

export class AuditLane {
  readonly #name: string;
  readonly #atOnce: number;
  readonly #node: AuditedNode;
  #thread: Worker | undefined;
  /** Pending requests by id. */
  readonly #waiting = new Map<number, PromiseWithResolvers<AuditAnswer>>();
  #lastId = 0;

  /** At most `atOnce` audits may run or wait at a time; further audits are rejected. */
  constructor(name: string, atOnce: number, node: AuditedNode) {
    this.#name = name;
    this.#atOnce = atOnce;
    this.#node = node;
  }

  /**
   * Requests an audit. Rejects with `AuditRefused`, or with the error of a thread that fails, ends or cannot be
   * started.
   */
  async ask<K extends AuditKind>(kind: K, ...given: Given<K>): Promise<Result<K>> {
    if (this.#waiting.size >= this.#atOnce) {
      throw new AuditRefused("BUSY", "Other audits are running. Try again later.");
    }
    const thread = (this.#thread ??= this.#begin());
    const id = ++this.#lastId;
    thread.postMessage({ id, kind, node: this.#node, given } satisfies AskedAudit);
    const answered = Promise.withResolvers<AuditAnswer>();
    this.#waiting.set(id, answered);
    const answer = await answered.promise;
    if (answer.type === "refused") throw new AuditRefused(answer.fault, answer.message);
    return answer.result as Result<K>;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #begin(): Worker {
    const thread = new Worker(new URL("./audit-worker.ts", import.meta.url), { name: this.#name });
    thread.unref();
    thread.on("message", ({ id, answer }: AnsweredAudit) => {
      // The requests sent to a failed thread were already rejected.
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
  readonly #replays: AuditLane;
  readonly #reads: AuditLane;

  constructor(dataFolder: string, masterKey: string) {
    const node = { dataFolder, paths: dataPaths(dataFolder), masterKey };
    this.#replays = new AuditLane("audit", AUDIT_LIMITS.replays, node);
    this.#reads = new AuditLane("proofs", AUDIT_LIMITS.reads, node);
  }

  treasury(question: { readonly at: number; readonly withFlows: boolean }): Promise<Treasury> {
    return this.#replays.ask("treasury", question);
  }

  makeProof(at: number): Promise<ProofSummary> {
    return this.#replays.ask("make", at);
  }

  async makePublished({ seq, number, previous, root }: Publication): Promise<ProofSummary> {
    const kept = await this.#reads.ask("find", seq);
    if (kept?.digest === root) return kept;
    return this.#replays.ask("make", seq, { number, previous });
  }

  publications(seq: number, last: PublishedProof | null): Promise<readonly Publication[]> {
    return this.#reads.ask("publications", seq, last);
  }

  newestMoment(nowMs: number): Promise<DrawnMoment | null> {
    return this.#reads.ask("moment", nowMs);
  }

  proofs(): Promise<readonly ProofSummary[]> {
    return this.#reads.ask("list");
  }

  entries(question: EntriesQuery): Promise<JournalEntries> {
    return this.#reads.ask("entries", question);
  }

  publicPart(seq: number): Promise<string> {
    return this.#reads.ask("public", seq);
  }

  reserves(seq: number): Promise<ShownReserves> {
    return this.#reads.ask("reserves", seq);
  }

  addReserves(seq: number, given: readonly GivenReserve[], isDraft: boolean): Promise<ShownReserves> {
    return this.#reads.ask("addReserves", seq, given, isDraft);
  }

  customerPart(seq: number, account: { readonly accountId: number; readonly email: string }): Promise<string> {
    return this.#reads.ask("customer", seq, account);
  }

  /** Ends the running audits. */
  async close(): Promise<void> {
    await Promise.all([this.#replays.close(), this.#reads.close()]);
  }
}
