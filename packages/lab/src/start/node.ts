/** A node that serves, wherever it runs: what the rest of this package knows of it. */
import type { ClockMode, LabAccount, LabOptions } from "../types.ts";

/** What the node tells of itself when it serves; also the line that a node in a process of its own prints. */
export interface NodeAddress {
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly version: string;
  readonly accounts: readonly LabAccount[];
}

export interface RunningNode extends NodeAddress {
  /** Why it is gone, when it went by itself; undefined while it runs. */
  readonly whyGone: () => string | undefined;
  readonly stop: () => Promise<void>;
}

/** The flags of `pricetime serve` that a lab is started with. */
export interface NodeFlags {
  readonly clock: ClockMode;
  readonly seed: number;
  readonly bots: "on" | "off";
  readonly limits: "on" | "off";
  readonly clockStart?: number | string;
  readonly clockSpeed?: number;
  readonly timing?: NonNullable<LabOptions["timing"]>;
  readonly history?: NonNullable<LabOptions["history"]>;
  readonly data?: string;
}
