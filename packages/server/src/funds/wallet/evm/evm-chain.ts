/** The chain port for EVM chains over JSON-RPC: the native coin and ERC-20 tokens. */
import {
  type Address,
  BlockNotFoundError,
  erc20Abi,
  formatUnits,
  getAddress,
  type Hex,
  isAddress,
  keccak256,
  parseTransaction,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  zeroAddress,
} from "viem";
import {
  type Block,
  type Chain,
  type ChainCoin,
  ChainUnreachable,
  type Payment,
  PaymentRefused,
  type Raise,
  type SignedPayment,
  type TransactionState,
  type WalletHolding,
} from "../chain.ts";
import { costAmount, DEFAULT_MAX_FEE_GWEI, type EvmSettings, Tokens } from "./settings.ts";
import { NATIVE_DECIMALS } from "./signer/port.ts";
import { EvmRpc, placeOf } from "./rpc.ts";
import { BlockReader, type IsOurs, type PrecisionOf } from "./block-reader.ts";
import { DepositKey } from "./deposit-key.ts";
import { hasPaid, PaymentSigner } from "./payment-signer.ts";
import type { Timers } from "../../../platform/world/port.ts";
import { SignerClient } from "./signer-client.ts";
import { Sweeps } from "./sweeps.ts";

/**
 * Balances of the exchange's wallets. Excludes deposit addresses that were not swept yet, because there may be a
 * million.
 */
async function holdingsOn(
  client: PublicClient,
  { hotWallet, gasWallet, nativeAsset }: EvmSettings,
  tokens: Tokens,
): Promise<WalletHolding[]> {
  const hot = getAddress(hotWallet);
  const blockNumber = await client.getBlockNumber();
  const block = Number(blockNumber);
  const native = async (wallet: "hot" | "gas", address: Address): Promise<WalletHolding> => {
    const amount = formatUnits(await client.getBalance({ address, blockNumber }), NATIVE_DECIMALS);
    return { wallet, address, asset: nativeAsset, amount, block };
  };
  const held = await Promise.all(
    [...tokens].map(async ({ asset, contract, decimals }): Promise<WalletHolding> => {
      const units = await client.readContract({
        address: contract,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [hot],
        blockNumber,
      });
      return { wallet: "hot", address: hot, asset, amount: formatUnits(units, decimals), block };
    }),
  );
  const gas = gasWallet === undefined ? [] : [await native("gas", getAddress(gasWallet))];
  return [await native("hot", hot), ...held, ...gas];
}

/** The signer cannot spend from the configured addresses. */
class OtherWallets extends ChainUnreachable {}

export class EvmChain implements Chain {
  readonly network: string;
  readonly kind = "evm";
  readonly sweeps: Sweeps;
  readonly #settings: EvmSettings;
  readonly #tokens: Tokens;
  readonly #key: DepositKey;
  readonly #rpc: EvmRpc;
  readonly #reader: BlockReader;
  readonly #signer: SignerClient;
  readonly #payments: PaymentSigner;
  readonly #hotWallet: Address;
  #areTokensChecked = false;

  /** Does not connect yet. Throws a one-line `Error` for contradictory settings. */
  constructor(settings: EvmSettings, timers: Timers, precisionOf: PrecisionOf) {
    this.network = settings.network;
    this.#settings = settings;
    this.#tokens = new Tokens(settings);
    this.#key = new DepositKey(settings.xpub);
    this.#hotWallet = getAddress(settings.hotWallet);
    this.#rpc = new EvmRpc(settings, (client) => this.#check(client));
    this.#reader = new BlockReader(settings, this.#tokens, precisionOf);
    this.#signer = new SignerClient(settings, timers);
    this.#payments = new PaymentSigner(settings, this.#tokens, this.#signer);
    const [tokens, key, rpc, signer] = [this.#tokens, this.#key, this.#rpc, this.#signer];
    this.sweeps = new Sweeps({ settings, tokens, key, rpc, signer });
  }

  /** Accepts addresses in EIP-55 form or lower case, except addresses at which a payment would certainly be lost. */
  isAddress(address: string, tag: string): boolean {
    if (tag !== "" || !isAddress(address, { strict: true })) return false;
    const known = getAddress(address);
    return known !== zeroAddress && known !== this.#hotWallet && !this.#tokens.contracts.includes(known);
  }

  addressOf(accountId: number): Promise<{ readonly address: string; readonly tag: string }> {
    return Promise.resolve({ address: this.#key.addressOf(accountId), tag: "" });
  }

  head(): Promise<Block> {
    return this.#rpc.ask(async (client) => placeOf(await client.getBlock({ blockTag: "latest" })));
  }

  block(height: number): Promise<Block | undefined> {
    return this.#rpc.ask(async (client) => {
      const found = await unlessNotFound(BlockNotFoundError, client.getBlock({ blockNumber: BigInt(height) }));
      return found && { height, hash: placeOf(found).hash };
    });
  }

  coins(fromHeight: number, toHeight: number, isOurs: IsOurs): Promise<readonly ChainCoin[]> {
    return this.#rpc.ask((client) => this.#reader.read(client, fromHeight, toHeight, isOurs));
  }

  transaction(txId: string): Promise<TransactionState> {
    return this.#rpc.ask((client) => this.#state(client, txId as Hex));
  }

  minedNonce(height: number): Promise<number> {
    return this.#rpc.ask((client) =>
      client.getTransactionCount({ address: this.#hotWallet, blockNumber: BigInt(height) }),
    );
  }

  sign(payment: Payment, ahead: readonly string[] = []): Promise<SignedPayment> {
    const { address, tag } = payment;
    if (!this.isAddress(address, tag)) return Promise.reject(new PaymentRefused(`${address} is no address to pay`));
    return this.#rpc.ask((client) => this.#payments.sign(client, payment, ahead as readonly Hex[]));
  }

  /** Raises the fee enough for the network to accept the transaction as a replacement. */
  raise(payment: Payment, { stuck, ahead, isByHand }: Raise): Promise<SignedPayment> {
    const { maxFeeGwei = DEFAULT_MAX_FEE_GWEI, raiseFeeUpToGwei = maxFeeGwei } = this.#settings;
    const maxGwei = isByHand ? maxFeeGwei : Math.min(maxFeeGwei, raiseFeeUpToGwei);
    const replaced = { stuck: stuck as Hex, maxGwei };
    return this.#rpc.ask((client) => this.#payments.raise(client, payment, ahead as readonly Hex[], replaced));
  }

  broadcast(signedTx: string): Promise<void> {
    return this.#rpc.ask(async (client) => {
      const serializedTransaction = signedTx as Hex;
      try {
        await client.sendRawTransaction({ serializedTransaction });
      } catch (error) {
        // The transaction, or another one with its nonce, may already be on the chain. That is not an error, but nodes
        // report it in different ways, so it is checked here.
        const known = await this.#state(client, keccak256(serializedTransaction));
        if (known.state === "unknown" && !(await this.#isNonceTaken(client, serializedTransaction))) throw error;
      }
    });
  }

  holdings(): Promise<readonly WalletHolding[]> {
    return this.#rpc.ask((client) => holdingsOn(client, this.#settings, this.#tokens));
  }

  async whyNoPayments(): Promise<string> {
    try {
      await this.#helloSigner();
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  close(): Promise<void> {
    this.#rpc.close();
    return Promise.resolve();
  }

  async #isNonceTaken(client: PublicClient, signedTx: Hex): Promise<boolean> {
    const { nonce = 0 } = parseTransaction(signedTx);
    return (await client.getTransactionCount({ address: this.#hotWallet, blockTag: "latest" })) > nonce;
  }

  async #state(client: PublicClient, hash: Hex): Promise<TransactionState> {
    const receipt = await unlessNotFound(TransactionReceiptNotFoundError, client.getTransactionReceipt({ hash }));
    const transaction = await unlessNotFound(TransactionNotFoundError, client.getTransaction({ hash }));
    if (transaction === undefined) return { state: "unknown" };
    // Contrary to viem's types, some nodes return receipts of pending transactions.
    if (receipt === undefined || (receipt.blockNumber as bigint | null) === null) return { state: "waiting" };
    const asset = this.#settings.nativeAsset;
    const cost = receipt.gasUsed * receipt.effectiveGasPrice;
    return {
      state: "mined",
      block: placeOf({ number: receipt.blockNumber, hash: receipt.blockHash }),
      isSuccess: hasPaid(transaction, receipt, this.#tokens),
      cost: { asset, amount: costAmount(cost, NATIVE_DECIMALS, this.#reader.precision(asset)) },
    };
  }

  /** Detects configuration errors that only the chain and the signer can reveal. */
  async #check(client: PublicClient): Promise<void> {
    await this.#checkSigner();
    if (this.#areTokensChecked) return;
    for (const { asset, contract, decimals } of this.#tokens) {
      const told = await client.readContract({ address: contract, abi: erc20Abi, functionName: "decimals" });
      if (told === decimals) continue;
      throw new ChainUnreachable(`${this.network}: ${asset} has ${told} decimals on the chain, not ${decimals}`);
    }
    this.#areTokensChecked = true;
  }

  /** Deposits are read even without a signer, but not for addresses from which the connected signer cannot spend. */
  async #checkSigner(): Promise<void> {
    try {
      await this.#helloSigner();
    } catch (error) {
      if (error instanceof OtherWallets) throw error;
      // Reading continues if the signer fails; the error is reported when signing.
      if (!(error instanceof ChainUnreachable || error instanceof PaymentRefused)) throw error;
    }
  }

  /** Checks the signer's keys. Rejects if the signer does not answer, or has the keys of different wallets. */
  async #helloSigner(): Promise<void> {
    const told = await this.#signer.hello(this.#settings.chainId);
    const { xpub, gasWallet } = this.#settings;
    const isSame = told.xpub === xpub && getAddress(told.hotWallet) === this.#hotWallet;
    const isSameGas = gasWallet === undefined || getAddress(told.gasWallet) === getAddress(gasWallet);
    if (!isSame || !isSameGas) throw new OtherWallets(`${this.network}: the signer holds the keys of other wallets`);
  }
}

async function unlessNotFound<T>(
  kind: typeof BlockNotFoundError | typeof TransactionNotFoundError | typeof TransactionReceiptNotFoundError,
  answer: Promise<T>,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof kind) return undefined;
    throw error;
  }
}
