/**
 * The schema of the configuration file, with ranges and defaults. `docs/operate/config.example.yaml` explains the keys.
 */
import {
  DAY_MS,
  FIRST_CUSTOMER_ACCOUNT,
  HOUR_MS,
  INTERFACES,
  ORDER_ID_SCOPES,
  MAX_ADDRESS_WAIT_MS,
  MAX_ASSETS,
  MAX_FILL_CREDIT,
  MINUTE_MS,
} from "@pricetime/engine";
import { z } from "zod";
import { resolve } from "node:path";
import { assetSchema, bps, exchangeFiltersSchema, symbolSchema, text } from "./listing-schema.ts";
import { brandingSchema } from "./branding-schema.ts";
import { clusterSchema } from "./cluster-config.ts";
import { labSchema } from "./lab-schema.ts";
import { emailSchema, tradingRulesSchema, walletSchema } from "./wallet-schema.ts";

/** Maximum lifetimes of sessions and links that the engine allows. */
const MAX_SESSION_LIFE_DAYS = 30;
const MAX_INVITATION_LIFE_DAYS = 30;
const MAX_RECOVERY_DAYS = 7;

const accountsSchema = z.strictObject({
  signUp: z.enum(["open", "invitation"]).default("invitation"),
  sessionLifeMs: z
    .int()
    .min(MINUTE_MS)
    .max(MAX_SESSION_LIFE_DAYS * DAY_MS)
    .default(604_800_000),
  invitationLifeMs: z
    .int()
    .min(MINUTE_MS)
    .max(MAX_INVITATION_LIFE_DAYS * DAY_MS)
    .default(604_800_000),
  recoveryDelayMs: z
    .int()
    .min(0)
    .max(MAX_RECOVERY_DAYS * DAY_MS)
    .default(86_400_000),
  /** The waiting time before a new withdrawal address can be used, and before the allowlist is switched off. */
  addressWaitMs: z.int().min(0).max(MAX_ADDRESS_WAIT_MS).default(86_400_000),
  recoveryLifeMs: z
    .int()
    .min(HOUR_MS)
    .max(MAX_RECOVERY_DAYS * DAY_MS)
    .default(172_800_000),
});

/** Two years in seconds. */
const MOST_HSTS_SECONDS = 63_072_000;

const files = {
  /** The path of the certificate and its chain, in PEM. */
  certFile: text,
  /** The path of the unencrypted private key, in PEM. */
  keyFile: text,
};

const adminTlsSchema = z.strictObject(files);

const tlsSchema = z.strictObject({
  ...files,
  /** max-age of HTTP Strict Transport Security; 0: the header is not sent. */
  hstsSeconds: z.int().min(0).max(MOST_HSTS_SECONDS).default(2_592_000),
});

/** Absolute paths, and the setting in which they are given. */
export interface TlsFiles {
  readonly setting: "tls" | "admin.tls";
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TlsConfig extends TlsFiles {
  readonly hstsSeconds: number;
}

/** Null if the port uses plain HTTP. */
export function tlsFiles<Settings extends z.output<typeof adminTlsSchema>>(
  settings: Settings | undefined,
  setting: TlsFiles["setting"],
  folder: string,
): (Settings & TlsFiles) | null {
  if (settings === undefined) return null;
  const { certFile, keyFile } = settings;
  return { ...settings, setting, certFile: resolve(folder, certFile), keyFile: resolve(folder, keyFile) };
}

const port = z.int().min(0).max(65_535);
/** A rate limit of exchangeInfo. Interface 2.7 and 8. */
const rule = z.strictObject({
  rateLimitType: z.enum(["REQUEST_WEIGHT", "RAW_REQUESTS", "ORDERS"]),
  interval: z.enum(["SECOND", "MINUTE", "HOUR", "DAY"]),
  intervalNum: z.int().min(1).max(1000),
  limit: z.int().min(1).max(1_000_000_000),
});

const fillCredit = z.int().min(0).max(MAX_FILL_CREDIT);

const limits = z.strictObject({
  enabled: z.boolean().default(true),
  /** Default: the limits of the interface. */
  rules: z.array(rule).max(20).exactOptional(),
  /** How many orders the first fill of an order takes off the order limits. Default: those of the interface. */
  fillCredits: z.strictObject({ taker: fillCredit, maker: fillCredit }).exactOptional(),
  maxTrackedIps: z.int().min(1000).max(10_000_000).default(100_000),
  /** The weight of a request under /wapi or /sapi. The interface specifies no limits for them. */
  walletWeight: z.int().min(1).max(1000).default(1),
});

/** 16 GiB in bytes. */
const MOST_UNREAD_BYTES = 17_179_869_184;

const http = z.strictObject({
  trustedProxies: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
  allowedOrigins: z
    .array(
      z.string().regex(/^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/]+)$/i, "an origin, as https://app.example.com, or *"),
    )
    .max(1000)
    .default([]),
  maxBodyBytes: z.int().min(1024).max(1_048_576).default(16_384),
  maxConnections: z.int().min(1).max(1_000_000).default(20_000),
  maxConnectionsPerIp: z.int().min(1).max(1_000_000).default(2000),
  maxRequestsInFlight: z.int().min(1).max(1_000_000).default(10_000),
  maxRequestsInFlightPerIp: z.int().min(1).max(1_000_000).default(1200),
  maxSendBufferBytesPerIp: z.int().min(1_048_576).max(MOST_UNREAD_BYTES).default(67_108_864),
});

const streams = z.strictObject({
  maxConnectionsPerIp: z.int().min(1).max(1_000_000).default(1000),
  maxSendBufferBytesPerIp: z.int().min(1_048_576).max(MOST_UNREAD_BYTES).default(268_435_456),
});

const clock = z.strictObject({
  maxLeapMs: z.int().min(1_000).max(Number.MAX_SAFE_INTEGER).default(10_000),
});

const admin = z.strictObject({
  token: text.exactOptional(),
  tokenFile: text.exactOptional(),
  hosts: z
    .array(z.string().regex(/^[A-Za-z0-9._:-]{1,253}$/, "a name or address, without a port"))
    .max(1000)
    .default([]),
  /** Default: the admin port on loopback. */
  url: z.url({ protocol: /^https?$/ }).exactOptional(),
  /** Default: plain HTTP. */
  tls: adminTlsSchema.exactOptional(),
});

export const fileSchema = z.strictObject({
  node: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, ., _ and -")
    .default("node-1"),
  host: text.default("127.0.0.1"),
  port: port.default(8080),
  adminPort: port.default(8081),
  /** TLS of the client port. Default: plain HTTP. */
  tls: tlsSchema.exactOptional(),
  data: text.default("./data"),
  demo: z.boolean().default(true),
  /** Default: the value of `demo`. */
  bots: z.boolean().exactOptional(),
  seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
  /** `auto`: warn for a demo on a terminal, which shows a banner, otherwise info. */
  logLevel: z.enum(["auto", "trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("auto"),
  snapshotEveryCommands: z.int().min(1000).max(100_000_000).default(100_000),
  /** YAML reads 2019 as a number. */
  interface: z
    .preprocess((value) => (typeof value === "number" ? String(value) : value), z.enum(INTERFACES))
    .default("2019"),
  /** Fixed when a data folder is created. */
  orderIds: z.enum(ORDER_ID_SCOPES).default("exchange"),
  limits: limits.prefault({}),
  http: http.prefault({}),
  streams: streams.prefault({}),
  clock: clock.prefault({}),
  fees: z.strictObject({ makerBps: bps.default(10), takerBps: bps.default(10) }).prefault({}),
  admin: admin.prefault({}),
  masterKey: text.exactOptional(),
  masterKeyFile: text.exactOptional(),
  /** Default: the node's own address. */
  publicUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
  wallet: walletSchema.prefault({}),
  email: emailSchema.prefault({}),
  branding: brandingSchema.prefault({}),
  accounts: accountsSchema.prefault({}),
  tradingRules: tradingRulesSchema.prefault({}),
  /** Whether the node creates and publishes a proof of liabilities every day. */
  proofs: z.strictObject({ daily: z.boolean().default(false) }).prefault({}),
  reports: z
    .strictObject({
      /** The asset of values. Default: the quote asset of most markets. */
      asset: text.exactOptional(),
      /** Accounts that are not customers, such as the venue's own market makers. */
      excludedAccounts: z.array(z.int().min(FIRST_CUSTOMER_ACCOUNT)).max(1000).default([]),
    })
    .prefault({}),
  exchangeFilters: exchangeFiltersSchema.exactOptional(),
  assets: z.array(assetSchema).max(MAX_ASSETS).default([]),
  symbols: z.array(symbolSchema).max(20_000).default([]),
  /** A node for experiments. */
  lab: labSchema.prefault({}),
  /** Default: a single node. */
  cluster: clusterSchema.exactOptional(),
});

export type FileConfig = z.output<typeof fileSchema>;
export type AccountsSettings = FileConfig["accounts"];
