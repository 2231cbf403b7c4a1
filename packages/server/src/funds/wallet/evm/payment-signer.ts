/**
 * Creates signed transactions for payments: takes the fees from the chain and requests the signature from the signer.
 * Also encodes transfers, and determines whether a mined transaction paid.
 */
import {
  type Address,
  BaseError,
  erc20Abi,
  ExecutionRevertedError,
  getAddress,
  type Hex,
  keccak256,
  parseEventLogs,
  parseGwei,
  parseTransaction,
  type PublicClient,
  recoverTransactionAddress,
  type Transaction,
  type TransactionReceipt,
} from "viem";
import { ChainUnreachable, type Payment, PaymentRefused, type SignedPayment } from "../chain.ts";
import {
  DEFAULT_MAX_FEE_GWEI,
  type EvmSettings,
  paymentValue,
  readTransfer,
  type Tokens,
  TRANSFER_EVENT,
  transferData,
} from "./settings.ts";
import { NATIVE_DECIMALS, type SignedAnswer, type TransactionRequest } from "./signer/port.ts";
import type { SignerClient } from "./signer-client.ts";

interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Nodes replace a pending transaction by another with the same nonce only if both fees rise by at least 10%. */
const REPLACE_NUMERATOR = 9n;
const REPLACE_DENOMINATOR = 8n;

/** A stuck transaction, and the fee limit of its replacement. */
interface Replaced {
  readonly stuck: Hex;
  readonly maxGwei: number;
}

const NOTHING: Fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

/** The fees of a new payment. Rejects with `ChainUnreachable` while the chain requires more than the limit. */
export function currentFees(client: PublicClient, settings: EvmSettings): Promise<Fees> {
  const maxGwei = settings.maxFeeGwei ?? DEFAULT_MAX_FEE_GWEI;
  const tooDear = `${settings.network}: gas costs more than maxFeeGwei allows`;
  return feesOf(client, settings.network, NOTHING, { maxGwei, tooDear });
}

/** Fees high enough to replace the stuck transaction. Rejects with `ChainUnreachable` if they exceed the limit. */
function raisedFees(client: PublicClient, { network }: EvmSettings, { stuck, maxGwei }: Replaced): Promise<Fees> {
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
  // Twice the base fee is enough even after six full blocks; the unused part is not charged.
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

/** The call that transfers the amount: directly to the payee, or to the token contract. */
interface Call {
  readonly to: Address;
  readonly value: bigint;
  readonly data?: Hex;
}

/** A call, with its chain and nonce. */
export interface PlacedCall {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: Call;
}

/** `value` is in the smallest units. An asset that is not in `tokens` is the native coin. */
export function callOf(tokens: Tokens, asset: string, to: Address, value: bigint): Call {
  const token = tokens.ofAsset(asset);
  return token === undefined ? { to, value } : { to: token.contract, value: 0n, data: transferData(to, value) };
}

type ParsedTransaction = ReturnType<typeof parseTransaction<`0x02${string}`>>;

function isCall(signed: ParsedTransaction, { chainId, nonce, call }: PlacedCall): boolean {
  return (
    signed.type === "eip1559" &&
    signed.chainId === chainId &&
    (signed.nonce ?? 0) === nonce &&
    signed.to !== undefined &&
    signed.to !== null &&
    getAddress(signed.to) === call.to &&
    (signed.value ?? 0n) === call.value &&
    (signed.data ?? "0x") === (call.data ?? "0x")
  );
}

/** Checks that the signer, a separate process, signed exactly this call from this account. */
export async function isSigned({ txId, signedTx }: SignedAnswer, placed: PlacedCall, from: Address): Promise<boolean> {
  const serializedTransaction = signedTx as `0x02${string}`;
  return (
    keccak256(serializedTransaction) === txId &&
    isCall(parseTransaction(serializedTransaction), placed) &&
    (await recoverTransactionAddress({ serializedTransaction })) === from
  );
}

/**
 * Adds a margin to the gas estimate, because the gas of a contract call may change until it is mined. A plain transfer
 * always costs 21000.
 */
export function withReserve(gas: bigint): bigint {
  return gas === 21_000n ? gas : (gas * 5n) / 4n;
}

/** Reserved amounts by asset, in the chain's smallest units. */
class Reserved {
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

/**
 * Whether a mined transaction paid. A token's transfer may return false without reverting, so token payments are
 * recognized by their Transfer event.
 */
export function hasPaid(transaction: Transaction, receipt: TransactionReceipt, tokens: Tokens): boolean {
  if (receipt.status !== "success") return false;
  const token = tokens.at(transaction.to);
  const meant = token === undefined ? undefined : readTransfer(transaction.input);
  if (token === undefined || meant === undefined) return true;
  const from = getAddress(transaction.from);
  return parseEventLogs({ abi: [TRANSFER_EVENT], logs: receipt.logs }).some(
    ({ address, args }) =>
      getAddress(address) === token.contract &&
      getAddress(args.from) === from &&
      getAddress(args.to) === getAddress(meant.to) &&
      args.value === meant.value,
  );
}

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
   * `ahead`: signed payments with lower nonces that are not mined yet. Rejects with `ChainUnreachable` while the
   * payment is not possible (insufficient funds in the hot wallet, high fees, no signer, limits of the signer), and
   * with `PaymentRefused` if it never will be.
   */
  async sign(client: PublicClient, payment: Payment, ahead: readonly Hex[]): Promise<SignedPayment> {
    const terms = this.#terms(payment);
    const reserved = this.#reserved(ahead);
    await this.#checkMeans(client, payment.asset, terms.value, reserved);
    const [fees, gas] = await Promise.all([currentFees(client, this.#settings), this.#gas(client, terms, reserved)]);
    await this.#checkMeans(client, this.#settings.nativeAsset, terms.call.value + gas * fees.maxFeePerGas, reserved);
    return this.#ask(terms, gas, fees);
  }

  /** Signs the same payment with a higher fee, up to `maxGwei`. Rejects with the errors of `sign`. */
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
    // Only exactly the requested transaction may be journaled.
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
   * Estimates the gas. A payee that is a contract may reject coins. Such a payment is rejected once the hot wallet has
   * enough funds for it, because it would block all later payments.
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

  /**
   * Checks that the hot wallet can pay. A signed payment is journaled and precedes all later ones, so the chain must be
   * able to accept it.
   */
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
