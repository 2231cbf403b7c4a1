/**
 * Follows one chain: reports deposits to our addresses, credits them at the required confirmations, and drops them
 * after a reorg. All its state is derived from the exchange's state and the chain, so it may be stopped and restarted
 * at any point: every step takes effect only once.
 */
import { type DepositRecord, parseDecimal } from "@pricetime/engine";
import { type Block, type ChainCoin, ChainUnreachable, type EmptyBlocks } from "./chain.ts";
import {
  ADVANCE_EVERY_BLOCKS,
  assetByName,
  contentsOf,
  depths,
  type FollowerParts,
  margin,
  MAX_BLOCKS_A_ROUND,
  networkOf,
  refusalOf,
  Refusals,
  ROUNDS_TO_BELIEVE,
} from "./follower-parts.ts";
import { BLOCKS_STATE, coinShape, ReadBlocks, UnattributedDeposits } from "./seen-on-chain.ts";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";

export interface WatcherParts extends FollowerParts {
  /** The height at which reading begins the first time; default: the current head. */
  readonly startHeight?: number;
  /** The number of blocks after which progress is journaled; default `ADVANCE_EVERY_BLOCKS`. */
  readonly advanceEveryBlocks?: number;
}

/** A deposit that is not in any block. */
interface Missing {
  readonly sinceHeight: number;
  readonly rounds: number;
}

const SAVED = z.strictObject({
  coins: z.array(coinShape),
  missing: z.array(z.strictObject({ key: z.string(), sinceHeight: savedCount, rounds: savedCount })),
  /** Null if nothing was read yet. */
  blocks: BLOCKS_STATE.nullable(),
  height: savedCount,
  note: z.string(),
});

export class Watcher {
  readonly #parts: WatcherParts;
  readonly #network: string;
  /** Deposits in blocks that are not final, and the deposits that are still pending. */
  readonly #coins = new Map<string, ChainCoin>();
  readonly #missing = new Map<string, Missing>();
  readonly #refusals: Refusals;
  readonly #unattributed: UnattributedDeposits;
  #blocks: ReadBlocks | undefined;
  /** Empty blocks that were skipped and are not in `#blocks` yet. */
  #skipped: { readonly height: number; readonly hashAt: EmptyBlocks["hashAt"]; readonly depth: number } | undefined;
  #beginning: Promise<void> | undefined;
  #height: number;
  #note: string;

  constructor(parts: WatcherParts) {
    this.#parts = parts;
    this.#network = parts.chain.network;
    const restored = parts.saved.restore("watcher", SAVED, () => this.#state());
    this.#refusals = new Refusals(parts.saved, "watcher/refusals");
    this.#unattributed = new UnattributedDeposits(parts);
    this.#height = restored?.height ?? 0;
    this.#note = restored?.note ?? "";
    for (const coin of restored?.coins ?? []) this.#coins.set(keyOf(coin), coin);
    for (const { key, ...missing } of restored?.missing ?? []) this.#missing.set(key, missing);
    if (restored?.blocks) this.#blocks = new ReadBlocks(parts.chain, restored.blocks.next, restored.blocks.pauses);
  }

  #state(): z.infer<typeof SAVED> {
    this.#takeUp();
    return {
      coins: [...this.#coins.values()],
      missing: [...this.#missing].map(([key, missing]) => ({ key, ...missing })),
      blocks: this.#blocks?.state ?? null,
      height: this.#height,
      note: this.#note,
    };
  }

  /** The height of the newest block seen; 0 before the first. */
  get height(): number {
    return this.#height;
  }
  /** The height up to which everything was read and journaled. */
  get readHeight(): number {
    return (
      this.#skipped?.height ??
      this.#blocks?.last?.height ??
      this.#parts.view.funds.networkHeight(this.#network)?.height ??
      0
    );
  }
  /** A warning for operators while the chain answers; "" if there is none. */
  get note(): string {
    return this.#note;
  }

  /**
   * The confirmations of a deposit as of the last round; a deposit in the head has 1. Undefined if no block read so far
   * contains it.
   */
  depthOf(coin: Pick<ChainCoin, "txId" | "output">): number | undefined {
    const block = this.#coins.get(keyOf(coin))?.block;
    return block === undefined ? undefined : Math.max(0, this.#height - block.height + 1);
  }

  /**
   * Journals where reading begins, if it is not journaled yet. No address may be assigned before that: deposits to it
   * while the node is down would be missed.
   */
  begin(): Promise<void> {
    this.#beginning ??= this.#begin().finally(() => (this.#beginning = undefined));
    return this.#beginning;
  }

  /** Skips a round that would only read one empty block. Returns whether it did. See `Loop`. */
  skip(): boolean {
    const { chain, view, advanceEveryBlocks = ADVANCE_EVERY_BLOCKS } = this.#parts;
    const empty = chain.emptyBlocks?.();
    const last = this.#skipped ?? this.#blocks?.last;
    const journaled = view.funds.networkHeight(this.#network)?.height;
    if (empty === undefined || last === undefined || journaled === undefined || this.#note !== "") return false;
    if (!this.#unattributed.isEmpty) return false;
    const { height, afterHeight, hashAt } = empty;
    // Larger gaps are read in a regular round.
    const isNext = last.height >= afterHeight && height <= last.height + 1;
    const isJournaled = journaled <= last.height && height - journaled < advanceEveryBlocks;
    if (!isNext || !isJournaled || view.funds.openDeposits(this.#network).length > 0) return false;
    const depth = margin(view, this.#network);
    if (this.#skipped !== undefined && this.#skipped.depth !== depth) return false;
    this.#skipped = { height, hashAt, depth };
    this.#height = height;
    return true;
  }

  /** Reads the chain once. Resolves to true if it read up to the head, false to run again at once. */
  async round(): Promise<boolean> {
    this.#takeUp();
    const { chain, view } = this.#parts;
    await this.begin();
    const head = await chain.head();
    this.#height = head.height;
    const depth = margin(view, this.#network);
    this.#blocks ??= new ReadBlocks(chain, this.#firstHeight(depth));
    await this.#rewind(this.#blocks, depth);
    const from = this.#blocks.next;
    // The chain is shorter than what was already read: the network's node is behind, or belongs to another chain.
    this.#note = head.height + depth < from ? `the chain ends at ${head.height}, before what was read already` : "";
    if (from > head.height + 1) return true;
    if (from <= head.height && !(await this.#read(this.#blocks, head, depth))) return false;
    if (this.#blocks.next <= head.height) return false;
    await this.#settle(head);
    this.#forget(head.height - depth);
    return true;
  }

  /** Journals the progress, so that a restart continues from there. */
  async advance(): Promise<void> {
    this.#takeUp();
    const last = this.#blocks?.last;
    if (last === undefined || last.height === this.#parts.view.funds.networkHeight(this.#network)?.height) return;
    await this.#advanceTo(last);
  }

  /** Reads the blocks from this height again; the height must exist. Never called during a round. */
  async rescan(fromHeight: number, by: string): Promise<void> {
    this.#takeUp();
    const block = await this.#parts.chain.block(Math.max(0, fromHeight - 1));
    if (block === undefined) throw new ChainUnreachable(`${this.#network}: the chain has no block ${fromHeight - 1}`);
    await this.#advanceTo(block, { by });
    this.#blocks = new ReadBlocks(this.#parts.chain, fromHeight);
  }

  /**
   * Scans these blocks again for missed deposits. Resolves to the number found. Does not change the progress. Never
   * called during a round.
   */
  async look(fromHeight: number, toHeight: number): Promise<number> {
    this.#takeUp();
    const { chain, view } = this.#parts;
    let found = 0;
    for (const coin of await chain.coins(fromHeight, toHeight, this.#isOurs)) {
      if (view.funds.isDeposit({ network: this.#network, ...coin })) continue;
      if (coin.stray === undefined) this.#coins.set(keyOf(coin), coin);
      if (await this.#see(coin)) found++;
    }
    return found + (await this.#unattributed.note(this.#height - margin(view, this.#network) + 1));
  }

  /** Applies the skipped rounds, as if they had been run. */
  #takeUp(): void {
    if (this.#skipped === undefined) return;
    const { height, depth } = this.#skipped;
    this.#blocks?.addEmpty(this.#skipped, depth);
    this.#skipped = undefined;
    this.#forget(height - depth);
  }

  async #begin(): Promise<void> {
    const { chain, view, startHeight } = this.#parts;
    if (view.funds.networkHeight(this.#network) !== undefined) return;
    const head = await chain.head();
    const height = Math.min(head.height, Math.max(0, (startHeight ?? head.height + 1) - 1));
    await this.#advanceTo((await chain.block(height)) ?? head);
  }

  /** The height to start from: everything that may have changed since the journaled height is read again. */
  #firstHeight(depth: number): number {
    const journaled = this.#parts.view.funds.networkHeight(this.#network)?.height ?? 0;
    return Math.max(0, journaled - depth + 1);
  }

  async #advanceTo({ height, hash }: Block, byHand: { readonly by?: string } = {}): Promise<void> {
    const refusal = await refusalOf(this.#parts.sequencer, {
      type: "advanceNetwork",
      network: this.#network,
      height,
      blockHash: hash,
      ...byHand,
    });
    if (refusal !== null) throw new Error(`the exchange refused to follow ${this.#network}: ${refusal}`);
  }

  async #rewind(blocks: ReadBlocks, depth: number): Promise<void> {
    const voidFrom = await blocks.rewind(depth);
    if (voidFrom === undefined) return;
    this.#parts.log.warn({ network: this.#network, fromHeight: voidFrom }, "reorg detected, reading the blocks again");
    for (const [key, coin] of this.#coins) if (coin.block.height >= voidFrom) this.#coins.delete(key);
    this.#unattributed.drop(voidFrom);
  }

  /** Reads the next blocks. Resolves to false if the chain changed meanwhile and the result is invalid. */
  async #read(blocks: ReadBlocks, head: Block, depth: number): Promise<boolean> {
    const { chain, view } = this.#parts;
    const from = blocks.next;
    const to = Math.min(head.height, from + MAX_BLOCKS_A_ROUND - 1);
    // Requested before the deposits: if this block leaves the chain meanwhile, the next round reads them again.
    const end = await chain.block(to);
    if (end === undefined) return false;
    const coins = await chain.coins(from, to, this.#isOurs);
    // After a reorg, the new blocks below must be read as well.
    if (!(await blocks.stands())) return false;
    const open = new Set(view.funds.openDeposits(this.#network).map(keyOf));
    for (const coin of coins) {
      if (coin.stray === undefined) this.#coins.set(keyOf(coin), coin);
      if (!open.has(keyOf(coin))) await this.#see(coin);
    }
    // Before the progress is journaled, because blocks below it are not read again after a restart.
    await this.#unattributed.note(to - depth + 1);
    blocks.add(end, depth);
    const journaled = view.funds.networkHeight(this.#network)?.height ?? 0;
    const { advanceEveryBlocks = ADVANCE_EVERY_BLOCKS } = this.#parts;
    if (to - journaled >= advanceEveryBlocks || to < journaled - depth) await this.#advanceTo(end);
    return true;
  }

  readonly #isOurs = (address: string, tag: string): boolean =>
    this.#parts.view.funds.addressOwner(this.#network, address, tag) !== undefined;

  /** Reports a deposit. Resolves to whether it is new. */
  async #see(coin: ChainCoin): Promise<boolean> {
    const { view, sequencer, log } = this.#parts;
    const { txId, output, asset, address, tag, amount } = coin;
    const why = this.#whyIgnored(coin);
    if (why === "UNKNOWN_ASSET" || coin.stray !== undefined) {
      this.#unattributed.add({ ...coin, stray: coin.stray ?? "unknownAsset" });
      return false;
    }
    const refusal =
      why ??
      (await refusalOf(sequencer, {
        type: "seeDeposit",
        network: this.#network,
        ...{ txId, output, asset, address, tag, amount },
      }));
    if (refusal === null || refusal === "ALREADY_EXISTS") return refusal === null;
    // The deposit was booked before contents were stored, or resolved as an unattributed deposit, and was read again
    // after a restart.
    if (refusal === "CONTENTS_NOT_KEPT" || view.venue.isNoted({ network: this.#network, txId, output })) return false;
    // The deposit must not be missed, so it is read again until there is room for it.
    if (refusal === "TOO_MANY") throw new Error("too many deposits are on their way");
    const accountId = view.funds.addressOwner(this.#network, address, tag);
    log.warn({ network: this.#network, txId, output, asset, amount, accountId, why: refusal }, "deposit not credited");
    return false;
  }

  /**
   * Why a deposit is not reported: the exchange would reject it. Deposits are read again after each restart, and each
   * rejection would be journaled.
   */
  #whyIgnored({ asset, amount }: ChainCoin): string | null {
    const listed = assetByName(this.#parts.view, asset);
    const spec = listed && networkOf(listed, this.#network);
    if (listed === undefined || spec === undefined) return "UNKNOWN_ASSET";
    const least = parseDecimal(spec.depositMin ?? "0", listed.spec.precision) ?? 0n;
    const units = parseDecimal(amount, listed.spec.precision);
    return units !== null && units < least ? "DEPOSIT_BELOW_MINIMUM" : null;
  }

  /** Updates every pending deposit to its current confirmations. */
  async #settle(head: Block): Promise<void> {
    for (const deposit of [...this.#parts.view.funds.openDeposits(this.#network)]) {
      const key = keyOf(deposit);
      const coin = await this.#find(deposit);
      if (coin === undefined) {
        await this.#miss(deposit, head);
        continue;
      }
      this.#missing.delete(key);
      if (!this.#isSame(coin, deposit)) {
        await this.#drop(deposit, head);
        await this.#see(coin);
      } else if (!(await this.#deepen(deposit, coin, head))) return;
    }
  }

  /** Resolves to false if the deposit's block has just left the chain; the next round handles that. */
  async #deepen(deposit: DepositRecord, coin: ChainCoin, head: Block): Promise<boolean> {
    const { chain, view, faults } = this.#parts;
    const depth = head.height - coin.block.height + 1;
    const { credit, final } = depths(view, deposit.assetId, this.#network);
    const isPending = deposit.status === "pending";
    const type = depth >= final ? "finishDeposit" : isPending && depth >= credit ? "creditDeposit" : undefined;
    if (type === undefined || (isPending && this.#isShut(deposit))) return true;
    if (faults?.isStuck(deposit) === true) return true;
    if ((await chain.block(coin.block.height))?.hash !== coin.block.hash) {
      this.#coins.delete(keyOf(coin));
      return false;
    }
    await this.#step(type, deposit, head);
    return true;
  }

  /** The deposit in its current block; undefined if it is not in any block. */
  async #find(deposit: DepositRecord): Promise<ChainCoin | undefined> {
    const { chain } = this.#parts;
    const known = this.#coins.get(keyOf(deposit));
    if (known !== undefined) return known;
    // The deposit is below the blocks that are read again after a restart.
    const found = await chain.transaction(deposit.txId);
    if (found.state !== "mined" || !found.isSuccess) return undefined;
    const { height } = found.block;
    const isOurs = (address: string, tag: string): boolean => address === deposit.address && tag === deposit.tag;
    const coins = await chain.coins(height, height, isOurs);
    const coin = coins.find((each) => keyOf(each) === keyOf(deposit));
    if (coin !== undefined) this.#coins.set(keyOf(coin), coin);
    return coin;
  }

  /**
   * Handles a deposit that is not in any block. A pending transaction is likely to be mined again, so it is given the
   * time in which it would have become final. A deposit whose transaction is unknown or no longer pays us is dropped.
   */
  async #miss(deposit: DepositRecord, head: Block): Promise<void> {
    const { chain, view } = this.#parts;
    const key = keyOf(deposit);
    const { state } = await chain.transaction(deposit.txId);
    const before = this.#missing.get(key);
    const now: Missing = {
      sinceHeight: before?.sinceHeight ?? head.height,
      rounds: state === "waiting" ? 0 : (before?.rounds ?? 0) + 1,
    };
    this.#missing.set(key, now);
    const { final } = depths(view, deposit.assetId, this.#network);
    if (now.rounds >= ROUNDS_TO_BELIEVE || head.height - now.sinceHeight >= final) await this.#drop(deposit, head);
  }

  async #drop(deposit: DepositRecord, head: Block): Promise<void> {
    const { txId, output } = deposit;
    this.#missing.delete(keyOf(deposit));
    this.#parts.log.warn(
      { network: this.#network, txId, output },
      "deposit dropped: its transaction is no longer on the network",
    );
    await this.#step("dropDeposit", deposit, head);
  }

  async #step(
    type: "creditDeposit" | "finishDeposit" | "dropDeposit",
    deposit: DepositRecord,
    head: Block,
  ): Promise<void> {
    const { txId, output } = deposit;
    const contents = contentsOf(this.#parts.view, deposit);
    const what = `${type} ${keyOf({ txId, output })}`;
    if (this.#refusals.isRecent(what, head.height)) return;
    const refusal = await refusalOf(this.#parts.sequencer, { type, network: this.#network, txId, output, ...contents });
    if (refusal === null) return;
    this.#refusals.add(what, head.height);
    this.#parts.log.error({ network: this.#network, txId, output, why: refusal }, `${type} was rejected`);
  }

  /**
   * Whether deposits of this asset, network or account are disabled or suspended. The deposit then stays pending,
   * because the exchange would reject its credit.
   */
  #isShut({ accountId, assetId }: DepositRecord): boolean {
    const { view } = this.#parts;
    const asset = view.asset(assetId);
    const isOpen = networkOf(asset, this.#network)?.depositEnabled ?? false;
    if (view.venue.stopsCoin(asset.spec.asset, this.#network, view.timeMs)) return true;
    return !isOpen || view.account(accountId)?.canDeposit === false;
  }

  #isSame(coin: ChainCoin, { assetId, address, tag, amount }: DepositRecord): boolean {
    const { asset, precision } = this.#parts.view.asset(assetId).spec;
    const units = parseDecimal(coin.amount, precision);
    return coin.asset === asset && coin.address === address && coin.tag === tag && units === amount;
  }

  /** Drops deposits below this height that are not pending. */
  #forget(belowHeight: number): void {
    const open = new Set(this.#parts.view.funds.openDeposits(this.#network).map(keyOf));
    for (const [key, { block }] of this.#coins) {
      if (block.height < belowHeight && !open.has(key)) this.#coins.delete(key);
    }
  }
}

function keyOf({ txId, output }: Pick<ChainCoin, "txId" | "output">): string {
  return `${txId} ${output}`;
}
