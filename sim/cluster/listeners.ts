/**
 * Clients that subscribe the same markets on every node: the nodes must report trades identically, and depth changes
 * must follow each other without a gap on each connection.
 */
import { SimConnection } from "../outside/connection.ts";
import type { LogAudit } from "./log-audit.ts";
import type { ClusterSimNode } from "./node.ts";

interface StreamMessage {
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class Listeners {
  readonly #auditor: LogAudit;
  /** The first report of each trade, by stream and number. */
  readonly #reported = new Map<string, string>();
  messages = 0;

  constructor(auditor: LogAudit) {
    this.#auditor = auditor;
  }

  listen(node: ClusterSimNode, isAlive: () => boolean): void {
    const symbols = this.#auditor.model.markets.map(({ spec }) => spec.symbol.toLowerCase());
    if (symbols.length === 0) return;
    const names = symbols.flatMap((symbol) => [`${symbol}@trade`, `${symbol}@aggTrade`, `${symbol}@depth@100ms`]);
    const lastUpdate = new Map<string, number>();
    const connection = new SimConnection({
      message: (text) => {
        if (isAlive()) this.#received(node.name, JSON.parse(text) as StreamMessage, lastUpdate);
      },
      closed: (_code, reason) => {
        if (isAlive()) this.#auditor.fail(`a stream of ${node.name} was closed: ${reason}`);
      },
    });
    connection.sink = node.streams.sockets.endpointOf(`/stream?streams=${names.join("/")}`)?.accept(connection);
  }

  #received(node: string, { stream, data }: StreamMessage, lastUpdate: Map<string, number>): void {
    this.messages++;
    if (stream.includes("@depth")) {
      const last = lastUpdate.get(stream);
      if (last !== undefined && data["U"] !== last + 1) {
        this.#auditor.fail(`${node} tells of updates from ${String(data["U"])} after ${last}`);
      }
      lastUpdate.set(stream, data["u"] as number);
      return;
    }
    const key = `${stream} ${String(data["t"] ?? data["a"])}`;
    const report = JSON.stringify(data);
    const first = this.#reported.get(key) ?? report;
    this.#reported.set(key, first);
    // An aggregate trade is reported after each entry with the trades that it has by then.
    if (first !== report) this.#auditor.fail(`${node} tells ${report}, and another node told ${first}`);
  }
}
