/**
 * Finds coins in blocks that came to our addresses: native coins that a transaction sends (its receipt must
 * report success), and Transfer events: of the listed tokens, and of others, whose coins are nobody's.
 *
 * It does not see native coins that a contract sends during a call (an "internal transaction"), nor block
 * rewards. They stay at the address, where an operator finds them by its balance. Logs are requested by the
 * hash of their block, never by a range of heights, so that everything read belongs to one fork.
 */
import { NATIVE_DECIMALS } from "./signer/port.ts";
import { type Address, getAddress, type Hex, type PublicClient, type TransactionReceipt } from "viem";
import { type ChainCoin, ChainUnreachable } from "../chain.ts";
import { coinAmount, type EvmSettings, type Tokens, TRANSFER_EVENT } from "./settings.ts";
import { placeOf } from "./rpc.ts";

/** The number of blocks that are requested at once. */
const READ_AHEAD_BLOCKS = 4;
/** Output 0 is the native coin of a transaction; log N of a transaction (counted from 0) is output N + 1. */
const NATIVE_OUTPUT = 0;

export type IsOurs = (address: string, tag: string) => boolean;
/** Returns the decimals of the asset here; undefined when the exchange does not list it. */
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

  /** Returns the decimals of the asset here. Until an operator lists it nothing is read, so nothing is lost. */
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
    // One transaction may pay us any number of times.
    const receipts = new Map<Hex, TransactionReceipt>();
    for (const { address: contract, args, transactionHash: txId, logIndex } of logs) {
      if (!isOurs(getAddress(args.to), "")) continue;
      const what = this.#whatCame(contract, args.value);
      if (what === null) continue;
      // Logs are counted within their transaction: their number in the block changes when it is mined elsewhere.
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

  /** Null: less than the asset can hold. Of a token that is not listed nobody knows what a unit is worth. */
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
  // Asked by no hash at all, a node gives the logs of another block.
  placeOf(block);
  return block;
}
