/** The demo as a node's wiring knows it. A node without a demo has one too, which removes what an earlier demo left. */
import type { AssetSpec, ExchangeFilters, SymbolSpec } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import type { DEMO_ACCOUNTS, DemoAccount, DemoFile } from "./accounts.ts";
import type { Venue } from "./bots/bot-accounts.ts";
import type { MarketHand } from "./bots/orders.ts";
import type { LabAgents } from "./agents/lab-agents.ts";
import type { DemoNode } from "./operator.ts";

export { BOT_ADDRESSES } from "./operator.ts";

/** What everybody may know of a demo. */
export interface DemoShown {
  /** Whether bots trade. */
  readonly bots: boolean;
  readonly accounts: typeof DEMO_ACCOUNTS;
  /** The sub-accounts of the first account. */
  readonly subAccounts: readonly DemoAccount[];
}

/** What a node lists at its start. */
export interface NodeListing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
  readonly exchangeFilters: ExchangeFilters | null;
}

/** The gateway, by the face that bots use. */
export interface DemoGateway {
  readonly handle: Venue;
}
export interface DemoLog {
  warn(fields: object, message: string): void;
}

export type DemoAddresses = Omit<DemoFile, "accounts" | "subAccounts">;

/** The bots; they trade as clients do, so their orders are accepted whoever sends them. */
export interface BotsPart {
  readonly role: string;
  /** They rest once `isHeld` is false. */
  start(tenure: { readonly isHeld: boolean }): void;
  stop(): Promise<void>;
}

/** What a lab asks of its demo. */
export interface DemoInLab {
  readonly hand: MarketHand;
}

/** The methods are called in the order in which they stand here. */
export interface Demo {
  /** The operator's settings, with those that a demo adds. */
  readonly config: Config;
  /** Null: the node has no demo. */
  readonly shown: DemoShown | null;
  /** What the node lists, together with what is configured. What an earlier release listed is renewed first. */
  listing(node: DemoNode): Promise<NodeListing>;
  /**
   * Opens and funds what is missing; journals nothing on a folder that has it all. Answers with what an operator should
   * know of it.
   */
  open(node: DemoNode, gateway: DemoGateway): Promise<readonly string[]>;
  /** Writes `demo.json` and sets the bots going if they are wanted; resolves when every symbol has a book and a trade. */
  start(addresses: DemoAddresses): Promise<void>;
  /** Writes `demo.json` alone: among several nodes the bots run as `parts`, on one of them. */
  show(addresses: DemoAddresses): Promise<void>;
  /** Parts that only one node at a time runs: none before `open`, and none without bots. */
  readonly parts: readonly BotsPart[];
  /** Who trades beside the bots of a lab; undefined before `start`, and where there are no such bots. */
  readonly agents: LabAgents | undefined;
  stop(): Promise<void>;
}
