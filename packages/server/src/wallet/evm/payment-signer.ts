/** Turns a payment into a signed transaction: what it costs, asked of the chain; the signature, of the signer. */
import {
  type Address,
  BaseError,
  erc20Abi,
  ExecutionRevertedError,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  type PublicClient,
  recoverTransactionAddress,
} from "viem";
import { ChainUnreachable, type Payment, PaymentRefused, type SignedPayment } from "../chain.ts";
import { paymentValue } from "./amount.ts";
import { currentFees } from "./fees.ts";
import { type EvmSettings, NATIVE_DECIMALS } from "./settings.ts";
import type { SignerClient } from "./signer-client.ts";
import type { SignedAnswer, TransactionRequest } from "./signer/port.ts";
import { type Tokens, transferData } from "./token.ts";

/** Where the coins go in the transaction itself: straight to the payee, or by a call of the token. */
interface Call {
  readonly to: Address;
  readonly value: bigint;
  readonly data?: Hex;
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
   * Rejects with `ChainUnreachable` while it cannot be paid (too little in the hot wallet, fees too high, no
   * signer, limits of the signer), with `PaymentRefused` when it never can.
   */
  async sign(client: PublicClient, payment: Payment, replaces?: Hex): Promise<SignedPayment> {
    const { asset, amount, nonce } = payment;
    const to = getAddress(payment.address);
    const value = this.#value(asset, amount);
    const call = this.#call(asset, to, value);
    const [fees, gas] = await Promise.all([
      currentFees(client, this.#settings, replaces),
      this.#gas(client, asset, value, call),
    ]);
    await this.#checkMeans(client, call.value + gas * fees.maxFeePerGas);
    const { chainId } = this.#settings;
    const request: TransactionRequest = {
      type: "payment",
      chainId,
      asset,
      to,
      value,
      nonce,
      gas,
      ...fees,
    };
    const answer = await this.#signer.sign(request);
    await this.#verify(answer, request, call);
    return answer;
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

  #call(asset: string, to: Address, value: bigint): Call {
    const token = this.#tokens.ofAsset(asset);
    return token === undefined ? { to, value } : { to: token.contract, value: 0n, data: transferData(to, value) };
  }

  /**
   * A payee that is a contract may refuse coins. One that does is refused itself, when the hot wallet has
   * enough: a payment that waited for it would hold up all behind it.
   */
  async #gas(client: PublicClient, asset: string, value: bigint, call: Call): Promise<bigint> {
    try {
      return withReserve(await client.estimateGas({ account: this.#hotWallet, ...call }));
    } catch (error) {
      const isRefused = error instanceof BaseError && error.walk((each) => each instanceof ExecutionRevertedError);
      if (!isRefused || (await this.#balance(client, asset)) < value) throw error;
      throw new PaymentRefused("the payee does not take the payment", { cause: error });
    }
  }

  /** What is signed is journaled, and no other payment goes before it: it must be one that the chain will take. */
  async #checkMeans(client: PublicClient, wei: bigint): Promise<void> {
    const { nativeAsset, network } = this.#settings;
    if ((await this.#balance(client, nativeAsset)) >= wei) return;
    throw new ChainUnreachable(`${network}: the hot wallet has too little ${nativeAsset}`);
  }

  #balance(client: PublicClient, asset: string): Promise<bigint> {
    const address = this.#hotWallet;
    const contract = this.#tokens.ofAsset(asset)?.contract;
    if (contract === undefined) return client.getBalance({ address });
    return client.readContract({ address: contract, abi: erc20Abi, functionName: "balanceOf", args: [address] });
  }

  /** The signer is another process: what it signed is journaled only if it is what was asked. */
  async #verify({ txId, signedTx }: SignedAnswer, request: TransactionRequest, call: Call): Promise<void> {
    const serializedTransaction = signedTx as `0x02${string}`;
    const signed = parseTransaction(serializedTransaction);
    const isAsked =
      keccak256(serializedTransaction) === txId &&
      signed.type === "eip1559" &&
      signed.chainId === request.chainId &&
      (signed.nonce ?? 0) === request.nonce &&
      signed.to !== undefined &&
      signed.to !== null &&
      getAddress(signed.to) === call.to &&
      (signed.value ?? 0n) === call.value &&
      (signed.data ?? "0x") === (call.data ?? "0x") &&
      (await recoverTransactionAddress({ serializedTransaction })) === this.#hotWallet;
    if (!isAsked) throw new ChainUnreachable(`${this.#settings.network}: the signer signed something else`);
  }
}

/** A plain transfer costs 21000 always; what contracts cost may change until it is mined. */
function withReserve(gas: bigint): bigint {
  return gas === 21_000n ? gas : (gas * 5n) / 4n;
}
