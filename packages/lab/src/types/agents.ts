/** Agents that trade beside the bots of a lab: `docs/guides/lab-agents.md` says what each type does. */

export type AgentType = "noise" | "momentum" | "reversion" | "informed" | "worked" | "stop-hunter";

/** Agents of one type on one symbol. */
export interface AgentsWanted {
  readonly type: AgentType;
  readonly symbol: string;
  /** How many, each with an account of its own. Default: 1. */
  readonly count?: number;
  /** The average order, in the quote asset. Default: that of the symbol's takers. */
  readonly orderQuote?: number;
  /** What each may own or owe at most, in the quote asset. Default: 50 orders. */
  readonly maxPositionQuote?: number;
  /** What else the type has. */
  readonly [setting: string]: unknown;
}

/** What has become of them since they were made. */
export interface AgentGroup {
  readonly id: number;
  readonly type: AgentType;
  readonly symbol: string;
  readonly count: number;
  /** All others, as they hold. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isOn: boolean;
  /** Names of their accounts. */
  readonly accounts: readonly string[];
  /** Both sides of a trade count where both are theirs; so they do in `volumeQuote`. */
  readonly trades: number;
  readonly volumeQuote: string;
  /** What they own beside what they were given; below zero they owe. */
  readonly positionBase: string;
  /** What they have gained, at the last price. */
  readonly profitQuote: string;
}

/** A group may be named by its `id`. All reject with `LabError` `UNKNOWN_AGENT` where it is gone. */
export interface Agents {
  /** Lets them trade. Rejects with `NOT_DRIVEN` where no bots trade the symbol: start the exchange with `bots: "on"`. */
  add(wanted: AgentsWanted): Promise<AgentGroup>;
  /** In the order in which they were made. */
  list(): Promise<readonly AgentGroup[]>;
  /** Lets them stand still. Their open orders are cancelled. */
  turnOff(group: AgentGroup | AgentGroup["id"]): Promise<AgentGroup>;
  turnOn(group: AgentGroup | AgentGroup["id"]): Promise<AgentGroup>;
  /** Their open orders are cancelled; their accounts stay. */
  remove(group: AgentGroup | AgentGroup["id"]): Promise<void>;
}
