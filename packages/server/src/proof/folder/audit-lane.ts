/** One thread of audits, begun with the first and kept: it answers one after another. */
import { Worker } from "node:worker_threads";
import type { AuditAnswer, AuditTask } from "./audit-task.ts";
import { AuditRefused } from "./port.ts";

const ENDED = "the thread of audits has ended";

export class AuditLane {
  readonly #name: string;
  readonly #atOnce: number;
  #thread: Worker | undefined;
  /** Waiting callers, in the order in which they are answered. */
  readonly #waiting: PromiseWithResolvers<AuditAnswer>[] = [];

  /** At most `atOnce` audits may be under way or wait; further ones are refused. */
  constructor(name: string, atOnce: number) {
    this.#name = name;
    this.#atOnce = atOnce;
  }

  /** Rejects with `AuditRefused`, and with the error of a thread that fails or is ended. */
  async ask<T>(task: AuditTask): Promise<T> {
    if (this.#waiting.length >= this.#atOnce) {
      throw new AuditRefused("BUSY", "other audits are under way: ask again");
    }
    const answered = Promise.withResolvers<AuditAnswer>();
    this.#waiting.push(answered);
    this.#thread ??= this.#begin();
    this.#thread.postMessage(task);
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
    thread.on("message", (answer: AuditAnswer) => this.#waiting.shift()?.resolve(answer));
    const end = (error: Error): void => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const each of this.#waiting.splice(0)) each.reject(error);
    };
    thread.once("error", end);
    thread.once("exit", () => end(new Error(ENDED)));
    return thread;
  }
}
