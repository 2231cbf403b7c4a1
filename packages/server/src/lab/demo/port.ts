/** The demo's port for the wiring of a node. A node without a demo uses it too, to remove what an earlier demo left. */
import type { AssetSpec, ExchangeFilters, SymbolSpec } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import type { DEMO_ACCOUNTS, DemoAccount, DemoFile } from "./accounts.ts";
import type { Venue } from "./bots/bot-accounts.ts";
import type { MarketControl } from "./bots/orders.ts";
import type { LabAgents } from "./agents/lab-agents.ts";
import type { DemoNode } from "./operator.ts";

export { BOT_ADDRESSES } from "./operator.ts";

/** Public facts about a demo. */
export interface DemoShown {
  /** Whether bots trade. */
  readonly bots: boolean;
  readonly accounts: typeof DEMO_ACCOUNTS;
  /** The sub-accounts of the first account. */
  readonly subAccounts: readonly DemoAccount[];
}

/** The listing of a node at its start. */
export interface NodeListing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
  readonly exchangeFilters: ExchangeFilters | null;
}

/** The gateway, as far as bots use it. */
export interface DemoGateway {
  readonly handle: Venue;
}
export interface DemoLog {
  warn(fields: object, message: string): void;
}

export type DemoAddresses = Omit<DemoFile, "accounts" | "subAccounts">;

/** The bots, as a task that one node at a time performs. */
export interface BotsPart {
  readonly role: string;
  /** The bots pause once `isHeld` is false. */
  start(tenure: { readonly isHeld: boolean }): void;
  stop(): Promise<void>;
}

/** What a demo in a lab needs from the lab. */
export interface DemoInLab {
  readonly control: MarketControl;
}

/** The methods are called in the order in which they are declared. */
export interface Demo {
  /** The operator's settings, with those that a demo adds. */
  readonly config: Config;
  /** Null if the node has no demo. */
  readonly shown: DemoShown | null;
  /** The listing of the demo and the configuration. Updates the listing of earlier releases first. */
  listing(node: DemoNode): Promise<NodeListing>;
  /** Opens and funds missing accounts; journals nothing if there are none. Resolves to notes for the operator. */
  open(node: DemoNode, gateway: DemoGateway): Promise<readonly string[]>;
  /**
   * Writes `demo.json` and starts the bots if they are configured; resolves when every symbol has a book and a trade.
   */
  start(addresses: DemoAddresses): Promise<void>;
  /** Only writes `demo.json`: among several nodes, the bots run as `parts` on one of them. */
  show(addresses: DemoAddresses): Promise<void>;
  /** Tasks that only one node at a time performs; none before `open`, and none without bots. */
  readonly parts: readonly BotsPart[];
  /** The agents beside the bots of a lab; undefined before `start`, and without such bots. */
  readonly agents: LabAgents | undefined;
  stop(): Promise<void>;
}
