/** Leases on tasks, as used by the main thread. The thread that renews leases is started with the first lease. */
import type { EtcdLimits } from "./endpoint.ts";
import type { EtcdAccess } from "./members.ts";
import type { Int64 } from "./protocol.ts";
import { Worker } from "node:worker_threads";
import type { Lease } from "../port.ts";
import type { EpochKeys } from "./epoch.ts";

export interface LeaseWorkerData {
  readonly access: EtcdAccess;
  readonly limits: EtcdLimits;
}

/** `call` numbers the requests. A response has the number of its request. */
export type LeaseRequest = { readonly call: number } & (
  | { readonly type: "take"; readonly key: Uint8Array; readonly holder: string }
  | { readonly type: "release"; readonly id: Int64 }
  | { readonly type: "close" }
);

export type LeaseAnswer =
  | { readonly type: "done"; readonly call: number; readonly id: Int64 | undefined }
  | { readonly type: "failed"; readonly call: number; readonly message: string }
  | { readonly type: "lost"; readonly id: Int64 };

type Request = LeaseRequest extends infer Any ? (Any extends LeaseRequest ? Omit<Any, "call"> : never) : never;

class HeldLease implements Lease {
  isHeld = true;
  readonly #listeners: (() => void)[] = [];
  readonly #release: () => Promise<void>;

  constructor(release: () => Promise<void>) {
    this.#release = release;
  }

  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  release(): Promise<void> {
    this.isHeld = false;
    return this.#release();
  }

  lose(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    for (const listener of this.#listeners) listener();
  }
}

interface LeasesOptions extends LeaseWorkerData {
  /** The name of this node. */
  readonly node: string;
}

export class Leases {
  readonly #options: LeasesOptions;
  readonly #keys: EpochKeys;
  #worker: Worker | undefined;
  #calls = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<Int64 | undefined>>();
  readonly #held = new Map<Int64, HeldLease>();
  /** Ids of leases that were lost before this thread received the response to their acquisition. */
  readonly #lost = new Set<Int64>();

  constructor(options: LeasesOptions, keys: EpochKeys) {
    this.#options = options;
    this.#keys = keys;
  }

  /** Like `ClusterStore.lease`. Rejects if the store cannot be reached. */
  async take(role: string): Promise<Lease | undefined> {
    const id = await this.#ask({ type: "take", key: this.#keys.role(role), holder: this.#options.node });
    if (id === undefined) return undefined;
    const release = async (): Promise<void> => {
      this.#held.delete(id);
      await this.#ask({ type: "release", id });
    };
    const lease = new HeldLease(release);
    if (this.#lost.delete(id)) lease.lose();
    else this.#held.set(id, lease);
    return lease;
  }

  /** Revokes all leases, best effort. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#ask({ type: "close" }).catch(() => {});
    this.#worker = undefined;
    await worker.terminate();
    this.#endAll(new Error("closed"));
  }

  #ask(request: Request): Promise<Int64 | undefined> {
    const worker = (this.#worker ??= this.#start());
    const call = ++this.#calls;
    worker.postMessage({ ...request, call });
    const waiting = Promise.withResolvers<Int64 | undefined>();
    this.#waiting.set(call, waiting);
    return waiting.promise;
  }

  #start(): Worker {
    const { access, limits } = this.#options;
    const worker = new Worker(new URL("./lease-worker.ts", import.meta.url), {
      name: "leases",
      workerData: { access, limits } satisfies LeaseWorkerData,
    });
    worker.unref();
    worker.on("message", (answer: LeaseAnswer) => this.#hear(answer));
    const onEnd = (error: Error): void => {
      if (this.#worker !== worker) return;
      // The thread that renewed the leases has exited. The next request starts a new one.
      this.#worker = undefined;
      this.#endAll(error);
    };
    worker.on("error", onEnd);
    worker.on("exit", () => onEnd(new Error("the thread that keeps leases has ended")));
    return worker;
  }

  #hear(answer: LeaseAnswer): void {
    if (answer.type === "lost") {
      const lease = this.#held.get(answer.id);
      if (lease === undefined) this.#lost.add(answer.id);
      this.#held.delete(answer.id);
      lease?.lose();
      return;
    }
    const waiting = this.#waiting.get(answer.call);
    this.#waiting.delete(answer.call);
    if (answer.type === "done") waiting?.resolve(answer.id);
    else waiting?.reject(new Error(answer.message));
  }

  #endAll(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    for (const lease of this.#held.values()) lease.lose();
    this.#held.clear();
  }
}
