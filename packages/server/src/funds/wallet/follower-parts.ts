/**
 * Shared by the loops that follow a chain: limits, parameters, commands that may be rejected, and required
 * confirmations.
 */
import {
  type AssetNetwork,
  type AssetView,
  type Command,
  type DepositContents,
  type DepositRecord,
  type EngineView,
  formatDecimal,
  type RejectReason,
} from "@pricetime/engine";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";
import type { SavedState } from "../../platform/world/port.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { Chain } from "./chain.ts";
import type { CoinFaults } from "./port.ts";

/** Maximum number of blocks read per round, so that a long backlog is processed in steps. */
export const MAX_BLOCKS_A_ROUND = 500;
/** The watcher journals its progress after this many blocks, and when it stops. */
export const ADVANCE_EVERY_BLOCKS = 100;
/** Minimum number of blocks that are read again after a restart. */
export const MIN_MARGIN_BLOCKS = 12;
/**
 * Number of consecutive rounds in which a transaction must be missing before it counts as lost. Nodes may briefly
 * disagree.
 */
export const ROUNDS_TO_BELIEVE = 3;
/**
 * Maximum number of automatic fee increases of one payment. The engine allows 100; the rest are reserved for operators.
 */
export const MAX_RAISES_BY_ITSELF = 50;
/** If only operators raise fees, they are notified once a payment has been stuck this long. */
export const TELL_OF_STUCK_AFTER_MS = 180_000;
/** A rejected command is retried after this many blocks at the earliest, because each rejection is journaled. */
const REFUSAL_PAUSE_BLOCKS = 20;
/**
 * Maximum numbers of unattributed deposits that wait for an operator: per asset, and per network. Further deposits are
 * found by a rescan.
 */
export const MAX_UNATTRIBUTED_PER_COIN = 100;
export const MAX_UNATTRIBUTED_PER_NETWORK = 10_000;
/** Maximum number of blocks of one rescan, and of the part scanned between two regular rounds. */
export const MAX_RESCAN_BLOCKS = 1000;
export const RESCAN_BLOCKS_A_TURN = 50;
/** The pause after a failed round. It doubles with each failure, up to the maximum. */
export const FIRST_BACK_OFF_MS = 500;
export const LONGEST_BACK_OFF_MS = 30_000;
/** The pause between two rounds of a sandbox's watcher. A round also runs after each change. */
export const SANDBOX_POLL_MS = 1000;
/** Maximum length of `trouble`. */
export const MAX_TROUBLE_LENGTH = 300;

export type RunCommand = Pick<Sequencer, "run">;

/**
 * Runs a command. Resolves to the reason if it was rejected, otherwise null. Rejects if the command was not accepted or
 * its outcome is unknown.
 */
export async function refusalOf(sequencer: RunCommand, command: Command): Promise<RejectReason | null> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  return first?.type === "rejected" ? first.reason : null;
}

/** The contents of a deposit. Every step repeats them, so that the exchange can reject a step whose contents differ. */
export function contentsOf(
  view: Pick<EngineView, "asset">,
  { assetId, amount, address, tag }: DepositRecord,
): DepositContents {
  const { asset, precision } = view.asset(assetId).spec;
  return { asset, amount: formatDecimal(amount, precision, precision), address, tag };
}

/** Rejected commands, each with the chain's height at the time of rejection. */
const SAVED_REFUSALS = z.array(z.tuple([z.string(), savedCount]));

/** Remembers recent rejections, so that a rejected command is not retried immediately. */
export class Refusals {
  readonly #heights: Map<string, number>;

  /** `part`: the name in saved state. */
  constructor(saved: SavedState, part: string) {
    this.#heights = new Map(saved.restore(part, SAVED_REFUSALS, () => [...this.#heights]));
  }

  add(what: string, height: number): void {
    this.#heights.set(what, height);
  }

  isRecent(what: string, height: number): boolean {
    const refusedAt = this.#heights.get(what);
    if (refusedAt === undefined) return false;
    if (Math.abs(height - refusedAt) < REFUSAL_PAUSE_BLOCKS) return true;
    this.#heights.delete(what);
    return false;
  }
}

export interface Depths {
  /** Confirmations required before a deposit can be traded. */
  readonly credit: number;
  /** Confirmations required before a deposit is final. */
  readonly final: number;
}

export function networkOf(asset: AssetView, network: string): AssetNetwork | undefined {
  return asset.spec.networks.find((each) => each.network === network);
}

export function assetByName(view: Pick<EngineView, "assets">, name: string): AssetView | undefined {
  return view.assets().find(({ spec }) => spec.asset === name);
}

/**
 * The required confirmations of an asset. For an asset that was removed from the network: the maximum over the
 * remaining assets.
 */
export function depths(view: Pick<EngineView, "assets" | "asset">, assetId: number, network: string): Depths {
  const spec = networkOf(view.asset(assetId), network);
  if (spec === undefined) return { credit: margin(view, network), final: margin(view, network) };
  const credit = spec.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec.finalConfirmations ?? credit) };
}

/**
 * The maximum number of confirmations that any asset on the network requires. Blocks deeper than that count as final.
 */
export function margin(view: Pick<EngineView, "assets">, network: string): number {
  let deepest = MIN_MARGIN_BLOCKS;
  for (const asset of view.assets()) {
    const spec = networkOf(asset, network);
    deepest = Math.max(deepest, spec?.creditConfirmations ?? 1, spec?.finalConfirmations ?? 1);
  }
  return deepest;
}

export interface FollowerParts {
  readonly chain: Chain;
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Only set in a lab. */
  readonly faults?: CoinFaults | undefined;
  /** The network's saved state. */
  readonly saved: SavedState;
}
