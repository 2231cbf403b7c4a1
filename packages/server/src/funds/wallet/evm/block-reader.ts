/**
 * Finds deposits in blocks: native coins sent by a transaction whose receipt reports success, Transfer events of listed
 * tokens, and Transfer events of other tokens as unattributed deposits.
 *
 * Not detected: native coins that a contract sends during a call (an "internal transaction"), and block rewards. These
 * stay at the address, where an operator finds them by its balance. Logs are requested by the hash of their block,
 * never by a range of heights, so that all data comes from one fork.
 */
import { NATIVE_DECIMALS } from "./signer/port.ts";
import { type Address, getAddress, type Hex, type PublicClient, type TransactionReceipt } from "viem";
import { type ChainCoin, ChainUnreachable } from "../chain.ts";
import { coinAmount, type EvmSettings, type Tokens, TRANSFER_EVENT } from "./settings.ts";
import { placeOf } from "./rpc.ts";

/** Number of blocks requested in parallel. */
const READ_AHEAD_BLOCKS = 4;
/** Output 0 is the transaction's native coin; log N of the transaction (counted from 0) is output N + 1. */
const NATIVE_OUTPUT = 0;

export type IsOurs = (address: string, tag: string) => boolean;
/** The asset's decimals on the exchange; undefined if it is not listed. */
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

  /**
   * The asset's decimals on the exchange. Fails until an operator lists the asset, so reading stops and no deposit is
   * missed.
   */
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
        block: placeOf(block),
      });
    }
    return coins;
  }

  async #tokenCoins(client: PublicClient, block: FullBlock, isOurs: IsOurs): Promise<ChainCoin[]> {
    const { recordUnlistedTokens: isAnyToken = true } = this.#settings;
    if (this.#tokens.contracts.length === 0 && !isAnyToken) return [];
    const logs = await client.getLogs({
      ...(!isAnyToken && { address: [...this.#tokens.contracts] }),
      event: TRANSFER_EVENT,
      blockHash: block.hash,
      strict: true,
    });
    const coins: ChainCoin[] = [];
    // One transaction may contain any number of deposits.
    const receipts = new Map<Hex, TransactionReceipt>();
    for (const { address: contract, args, transactionHash: txId, logIndex } of logs) {
      if (!isOurs(getAddress(args.to), "")) continue;
      const what = this.#whatCame(contract, args.value);
      if (what === null) continue;
      // The log's index within its transaction, because its index in the block changes after a reorg.
      const receipt = receipts.get(txId) ?? (await this.#receipt(client, txId, block));
      receipts.set(txId, receipt);
      const log = receipt.logs.findIndex((each) => each.logIndex === logIndex);
      if (log < 0) throw this.#changed();
      const address = getAddress(args.to);
      const output = NATIVE_OUTPUT + 1 + log;
      coins.push({ txId, output, address, tag: "", ...what, block: placeOf(block) });
    }
    return coins;
  }

  /**
   * Returns asset and amount; null if the amount is less than the asset's smallest unit. An unlisted token keeps its
   * own units.
   */
  #whatCame(contract: Address, value: bigint): Pick<ChainCoin, "asset" | "amount" | "stray"> | null {
    const token = this.#tokens.at(contract);
    if (token === undefined) {
      if (value === 0n) return null;
      return { asset: getAddress(contract), amount: String(value), stray: "unknownAsset" };
    }
    const amount = coinAmount(value, token.decimals, this.precision(token.asset));
    return amount === null ? null : { asset: token.asset, amount };
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

async function fullBlock(client: PublicClient, height: number) {
  const block = await client.getBlock({ blockNumber: BigInt(height), includeTransactions: true });
  // Checked here because a request for logs without a block hash would return the logs of another block.
  placeOf(block);
  return block;
}
