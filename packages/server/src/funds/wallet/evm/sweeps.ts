/**
 * When an operator requests it, moves funds from deposit addresses to the hot wallet, and the gas needed for that to
 * deposit addresses. The funds stay in the exchange, so the ledger does not record it: if a transaction is lost, the
 * operator repeats the request.
 */
import { NATIVE_DECIMALS } from "./signer/port.ts";
import { parseDecimal } from "@pricetime/engine";
import { type Address, erc20Abi, formatUnits, getAddress, type PublicClient } from "viem";
import { ChainUnreachable, PaymentRefused } from "../chain.ts";
import { ControlRefused, type SweepControl, type Swept } from "../port.ts";
import { callOf, currentFees, isSigned, withReserve } from "./payment-signer.ts";
import type { DepositKey } from "./deposit-key.ts";
import type { EvmRpc } from "./rpc.ts";
import type { EvmSettings, Tokens } from "./settings.ts";
import type { SignerClient } from "./signer-client.ts";

export interface SweepsParts {
  readonly settings: EvmSettings;
  readonly tokens: Tokens;
  readonly key: DepositKey;
  readonly rpc: EvmRpc;
  readonly signer: SignerClient;
}

interface Way {
  readonly type: "sweep" | "topUp";
  readonly accountId: number;
  readonly asset: string;
  readonly from: Address;
  readonly to: Address;
}

export class Sweeps implements SweepControl {
  readonly #parts: SweepsParts;

  constructor(parts: SweepsParts) {
    this.#parts = parts;
  }

  sweep(accountId: number, asset: string): Promise<Swept> {
    const { settings, key } = this.#parts;
    const to = getAddress(settings.hotWallet);
    const way: Way = { type: "sweep", accountId, asset, from: key.addressOf(accountId), to };
    return this.#ask((client) => this.#move(client, way, null));
  }

  topUp(accountId: number, amount: string): Promise<Swept> {
    const { gasWallet, nativeAsset } = this.#parts.settings;
    if (gasWallet === undefined) return Promise.reject(new ControlRefused("the network has no gasWallet configured"));
    const to = this.#parts.key.addressOf(accountId);
    const way: Way = { type: "topUp", accountId, asset: nativeAsset, from: getAddress(gasWallet), to };
    const value = parseDecimal(amount, NATIVE_DECIMALS);
    if (value === null || value === 0n) {
      return Promise.reject(new ControlRefused("amount: more than 0, in at most 18 decimals"));
    }
    return this.#ask((client) => this.#move(client, way, value));
  }

  async #ask(move: (client: PublicClient) => Promise<Swept>): Promise<Swept> {
    try {
      return await this.#parts.rpc.ask(move);
    } catch (error) {
      if (error instanceof PaymentRefused) throw new ControlRefused(error.message, { cause: error });
      throw error;
    }
  }

  /** Moves an amount. `wanted` null: the entire balance minus the gas. */
  async #move(client: PublicClient, { type, accountId, asset, from, to }: Way, wanted: bigint | null): Promise<Swept> {
    const { settings, tokens, signer } = this.#parts;
    const { chainId, nativeAsset, network } = settings;
    const decimals = this.#decimals(asset);
    const nonce = await this.#freeNonce(client, from);
    const [native, held] = [await client.getBalance({ address: from }), await this.#balance(client, asset, from)];
    if (held === 0n) throw new ControlRefused(`${from} has no ${asset}`);
    const fees = await currentFees(client, settings);
    // The gas does not depend on the amount. An estimate for the entire native balance would fail, because nothing
    // remains for gas.
    const sample = callOf(tokens, asset, to, asset === nativeAsset ? 1n : held);
    const gas = withReserve(await client.estimateGas({ account: from, ...sample }));
    const cost = gas * fees.maxFeePerGas;
    const value = wanted ?? (asset === nativeAsset ? held - cost : held);
    const isShort = asset === nativeAsset ? value <= 0n || native < value + cost : native < cost;
    if (isShort) throw new ControlRefused(`${from} needs ${formatUnits(cost, NATIVE_DECIMALS)} ${nativeAsset} for gas`);
    const call = callOf(tokens, asset, to, value);
    const answer = await signer.sign({ type, accountId, chainId, asset, value, nonce, gas, ...fees });
    if (!(await isSigned(answer, { chainId, nonce, call }, from))) {
      throw new ChainUnreachable(`${network}: the signer signed something else`);
    }
    await client.sendRawTransaction({ serializedTransaction: answer.signedTx as `0x${string}` });
    return { txId: answer.txId, from, to, asset, amount: formatUnits(value, decimals) };
  }

  /**
   * Returns the address's next nonce. Rejects with `ControlRefused` while a transaction is pending, because a second
   * one could replace it.
   */
  async #freeNonce(client: PublicClient, address: Address): Promise<number> {
    const [mined, sent] = await Promise.all([
      client.getTransactionCount({ address, blockTag: "latest" }),
      client.getTransactionCount({ address, blockTag: "pending" }),
    ]);
    if (sent > mined) throw new ControlRefused(`a transaction of ${address} waits for a block`);
    return mined;
  }

  #decimals(asset: string): number {
    if (asset === this.#parts.settings.nativeAsset) return NATIVE_DECIMALS;
    const token = this.#parts.tokens.ofAsset(asset);
    if (token === undefined) throw new ControlRefused(`${asset} is not configured on ${this.#parts.settings.network}`);
    return token.decimals;
  }

  #balance(client: PublicClient, asset: string, of: Address): Promise<bigint> {
    const token = this.#parts.tokens.ofAsset(asset);
    if (token === undefined) return client.getBalance({ address: of });
    return client.readContract({ address: token.contract, abi: erc20Abi, functionName: "balanceOf", args: [of] });
  }
}
