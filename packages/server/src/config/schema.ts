/** The configuration file: every key, its range and its default. `docs/operate/config.example.yaml` explains them. */
import { z } from "zod";
import { assetSchema, bps, exchangeFiltersSchema, symbolSchema, text } from "./listing-schema.ts";

const port = z.int().min(0).max(65_535);
const limiter = z.strictObject({
  interval: z.enum(["SECOND", "MINUTE", "HOUR", "DAY"]),
  intervalNum: z.int().min(1).max(1000),
  limit: z.int().min(1).max(1_000_000_000),
});

/** A decade; longer waits are not meant. */
const seconds = z.int().min(1).max(315_360_000);

/** Interface 8 and 2.7; the ban steps are FACTS 0.17. */
const limits = z.strictObject({
  enabled: z.boolean().default(true),
  requestWeight: z.array(limiter).default([{ interval: "MINUTE", intervalNum: 1, limit: 1200 }]),
  rawRequests: z.array(limiter).default([{ interval: "MINUTE", intervalNum: 5, limit: 5000 }]),
  orders: z.array(limiter).default([
    { interval: "SECOND", intervalNum: 1, limit: 10 },
    { interval: "DAY", intervalNum: 1, limit: 100_000 },
  ]),
  bans: z
    .strictObject({
      refusalsBeforeBan: z.int().min(1).max(1_000_000).default(20),
      seconds: z.array(seconds).min(1).max(20).default([120, 600, 3600, 21_600, 86_400, 259_200]),
      forgetAfterSeconds: seconds.default(259_200),
    })
    .prefault({}),
  trustedProxies: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
  maxBodyBytes: z.int().min(1024).max(10_485_760).default(65_536),
  maxConnections: z.int().min(1).max(1_000_000).default(10_000),
});

export const fileSchema = z.strictObject({
  node: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -")
    .default("node-1"),
  host: text.default("127.0.0.1"),
  port: port.default(8080),
  adminPort: port.default(8081),
  data: text.default("./data"),
  demo: z.boolean().default(true),
  /** Left out: as `demo`. */
  bots: z.boolean().exactOptional(),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
  logLevel: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  snapshotEveryCommands: z.int().min(1000).max(100_000_000).default(100_000),
  limits: limits.prefault({}),
  fees: z.strictObject({ makerBps: bps.default(10), takerBps: bps.default(10) }).prefault({}),
  admin: z.strictObject({ token: text.exactOptional(), tokenFile: text.exactOptional() }).prefault({}),
  masterKey: text.exactOptional(),
  masterKeyFile: text.exactOptional(),
  exchangeFilters: exchangeFiltersSchema.exactOptional(),
  assets: z.array(assetSchema).max(10_000).default([]),
  symbols: z.array(symbolSchema).max(20_000).default([]),
});

export type FileConfig = z.output<typeof fileSchema>;
export type LimitsConfig = FileConfig["limits"];
export type Limiter = z.output<typeof limiter>;
