/** Decides which transactions are signed, and signs them. It has no sockets and no access to the node. */
import { DAY_MS, parseDecimal } from "@pricetime/engine";
import { encodeFunctionData, erc20Abi, getAddress, keccak256, parseGwei } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Keys } from "./keys.ts";
import {
  type HelloAnswer,
  NATIVE_DECIMALS,
  type SignedAnswer,
  type SignerRequest,
  type TransactionRequest,
} from "./port.ts";
import type { SignerConfig } from "./signer-config.ts";

/** The signer rejects the request; the message is the reason in a few words. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** Whether the same request would be rejected again later. */
  readonly isForGood: boolean;

  constructor(message: string, { isForGood = false }: { readonly isForGood?: boolean } = {}) {
    super(message);
    this.isForGood = isForGood;
  }
}

/** Maximum number of payments of one asset within a day; further payments are rejected. */
const MAX_REMEMBERED = 100_000;

interface Spent {
  readonly value: bigint;
  readonly atMs: number;
}

export class Allowance {
  readonly #maxPayment: bigint;
  readonly #maxPerDay: bigint;
  /** Payments by nonce. Only one transaction per nonce can be mined, so only the largest payment counts. */
  readonly #spent = new Map<number, Spent>();

  constructor(maxPayment: bigint, maxPerDay: bigint) {
    this.#maxPayment = maxPayment;
    this.#maxPerDay = maxPerDay;
  }

  /** Adds the payment to the total of the day, or throws `Refused`. */
  spend(value: bigint, nonce: number, nowMs: number): void {
    // Rejected for good: the limit will not change, and a waiting payment would block later ones.
    if (value > this.#maxPayment) throw new Refused("amount exceeds maxPayment", { isForGood: true });
    for (const [old, { atMs }] of this.#spent) if (nowMs - atMs >= DAY_MS) this.#spent.delete(old);
    const before = this.#spent.get(nonce)?.value ?? 0n;
    const most = value > before ? value : before;
    let sum = most;
    for (const [other, spent] of this.#spent) if (other !== nonce) sum += spent.value;
    if (sum > this.#maxPerDay) throw new Refused("total of 24 hours exceeds maxPerDay");
    if (this.#spent.size >= MAX_REMEMBERED) throw new Refused("too many payments in 24 hours");
    this.#spent.set(nonce, { value: most, atMs: nowMs });
  }
}

interface Coin {
  /** The token contract; undefined for the native coin. */
  readonly contract: `0x${string}` | undefined;
  readonly allowance: Allowance;
}

export class Signer {
  readonly #config: SignerConfig;
  readonly #keys: Keys;
  readonly #nowMs: () => number;
  readonly #coins: ReadonlyMap<string, Coin>;
  readonly #maxTopUp: bigint;

  /**
   * `nowMs` measures the 24 hours of the daily limits. It is a monotonic clock, because a jump of the system clock
   * would reset the limits. Throws an `Error` for amounts with more decimals than their asset has.
   */
  constructor(config: SignerConfig, keys: Keys, nowMs: () => number = () => performance.now()) {
    this.#config = config;
    this.#keys = keys;
    this.#nowMs = nowMs;
    const { native, tokens } = config;
    this.#maxTopUp = units(native.maxTopUp, NATIVE_DECIMALS);
    const all = [{ ...native, decimals: NATIVE_DECIMALS, contract: undefined }, ...tokens];
    this.#coins = new Map(
      all.map(({ asset, contract, decimals, maxPayment, maxPerDay }) => [
        asset,
        {
          contract: contract === undefined ? undefined : getAddress(contract),
          allowance: new Allowance(units(maxPayment, decimals), units(maxPerDay, decimals)),
        },
      ]),
    );
    if (this.#coins.size !== all.length) throw new Error("two entries have the same asset");
  }

  /** Signs the transaction. Rejects with `Refused` if it must not be signed. */
  async answer(request: SignerRequest): Promise<SignedAnswer | HelloAnswer> {
    if (request.chainId !== this.#config.chainId)
      throw new Refused(`this signer is configured for chain ${this.#config.chainId}, not ${request.chainId}`);
    if (request.type === "hello") {
      const { xpub, hotWallet, gasWallet } = this.#keys;
      return { xpub, hotWallet: hotWallet.address, gasWallet: gasWallet.address };
    }
    const coin = this.#coins.get(request.asset);
    if (coin === undefined) throw new Refused(`asset ${request.asset} is not configured`, { isForGood: true });
    this.#checkGas(request);
    const [from, to] = this.#way(request, coin);
    return this.#sign(from, to, request, coin.contract);
  }

  #checkGas({ gas, maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest): void {
    if (gas > BigInt(this.#config.maxGas)) throw new Refused(`gas limit ${gas} exceeds maxGas`, { isForGood: true });
    if (maxFeePerGas > parseGwei(String(this.#config.maxFeeGwei))) throw new Refused("gas fee exceeds maxFeeGwei");
    if (maxPriorityFeePerGas > maxFeePerGas) throw new Refused("priority fee exceeds the maximum fee");
  }

  /** Returns payer and payee. Sweeps and top-ups are possible only between the exchange's own addresses. */
  #way(request: TransactionRequest, coin: Coin): readonly [PrivateKeyAccount, `0x${string}`] {
    const { value, nonce } = request;
    if (value === 0n) throw new Refused("amount is 0", { isForGood: true });
    switch (request.type) {
      case "payment":
        coin.allowance.spend(value, nonce, this.#nowMs());
        return [this.#keys.hotWallet, getAddress(request.to)];
      case "sweep":
        return [this.#keys.deposit(request.accountId), this.#keys.hotWallet.address];
      case "topUp":
        if (coin.contract !== undefined) throw new Refused("top-ups support only the native asset");
        if (value > this.#maxTopUp) throw new Refused("amount exceeds maxTopUp");
        return [this.#keys.gasWallet, this.#keys.deposit(request.accountId).address];
    }
  }

  async #sign(
    from: PrivateKeyAccount,
    to: `0x${string}`,
    { chainId, nonce, value, gas, maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
    contract: `0x${string}` | undefined,
  ): Promise<SignedAnswer> {
    const common = { type: "eip1559", chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } as const;
    const signedTx = await from.signTransaction(
      contract === undefined
        ? { ...common, to, value }
        : {
            ...common,
            to: contract,
            data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, value] }),
          },
    );
    return { txId: keccak256(signedTx), signedTx };
  }
}

function units(amount: string, decimals: number): bigint {
  const value = parseDecimal(amount, decimals);
  if (value === null) throw new Error(`${amount} has more than ${decimals} decimals`);
  return value;
}
