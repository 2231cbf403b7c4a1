/** The configuration of a node among others. `cluster-config.ts` makes what the program uses of it. */
import { z } from "zod";
import { text } from "./listing-schema.ts";

/** The most that etcd should hold: its own advised limit. */
const MOST_STORE_BYTES = 8_589_934_592;

export const clusterSchema = z.strictObject({
  /** The client addresses of the members of etcd; all `http` or all `https`. */
  endpoints: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .max(16),
  /** The beginning of every key in etcd: exchanges that share a store have different ones. */
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -")
    .default("pt"),
  caFile: text.exactOptional(),
  certFile: text.exactOptional(),
  keyFile: text.exactOptional(),
  user: text.exactOptional(),
  password: text.exactOptional(),
  passwordFile: text.exactOptional(),
  /** The token by which nodes know each other. Default: derived from the master key, which all of them have. */
  token: text.exactOptional(),
  tokenFile: text.exactOptional(),
  /** Where other nodes reach this node's admin port. Default: the port on loopback. */
  adminUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
  reads: z.enum(["linearizable", "local"]).default("linearizable"),
  /** This node's share of the limits that are counted by address. */
  limitShare: z.number().gt(0).max(1).default(1),
  mirrors: z.int().min(1).max(16).default(2),
  maxTailBytes: z.int().min(1_048_576).max(MOST_STORE_BYTES).default(268_435_456),
  /** Three quarters of the quota that etcd has by default. */
  maxStoreBytes: z.int().min(8_388_608).max(MOST_STORE_BYTES).default(1_610_612_736),
  cutOffAfterMs: z.int().min(100).max(60_000).default(2000),
  submitTimeoutMs: z.int().min(100).max(60_000).default(5000),
  maxStaleMs: z.int().min(0).max(3_600_000).default(10_000),
  maxAheadMs: z.int().min(100).max(60_000).default(2500),
  readTimeoutMs: z.int().min(0).max(60_000).default(5000),
});

export type ClusterSettings = z.output<typeof clusterSchema>;
