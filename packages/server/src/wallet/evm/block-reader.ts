/**
 * Finds in blocks what came to our addresses: native coins that a transaction sends (its receipt must
 * tell of success), and the Transfer events of the tokens that are listed.
 *
 * Not seen: native coins that a contract sends in the course of a call (an "internal transaction"), and
 * block rewards. They stay at the address, an operator finds them by its balance. Logs are asked for by
 * the hash of their block, never by a range of heights, so that what is read is of one fork.
 */
import { NATIVE_DECIMALS } from "./signer/port.ts";
import { type Address, getAddress, type Hex, type PublicClient, type TransactionReceipt } from "viem";
import { type Block, type ChainCoin, ChainUnreachable } from "../chain.ts";
import { coinAmount } from "./amount.ts";
import { type EvmSettings } from "./settings.ts";
import { type Tokens, TRANSFER_EVENT } from "./token.ts";

/** Blocks that are asked for at once. */
const READ_AHEAD_BLOCKS = 4;
/** Output 0 is the native coin of a transaction; its log number N (from 0, within the transaction) is output N + 1. */
const NATIVE_OUTPUT = 0;

export type IsOurs = (address: string, tag: string) => boolean;
/** Decimals of the asset here; undefined when the exchange does not list it. */
export type PrecisionOf = (asset: string) => number | undefined;

type FullBlock = Awaited<ReturnType<typeof fullBlock>>;

export class BlockReader {
  readonly #settings: EvmSettings;
  readonly #tokens: Tokens;
  readonly #precisionOf: PrecisionOf;
  readonly #gasWallet: Address | undefined;

  constructor(settings: EvmSettings, tokens: Tokens, precisionOf: PrecisionOf) {
    this.#settings = settings;
    this.#tokens = tokens;
    this.#precisionOf = precisionOf;
    this.#gasWallet = settings.gasWallet === undefined ? undefined : getAddress(settings.gasWallet);
  }

  async read(client: PublicClient, fromHeight: number, toHeight: number, isOurs: IsOurs): Promise<ChainCoin[]> {
    const coins: ChainCoin[] = [];
    let previous: FullBlock | undefined;
    for (let height = fromHeight; height <= toHeight; height += READ_AHEAD_BLOCKS) {
      const last = Math.min(toHeight, height + READ_AHEAD_BLOCKS - 1);
      const heights = Array.from({ length: last - height + 1 }, (_, i) => height + i);
      const blocks = await Promise.all(heights.map((each) => fullBlock(client, each)));
      for (const block of blocks) {
        if (previous !== undefined && block.parentHash !== previous.hash) throw this.#changed();
        previous = block;
        coins.push(...(await this.#coinsOf(client, block, isOurs)));
      }
    }
    return coins;
  }

  /** What the asset counts in here. An operator must list it first: until then nothing is read, so nothing is lost. */
  precision(asset: string): number {
    const precision = this.#precisionOf(asset);
    if (precision === undefined) throw new ChainUnreachable(`${this.#settings.network}: ${asset} is not listed`);
    return precision;
  }

  async #coinsOf(client: PublicClient, block: FullBlock, isOurs: IsOurs): Promise<ChainCoin[]> {
    const [native, tokens] = await Promise.all([
      this.#nativeCoins(client, block, isOurs),
      this.#tokenCoins(client, block, isOurs),
    ]);
    return [...native, ...tokens];
  }

  async #nativeCoins(client: PublicClient, block: FullBlock, isOurs: IsOurs): Promise<ChainCoin[]> {
    const asset = this.#settings.nativeAsset;
    const coins: ChainCoin[] = [];
    for (const { hash, from, to, value } of block.transactions) {
      if (to === null || value === 0n || !isOurs(getAddress(to), "")) continue;
      if (getAddress(from) === this.#gasWallet) continue;
      const receipt = await this.#receipt(client, hash, block);
      const amount = coinAmount(value, NATIVE_DECIMALS, this.precision(asset));
      if (receipt.status !== "success" || amount === null) continue;
      coins.push({
        txId: hash,
        output: NATIVE_OUTPUT,
        asset,
        address: getAddress(to),
        tag: "",
        amount,
        block: place(block),
      });
    }
    return coins;
  }

  async #tokenCoins(client: PublicClient, block: FullBlock, isOurs: IsOurs): Promise<ChainCoin[]> {
    if (this.#tokens.contracts.length === 0) return [];
    const logs = await client.getLogs({
      address: [...this.#tokens.contracts],
      event: TRANSFER_EVENT,
      blockHash: block.hash,
      strict: true,
    });
    const coins: ChainCoin[] = [];
    for (const { address: contract, args, transactionHash: txId, logIndex } of logs) {
      const token = this.#tokens.at(contract);
      if (token === undefined || !isOurs(getAddress(args.to), "")) continue;
      const amount = coinAmount(args.value, token.decimals, this.precision(token.asset));
      if (amount === null) continue;
      // Counted within its transaction: the number within the block changes when it is mined again elsewhere.
      const { logs: ofTransaction } = await this.#receipt(client, txId, block);
      const log = ofTransaction.findIndex((each) => each.logIndex === logIndex);
      if (log < 0) throw this.#changed();
      const address = getAddress(args.to);
      const output = NATIVE_OUTPUT + 1 + log;
      coins.push({ txId, output, asset: token.asset, address, tag: "", amount, block: place(block) });
    }
    return coins;
  }

  async #receipt(client: PublicClient, hash: Hex, block: FullBlock): Promise<TransactionReceipt> {
    const receipt = await client.getTransactionReceipt({ hash });
    if (receipt.blockHash !== block.hash) throw this.#changed();
    return receipt;
  }

  #changed(): ChainUnreachable {
    return new ChainUnreachable(`${this.#settings.network}: the chain changed while it was read`);
  }
}

function fullBlock(client: PublicClient, height: number) {
  return client.getBlock({ blockNumber: BigInt(height), includeTransactions: true });
}

function place(block: FullBlock): Block {
  return { height: Number(block.number), hash: block.hash };
}
