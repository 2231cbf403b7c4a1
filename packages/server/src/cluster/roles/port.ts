/**
 * Roles: what one process did alone has one holder at a time. The right to act is granted in the journal, with a number
 * that every act of the holder carries and the engine compares. A lease says only when to ask for it. docs/decisions/0044.
 */
import { NotAccepted, type Sequencer } from "../../journal/sequencer/port.ts";

/** The process has lost the role: the act was certainly not carried out, and no other of this tenure will be. */
export class RoleLost extends NotAccepted {}

/** The way to the exchange for the time of one grant. */
export interface Tenure extends Sequencer {
  /** The number of the grant; it rises with each. */
  readonly number: number;
  /** False once the role is known to be lost, and for good. */
  readonly isHeld: boolean;
}

/** Something that one process at a time may do. */
export interface RolePart {
  /** Its name: the same on every node. */
  readonly role: string;
  /** Resolves to why this node must not ask for the role now; "" when it may. Default: it always may. */
  readonly whyNot?: () => Promise<string>;
  /** Begins the work. Every act goes through `tenure`. Called anew for each tenure, after the last one was stopped. */
  start(tenure: Tenure): void;
  /** Resolves when nothing of it runs any more. Unless the role was lost, last acts are still carried out. */
  stop(): Promise<void>;
}

/** Who holds a role, as far as this node has read the journal. */
export interface RoleHolder {
  readonly node: string;
  readonly number: number;
  /** Whether it is this process, and it acts. */
  readonly isHere: boolean;
}
