/** A fault: something is broken, stays broken for a while, and is repaired. */
import type { Dice } from "@pricetime/testkit/dice";
import type { TestCluster } from "../cluster/test-cluster.ts";

/** How a fault reports its steps, and the checks that it may run meanwhile. */
export interface FaultLog {
  /** Reports what was done to which node. */
  say(what: string): void;
  /** Fails the campaign unless each node acknowledges a change that is requested from now on. */
  mustServe(withinMs: number): Promise<void>;
  /** The fault did not have its intended effect: no finding, but nothing was tested either. */
  fellShort(what: string): void;
}

export interface Fault {
  readonly name: string;
  /** Returns why this machine does not support the fault; undefined if it does. */
  readonly without?: (cluster: TestCluster) => string | undefined;
  /** Breaks and repairs; resolves when everything is running again. */
  readonly run: (cluster: TestCluster, dice: Dice, log: FaultLog) => Promise<void>;
}
