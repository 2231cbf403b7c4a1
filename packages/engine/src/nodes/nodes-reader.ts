import type { NodeBatch } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { NodeRecord, NodesView, RoleRecord } from "../view/nodes-view.ts";
import { batchRefusal } from "./begin-batch.ts";

export class NodesReader implements NodesView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  accepts(header: NodeBatch): boolean {
    return this.refusal(header) === null;
  }
  refusal(header: NodeBatch): RejectReason | null {
    return batchRefusal(this.#state.nodes, header);
  }

  node(name: string): NodeRecord | undefined {
    return this.#state.nodes.get(name);
  }
  all(): Iterable<NodeRecord> {
    return this.#state.nodes.all();
  }
  role(name: string): RoleRecord | undefined {
    return this.#state.nodes.role(name);
  }
  roles(): Iterable<RoleRecord> {
    return this.#state.nodes.roles();
  }
}
