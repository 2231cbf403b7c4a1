/** Turns a payment into a signed transaction: it asks the chain for the costs and the signer for the signature. */
import {
  type Address,
  BaseError,
  erc20Abi,
  ExecutionRevertedError,
  getAddress,
  type Hex,
  parseTransaction,
  type PublicClient,
} from "viem";
import { ChainUnreachable, type Payment, PaymentRefused, type SignedPayment } from "../chain.ts";
import { paymentValue } from "./amount.ts";
import { type Call, callOf, isCall, isSigned, withReserve } from "./call.ts";
import { currentFees, type Fees, raisedFees, type Replaced } from "./fees.ts";
import { Reserved } from "./reserved.ts";
import { type EvmSettings } from "./settings.ts";
import type { SignerClient } from "./signer-client.ts";
import { type TransactionRequest, NATIVE_DECIMALS } from "./signer/port.ts";
import type { Tokens } from "./token.ts";

/** A payment in the chain's own units. */
interface Terms {
  readonly asset: string;
  readonly to: Address;
  readonly value: bigint;
  readonly nonce: number;
  readonly call: Call;
}

export class PaymentSigner {
  readonly #settings: EvmSettings;
  readonly #tokens: Tokens;
  readonly #signer: SignerClient;
  readonly #hotWallet: Address;

  constructor(settings: EvmSettings, tokens: Tokens, signer: SignerClient) {
    this.#settings = settings;
    this.#tokens = tokens;
    this.#signer = signer;
    this.#hotWallet = getAddress(settings.hotWallet);
  }

  /**
   * `ahead` are signed payments with lower nonces that no block holds yet. Rejects with `ChainUnreachable` while it
   * cannot be paid (too little in the hot wallet, fees too high, no signer, limits of the signer), and with
   * `PaymentRefused` when it never can be.
   */
  async sign(client: PublicClient, payment: Payment, ahead: readonly Hex[]): Promise<SignedPayment> {
    const terms = this.#terms(payment);
    const reserved = this.#reserved(ahead);
    await this.#checkMeans(client, payment.asset, terms.value, reserved);
    const [fees, gas] = await Promise.all([currentFees(client, this.#settings), this.#gas(client, terms, reserved)]);
    await this.#checkMeans(client, this.#settings.nativeAsset, terms.call.value + gas * fees.maxFeePerGas, reserved);
    return this.#ask(terms, gas, fees);
  }

  /** Signs the same payment for a higher fee, up to `maxGwei`. Rejects as `sign` does. */
  async raise(
    client: PublicClient,
    payment: Payment,
    ahead: readonly Hex[],
    replaced: Replaced,
  ): Promise<SignedPayment> {
    const terms = this.#terms(payment);
    const stuck = parseTransaction(replaced.stuck as `0x02${string}`);
    const { gas } = stuck;
    if (!isCall(stuck, { chainId: this.#settings.chainId, ...terms }) || gas === undefined) {
      throw new PaymentRefused("what was signed pays otherwise than the withdrawal says");
    }
    const fees = await raisedFees(client, this.#settings, replaced);
    const wei = terms.call.value + gas * fees.maxFeePerGas;
    await this.#checkMeans(client, this.#settings.nativeAsset, wei, this.#reserved(ahead));
    return this.#ask(terms, gas, fees);
  }

  #terms({ asset, amount, address, nonce }: Payment): Terms {
    const to = getAddress(address);
    const value = this.#value(asset, amount);
    return { asset, to, value, nonce, call: callOf(this.#tokens, asset, to, value) };
  }

  #reserved(ahead: readonly Hex[]): Reserved {
    return new Reserved(ahead, this.#tokens, this.#settings.nativeAsset);
  }

  async #ask({ call, ...payment }: Terms, gas: bigint, fees: Fees): Promise<SignedPayment> {
    const { chainId } = this.#settings;
    const request: TransactionRequest = { type: "payment", chainId, ...payment, gas, ...fees };
    const answer = await this.#signer.sign(request);
    // The signed transaction is journaled only if it is the requested one.
    if (await isSigned(answer, { chainId, nonce: payment.nonce, call }, this.#hotWallet)) return answer;
    throw new ChainUnreachable(`${this.#settings.network}: the signer signed something else`);
  }

  #value(asset: string, amount: string): bigint {
    const decimals = asset === this.#settings.nativeAsset ? NATIVE_DECIMALS : this.#tokens.ofAsset(asset)?.decimals;
    if (decimals === undefined) throw new PaymentRefused(`${asset} is not configured`);
    const value = paymentValue(amount, decimals);
    if (value === null || value === 0n) {
      throw new PaymentRefused(`${amount} ${asset} cannot be paid in ${decimals} decimals`);
    }
    return value;
  }

  /**
   * A payee that is a contract may refuse coins. Such a payment is refused when the hot wallet has enough: if it
   * waited, it would hold up all payments behind it.
   */
  async #gas(client: PublicClient, { asset, value, call }: Terms, reserved: Reserved): Promise<bigint> {
    try {
      return withReserve(await client.estimateGas({ account: this.#hotWallet, ...call }));
    } catch (error) {
      const isRefused = error instanceof BaseError && error.walk((each) => each instanceof ExecutionRevertedError);
      if (!isRefused) throw error;
      await this.#checkMeans(client, asset, value, reserved);
      throw new PaymentRefused("the payee does not take the payment", { cause: error });
    }
  }

  /** Signed payments are journaled, and no other payment goes before them: the chain must be able to take this one. */
  async #checkMeans(client: PublicClient, asset: string, units: bigint, reserved: Reserved): Promise<void> {
    if ((await this.#balance(client, asset)) - reserved.of(asset) >= units) return;
    throw new ChainUnreachable(`${this.#settings.network}: the hot wallet has too little ${asset}`);
  }

  #balance(client: PublicClient, asset: string): Promise<bigint> {
    const address = this.#hotWallet;
    const contract = this.#tokens.ofAsset(asset)?.contract;
    if (contract === undefined) return client.getBalance({ address });
    return client.readContract({ address: contract, abi: erc20Abi, functionName: "balanceOf", args: [address] });
  }
}
