/** The ERC-20 tokens of a network's settings. */
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  parseAbiItem,
} from "viem";
import type { EvmSettings } from "./settings.ts";

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

  /** Throws an `Error` for an asset or a contract that is named twice. */
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

/** Returns the payee and the amount of a `transfer` call; undefined for any other call. */
export function readTransfer(data: Hex): { readonly to: Address; readonly value: bigint } | undefined {
  if (!data.startsWith(TRANSFER_SELECTOR) || data.length !== TRANSFER_DATA_LENGTH) return undefined;
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  if (functionName !== "transfer") return undefined;
  return { to: args[0], value: args[1] };
}

const TRANSFER_SELECTOR = "0xa9059cbb";
/** The length of 0x, the selector and two words. */
const TRANSFER_DATA_LENGTH = 2 + 8 + 64 + 64;
