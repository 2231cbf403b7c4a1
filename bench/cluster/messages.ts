/** The messages between the benchmark of the shared log and its writers. */
import type { Quantiles } from "@pricetime/testkit/delays";

export type WriterOrder =
  | { readonly type: "open"; readonly endpoints: readonly string[]; readonly node: string }
  | {
      readonly type: "write";
      /**
       * `port`: appends to the shared log and waits until the batch has been delivered. `bare`: puts the same bytes.
       */
      readonly how: "port" | "bare";
      readonly batches: number;
      readonly bytes: number;
    };

export type WriterReport =
  | { readonly type: "open" }
  | { readonly type: "wrote"; readonly seconds: number; readonly delayMs: Quantiles };
