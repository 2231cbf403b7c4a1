/** What the benchmark of the shared log and its writers say to each other. */
import type { Quantiles } from "@pricetime/testkit/delays";

export type WriterOrder =
  | { readonly type: "open"; readonly endpoints: readonly string[]; readonly node: string }
  | {
      readonly type: "write";
      /** `port`: submits to the shared log and waits until the batch has come back. `bare`: puts the same bytes. */
      readonly how: "port" | "bare";
      readonly batches: number;
      readonly bytes: number;
    };

export type WriterReport =
  | { readonly type: "open" }
  | { readonly type: "wrote"; readonly seconds: number; readonly delayMs: Quantiles };
