/** The most that signed payments in no block yet can take out of the hot wallet. */
import { type Hex, parseTransaction } from "viem";
import { readTransfer, type Tokens } from "./token.ts";

/** Reserved amounts by asset, in the chain's smallest units. */
export class Reserved {
  readonly #units = new Map<string, bigint>();

  constructor(signed: readonly Hex[], tokens: Tokens, nativeAsset: string) {
    for (const each of signed) {
      const { value = 0n, gas = 0n, maxFeePerGas = 0n, to, data } = parseTransaction(each);
      this.#add(nativeAsset, value + gas * maxFeePerGas);
      const token = tokens.at(to ?? null);
      const transfer = token && data && readTransfer(data);
      if (token !== undefined && transfer !== undefined) this.#add(token.asset, transfer.value);
    }
  }

  of(asset: string): bigint {
    return this.#units.get(asset) ?? 0n;
  }

  #add(asset: string, units: bigint): void {
    this.#units.set(asset, this.of(asset) + units);
  }
}
