/** What the main thread and that of leases tell each other. */
import type { EtcdLimits } from "./limits.ts";
import type { EtcdAccess } from "./members.ts";
import type { Int64 } from "./protocol.ts";

export interface LeaseWorkerData {
  readonly access: EtcdAccess;
  readonly limits: EtcdLimits;
}

/** `call` numbers the requests: the answer has the same. */
export type LeaseRequest = { readonly call: number } & (
  | { readonly type: "take"; readonly key: Uint8Array; readonly holder: string }
  | { readonly type: "release"; readonly id: Int64 }
  | { readonly type: "close" }
);

export type LeaseAnswer =
  | { readonly type: "done"; readonly call: number; readonly id: Int64 | undefined }
  | { readonly type: "failed"; readonly call: number; readonly message: string }
  | { readonly type: "lost"; readonly id: Int64 };
