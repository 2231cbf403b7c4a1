/** The nodes of an exchange and their roles, as plainly as possible: what was accepted, all of it, in order. */
import { type AsHolder, type GrantRole, isExchangeCommand, type NodeBatch, type RejectReason } from "@pricetime/engine";
import type { Happening } from "./happening.ts";

const MOST_NODES = 1000;
const MOST_ROLES = 1024;

export class ModelNodes {
  readonly batches: NodeBatch[] = [];
  readonly grants: GrantRole[] = [];

  /** Why the batch has no place; null: it is accepted. */
  batchRefusal(header: NodeBatch): RejectReason | null {
    const ofNode = this.batches.filter(({ node }) => node === header.node);
    const last = ofNode.at(-1);
    if (last === undefined) {
      if (new Set(this.batches.map(({ node }) => node)).size === MOST_NODES) return "TOO_MANY";
      if (header.replaces !== "") return "STALE_BATCH";
    } else if (last.incarnation === header.incarnation) {
      if (header.number <= last.number) return "STALE_BATCH";
    } else if (last.incarnation !== header.replaces) {
      return "STALE_BATCH";
    }
    return null;
  }

  begin(header: NodeBatch): Happening[] | RejectReason {
    const reason = this.batchRefusal(header);
    if (reason !== null) return reason;
    this.batches.push(header);
    return [];
  }

  grant(command: GrantRole): Happening[] | RejectReason {
    const { role, node, incarnation, after } = command;
    if (this.grants.filter((grant) => grant.role === role).length !== after) return "ROLE_TAKEN";
    if (after === 0 && new Set(this.grants.map((grant) => grant.role)).size === MOST_ROLES) return "TOO_MANY";
    this.grants.push(command);
    return [{ kind: "said", words: `${role} is for ${node} ${incarnation} by grant ${after + 1}` }];
  }

  /** Why a holder may not act; null: it may. */
  actRefusal({ role, number, command }: AsHolder): RejectReason | null {
    if (!isExchangeCommand(command)) return "INVALID_VALUE";
    const granted = this.grants.filter((grant) => grant.role === role).length;
    return granted > 0 && granted === number ? null : "ROLE_TAKEN";
  }
}
