/** The configuration of the signer: limits on the transactions that it signs, regardless of the node's requests. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { ConfigError, schemaFault } from "../../../../platform/config/faults.ts";
import { PLAIN_DECIMAL } from "../../../../platform/config/listing-schema.ts";

const amount = z.string().regex(PLAIN_DECIMAL, "a decimal in quotes");
const limits = {
  asset: z.string().regex(/^[A-Z0-9]{1,20}$/),
  /** Maximum amount of one payment. */
  maxPayment: amount,
  /** Maximum total of the payments within any 24 hours since the signer started. */
  maxPerDay: amount,
};

const signerSchema = z.strictObject({
  chainId: z.int().min(1),
  keyFile: z.string().min(1),
  socket: z.string().min(1).max(100),
  native: z.strictObject({
    ...limits,
    /** Maximum amount of one top-up from the gas wallet to a deposit address. */
    maxTopUp: amount.default("0.05"),
  }),
  tokens: z
    .array(
      z.strictObject({
        ...limits,
        contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/, "0x and 40 hex digits"),
        decimals: z.int().min(0).max(36),
      }),
    )
    .max(1000)
    .default([]),
  /** Maximum gas of one transaction. A payee that is a contract can consume all of it. */
  maxGas: z.int().min(21_000).max(30_000_000).default(150_000),
  maxFeeGwei: z.int().min(1).max(1_000_000).default(500),
});

export type SignerConfig = z.output<typeof signerSchema>;

/** Reads the file. Relative paths in it are resolved against `folder`. Throws a one-line `ConfigError`. */
export function loadSignerConfig(file: string, folder: string): SignerConfig {
  let settings: unknown;
  try {
    settings = parse(readFileSync(resolve(folder, file), "utf8"));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message.split("\n")[0];
    throw new ConfigError(`${file} cannot be read (${why})`, { cause: error });
  }
  const checked = signerSchema.safeParse(settings);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new ConfigError(`${file}: ${issue === undefined ? "invalid" : schemaFault(issue, settings, signerSchema)}`);
  }
  const { keyFile, socket } = checked.data;
  return { ...checked.data, keyFile: resolve(folder, keyFile), socket: resolve(folder, socket) };
}
