/** What a payment bids for its place in a block. EIP-1559. */
import { type Hex, parseGwei, parseTransaction, type PublicClient } from "viem";
import { ChainUnreachable } from "../chain.ts";
import { DEFAULT_MAX_FEE_GWEI, type EvmSettings } from "./settings.ts";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Chains replace a waiting transaction by one of its nonce only when both bids rise by at least a tenth. */
const REPLACE_NUMERATOR = 9n;
const REPLACE_DENOMINATOR = 8n;

/** Rejects with `ChainUnreachable` while the chain asks more than the operator allows. */
export async function currentFees(client: PublicClient, settings: EvmSettings, replaces?: Hex): Promise<Fees> {
  const [{ baseFeePerGas }, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()]);
  if (baseFeePerGas === null) throw new ChainUnreachable(`${settings.network}: the chain knows no EIP-1559 fees`);
  const most = parseGwei(String(settings.maxFeeGwei ?? DEFAULT_MAX_FEE_GWEI));
  const least = replaces === undefined ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : raised(replaces);
  const maxPriorityFeePerGas = greater(tip, least.maxPriorityFeePerGas);
  const needed = greater(baseFeePerGas + maxPriorityFeePerGas, least.maxFeePerGas);
  if (needed > most) throw new ChainUnreachable(`${settings.network}: gas costs more than maxFeeGwei allows`);
  // Twice the base fee outlasts six full blocks; what is not needed is not paid.
  const wanted = greater(2n * baseFeePerGas + maxPriorityFeePerGas, least.maxFeePerGas);
  return { maxFeePerGas: wanted < most ? wanted : most, maxPriorityFeePerGas };
}

function raised(replaces: Hex): Fees {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(replaces);
  const raise = (bid: bigint): bigint => (bid * REPLACE_NUMERATOR) / REPLACE_DENOMINATOR + 1n;
  return { maxFeePerGas: raise(maxFeePerGas), maxPriorityFeePerGas: raise(maxPriorityFeePerGas) };
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
