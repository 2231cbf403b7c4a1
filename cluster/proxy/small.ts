/**
 * A proxy for trying a cluster without HAProxy: it connects each client to a node that is ready, and forwards bytes, so
 * HTTP and WebSockets work alike. A client changes the node when it reconnects. To the nodes, all clients have one
 * address and share its limits.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type Checked, type Health, healthOf } from "./health.ts";

const CHECK_EVERY_MS = 200;
/** The number of successive failed checks after which a node is no longer used. */
const FALL = 2;
const CONNECT_TIMEOUT_MS = 1000;

export interface Upstream extends Checked {
  readonly host: string;
  readonly port: number;
}

class Node {
  readonly upstream: Upstream;
  health: Health = "gone";
  /** The number of successive checks with a worse result than before. */
  falls = 0;
  readonly sockets = new Set<Socket>();

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }
}

export class SmallProxy {
  readonly #nodes: readonly Node[];
  readonly #server: Server;
  #checks: NodeJS.Timeout | undefined;
  #turn = 0;

  constructor(upstreams: readonly Upstream[]) {
    this.#nodes = upstreams.map((upstream) => new Node(upstream));
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => void this.#join(client));
  }

  /** Rejects if the port is in use. Returns the port. */
  async listen(host: string, port: number): Promise<number> {
    await Promise.all(this.#nodes.map((node) => this.#check(node)));
    this.#checks = setInterval(() => {
      for (const node of this.#nodes) void this.#check(node);
    }, CHECK_EVERY_MS);
    await once(this.#server.listen(port, host), "listening");
    return (this.#server.address() as { readonly port: number }).port;
  }

  close(): void {
    clearInterval(this.#checks);
    this.#server.close();
    for (const { sockets } of this.#nodes) for (const socket of sockets) socket.destroy();
  }

  async #check(node: Node): Promise<void> {
    const health = await healthOf(node.upstream);
    if (health === "ready" || node.health !== "ready") {
      node.health = health;
      node.falls = 0;
      return;
    }
    node.falls += 1;
    if (node.falls < FALL) return;
    node.health = health;
    for (const socket of node.sockets) socket.destroy();
  }

  /** Tries the nodes in turn until one accepts the connection. The client's bytes are sent only then. */
  async #join(client: Socket): Promise<void> {
    client.on("error", () => client.destroy());
    for (const node of this.#inTurn()) {
      const socket = await connected(node.upstream);
      if (socket === undefined) continue;
      if (client.destroyed) socket.destroy();
      else carry(client, socket, node.sockets);
      return;
    }
    client.resetAndDestroy();
  }

  /** The nodes that are ready; if none is, those that are running. */
  #inTurn(): readonly Node[] {
    const ready = this.#nodes.filter(({ health }) => health === "ready");
    const all = ready.length > 0 ? ready : this.#nodes.filter(({ health }) => health === "living");
    this.#turn += 1;
    const first = all.length === 0 ? 0 : this.#turn % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  }
}

/** Undefined if the node refuses the connection. */
function connected({ host, port }: Upstream): Promise<Socket | undefined> {
  const socket = connect({ host, port, noDelay: true, timeout: CONNECT_TIMEOUT_MS });
  return new Promise((resolve) => {
    const fail = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once("error", fail).once("timeout", fail);
    socket.once("connect", () => {
      socket.off("error", fail).off("timeout", fail).setTimeout(0);
      resolve(socket);
    });
  });
}

/** Forwards bytes in both directions until one side closes. */
function carry(client: Socket, node: Socket, open: Set<Socket>): void {
  open.add(node);
  const end = (): void => {
    open.delete(node);
    client.destroy();
    node.destroy();
  };
  for (const socket of [client, node]) socket.on("error", end).once("close", end);
  client.pipe(node).pipe(client);
  client.resume();
}
