/**
 * Settings of an EVM network, its ERC-20 tokens, and conversion of amounts. `docs/operate/evm.md` explains the
 * settings.
 */
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  parseAbiItem,
} from "viem";
import { formatDecimal, parseDecimal } from "@pricetime/engine";

export interface EvmToken {
  readonly asset: string;
  readonly contract: string;
  /** The token's decimals, compared with the contract's `decimals()` when the chain is first reached. */
  readonly decimals: number;
}

export interface EvmSettings {
  readonly network: string;
  /** The URL of JSON-RPC over HTTP. It is never logged, because many providers include a key. */
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly nativeAsset: string;
  readonly tokens: readonly EvmToken[];
  /** The extended public key. Its child N is the deposit address of account N. */
  readonly xpub: string;
  /** The address from which withdrawals are paid; the signer holds its key. */
  readonly hotWallet: string;
  /** The address that pays the gas of token sweeps. Coins that it sends to a deposit address are not deposits. */
  readonly gasWallet?: string;
  /** The path of the signer's unix socket. */
  readonly signerSocket: string;
  /** The timeout of one request to the chain or to the signer; default 10 s. */
  readonly timeoutMs?: number;
  /** Whether transfers of unlisted tokens are recorded as unattributed deposits; default true. */
  readonly recordUnlistedTokens?: boolean;
  /** Payments wait while the gas price exceeds this; default 500. */
  readonly maxFeeGwei?: number;
  /** Maximum fee of a stuck payment without an operator's request; default `maxFeeGwei`. */
  readonly raiseFeeUpToGwei?: number;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
export const DEFAULT_MAX_FEE_GWEI = 500;

export const TRANSFER_EVENT = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

export interface Token {
  readonly asset: string;
  readonly contract: Address;
  readonly decimals: number;
}

export class Tokens {
  readonly contracts: readonly Address[];
  readonly #byContract: ReadonlyMap<string, Token>;
  readonly #byAsset: ReadonlyMap<string, Token>;

  /** Indexes the tokens. Throws an `Error` for a duplicate asset or contract. */
  constructor({ tokens, nativeAsset }: Pick<EvmSettings, "tokens" | "nativeAsset">) {
    const all = tokens.map((token) => ({ ...token, contract: getAddress(token.contract) }));
    this.contracts = all.map((token) => token.contract);
    this.#byContract = new Map(all.map((token) => [token.contract, token]));
    this.#byAsset = new Map(all.map((token) => [token.asset, token]));
    const isTwice = this.#byContract.size !== all.length || this.#byAsset.size !== all.length;
    if (isTwice || this.#byAsset.has(nativeAsset)) throw new Error("two tokens have the same asset or contract");
  }

  [Symbol.iterator](): Iterator<Token> {
    return this.#byAsset.values();
  }

  ofAsset(asset: string): Token | undefined {
    return this.#byAsset.get(asset);
  }

  at(contract: string | null): Token | undefined {
    return contract === null ? undefined : this.#byContract.get(getAddress(contract));
  }
}

export function transferData(to: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, value] });
}

/** Decodes payee and amount of a `transfer` call; undefined for any other call. */
export function readTransfer(data: Hex): { readonly to: Address; readonly value: bigint } | undefined {
  if (!data.startsWith(TRANSFER_SELECTOR) || data.length !== TRANSFER_DATA_LENGTH) return undefined;
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  if (functionName !== "transfer") return undefined;
  return { to: args[0], value: args[1] };
}

const TRANSFER_SELECTOR = "0xa9059cbb";
/** Length in characters of 0x, the selector and two words. */
const TRANSFER_DATA_LENGTH = 2 + 8 + 64 + 64;

/**
 * Converts a deposit. Rounds down, so that the ledger never has more than the chain. Null if the amount is less than
 * the asset's smallest unit.
 */
export function coinAmount(value: bigint, decimals: number, precision: number): string | null {
  const units = rescale(value, decimals, precision).whole;
  return units === 0n ? null : formatDecimal(units, precision, precision);
}

/** Converts a network fee. Rounds up, so that the ledger never has more than the chain. */
export function costAmount(value: bigint, decimals: number, precision: number): string {
  const { whole, hasRest } = rescale(value, decimals, precision);
  return formatDecimal(hasRest ? whole + 1n : whole, precision, precision);
}

/** Converts a payment, which must be exact. Null if the token has too few decimals for it. */
export function paymentValue(amount: string, decimals: number): bigint | null {
  return parseDecimal(amount, decimals);
}

function rescale(value: bigint, from: number, to: number): { whole: bigint; hasRest: boolean } {
  if (from <= to) return { whole: value * 10n ** BigInt(to - from), hasRest: false };
  const step = 10n ** BigInt(from - to);
  return { whole: value / step, hasRest: value % step !== 0n };
}
