/** One thread of audits, begun with the first and kept: it answers one after another. */
import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import type { AnsweredAudit, AskedAudit, AuditAnswer, AuditTask } from "./audit-task.ts";
import { AuditRefused } from "./port.ts";

const ENDED = "the thread of audits has ended";

export class AuditLane {
  readonly #name: string;
  readonly #atOnce: number;
  #thread: Worker | undefined;
  /** Waiting callers, by the number of what they asked: no answer goes to another. */
  readonly #waiting = new Map<number, PromiseWithResolvers<AuditAnswer>>();
  #lastId = 0;

  /** At most `atOnce` audits may be under way or wait; further ones are refused. */
  constructor(name: string, atOnce: number) {
    this.#name = name;
    this.#atOnce = atOnce;
  }

  /** Rejects with `AuditRefused`, and with the error of a thread that fails, is ended or cannot be begun. */
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
      // Those who asked a thread that has failed were told so.
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
