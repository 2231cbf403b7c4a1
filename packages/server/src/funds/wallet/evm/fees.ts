/** What a payment bids for its place in a block (EIP-1559). */
import { type Hex, parseGwei, parseTransaction, type PublicClient } from "viem";
import { ChainUnreachable } from "../chain.ts";
import { DEFAULT_MAX_FEE_GWEI, type EvmSettings } from "./settings.ts";

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Chains replace a waiting transaction by one with its nonce only when both bids rise by at least a tenth. */
const REPLACE_NUMERATOR = 9n;
const REPLACE_DENOMINATOR = 8n;

/** A stuck transaction, and how high its successor may bid. */
export interface Replaced {
  readonly stuck: Hex;
  readonly maxGwei: number;
}

const NOTHING: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

/** Returns a new payment's fees. Rejects with `ChainUnreachable` while the chain asks more than is allowed. */
export function currentFees(client: PublicClient, settings: EvmSettings): Promise<Fees> {
  const maxGwei = settings.maxFeeGwei ?? DEFAULT_MAX_FEE_GWEI;
  const tooDear = `${settings.network}: gas costs more than maxFeeGwei allows`;
  return feesOf(client, settings.network, NOTHING, { maxGwei, tooDear });
}

/** Returns fees high enough to replace the stuck ones. Rejects with `ChainUnreachable` when they exceed the limit. */
export function raisedFees(
  client: PublicClient,
  { network }: EvmSettings,
  { stuck, maxGwei }: Replaced,
): Promise<Fees> {
  const tooDear = `${network}: a payment is stuck, and a higher fee would be more than ${maxGwei} gwei`;
  return feesOf(client, network, raised(stuck), { maxGwei, tooDear });
}

async function feesOf(
  client: PublicClient,
  network: string,
  least: Fees,
  { maxGwei, tooDear }: { readonly maxGwei: number; readonly tooDear: string },
): Promise<Fees> {
  const [{ baseFeePerGas }, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()]);
  if (baseFeePerGas === null) throw new ChainUnreachable(`${network}: the chain knows no EIP-1559 fees`);
  const most = parseGwei(String(maxGwei));
  const maxPriorityFeePerGas = greater(tip, least.maxPriorityFeePerGas);
  const needed = greater(baseFeePerGas + maxPriorityFeePerGas, least.maxFeePerGas);
  if (needed > most) throw new ChainUnreachable(tooDear);
  // Twice the base fee outlasts six full blocks; what is not needed is not charged.
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
