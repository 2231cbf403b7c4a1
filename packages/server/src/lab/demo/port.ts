/**
 * The interface between a node and its demo. A node without a demo uses it too, to remove the remains of an earlier
 * demo.
 */
import type { AssetSpec, ExchangeFilters, SymbolSpec } from "@pricetime/engine";
import type { Config } from "../../platform/config/config.ts";
import type { DEMO_ACCOUNTS, DemoAccount, DemoFile } from "./accounts.ts";
import type { Venue } from "./bots/bot-accounts.ts";
import type { MarketControl } from "./bots/orders.ts";
import type { LabAgents } from "./agents/lab-agents.ts";
import type { DemoNode } from "./operator.ts";

export { BOT_ADDRESSES } from "./operator.ts";

/** Public information about a demo. */
export interface DemoShown {
  /** Whether the demo has bots. */
  readonly bots: boolean;
  readonly accounts: typeof DEMO_ACCOUNTS;
  /** The sub-accounts of the first account. */
  readonly subAccounts: readonly DemoAccount[];
}

/** The assets, symbols and filters of a node at its start. */
export interface NodeListing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
  readonly exchangeFilters: ExchangeFilters | null;
}

/** The part of the gateway that the bots use. */
export interface DemoGateway {
  readonly handle: Venue;
}
export interface DemoLog {
  warn(fields: object, message: string): void;
}

export type DemoAddresses = Omit<DemoFile, "accounts" | "subAccounts">;

/** The bots as a task that only one node at a time performs. */
export interface BotsPart {
  readonly role: string;
  /** Starts the bots. They pause when `isHeld` becomes false. */
  start(tenure: { readonly isHeld: boolean }): void;
  stop(): Promise<void>;
}

/** The parts of a lab that its demo needs. */
export interface DemoInLab {
  readonly control: MarketControl;
}

/** A node's demo. The methods are called in the order in which they are declared. */
export interface Demo {
  /** The operator's settings, with the settings that a demo adds. */
  readonly config: Config;
  /** Information about the demo; null if the node has none. */
  readonly shown: DemoShown | null;
  /** Resolves to the listing of the demo and the configuration. First updates the listing of earlier releases. */
  listing(node: DemoNode): Promise<NodeListing>;
  /** Opens and funds missing accounts; journals nothing if all exist. Resolves to notes for the operator. */
  open(node: DemoNode, gateway: DemoGateway): Promise<readonly string[]>;
  /**
   * Writes `demo.json`, and starts the bots if they are configured. Resolves when every symbol has a book and a trade.
   */
  start(addresses: DemoAddresses): Promise<void>;
  /** Only writes `demo.json`. In a cluster, the bots run as `parts` on one of the nodes. */
  show(addresses: DemoAddresses): Promise<void>;
  /** Tasks that only one node at a time performs; empty before `open`, and without bots. */
  readonly parts: readonly BotsPart[];
  /** The agents that trade beside the bots of a lab; undefined before `start`, and without such bots. */
  readonly agents: LabAgents | undefined;
  stop(): Promise<void>;
}
