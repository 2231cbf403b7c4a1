/**
 * One address for several nodes: each request goes to a random node, so that a client moves between nodes from request
 * to request. The data is not changed. A request starts when a client sends data after the previous answer. A
 * connection that becomes a WebSocket stays with its node.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Dice } from "../dice.ts";

const CONTINUE = /^HTTP\/1\.1 100 /;
const SWITCHING = /^HTTP\/1\.1 101 /;

export class MovingProxy {
  readonly #server: Server;
  readonly #clients = new Set<Socket>();

  /** `ports`: the ports of the nodes on loopback. */
  constructor(ports: readonly number[], dice: Dice) {
    this.#server = createServer((client) => {
      this.#clients.add(client);
      client.once("close", () => this.#clients.delete(client));
      new Moving(client, ports, dice);
    });
  }

  /** Resolves to the port of the proxy on loopback. */
  async listen(): Promise<number> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return (this.#server.address() as { readonly port: number }).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    for (const client of this.#clients) client.destroy();
    await closed;
  }
}

/** A client's connection, with one connection to each node that has received a request from it. */
class Moving {
  readonly #client: Socket;
  readonly #ports: readonly number[];
  readonly #dice: Dice;
  readonly #nodes = new Map<number, Socket>();
  /** The connection to the node that handles the current request. */
  #current: Socket | undefined;
  #isAnswered = true;
  #stays = false;

  constructor(client: Socket, ports: readonly number[], dice: Dice) {
    this.#client = client;
    this.#ports = ports;
    this.#dice = dice;
    client.setNoDelay(true);
    client.on("error", () => {});
    client.on("data", (piece) => this.#ask(piece));
    client.on("end", () => this.#current?.end());
    client.on("close", () => {
      for (const node of this.#nodes.values()) node.destroy();
    });
  }

  #ask(piece: Buffer): void {
    if (this.#isAnswered && !this.#stays) {
      this.#current = this.#nodeAt(this.#dice.pick(this.#ports));
      this.#isAnswered = false;
    }
    this.#current?.write(piece);
  }

  #nodeAt(port: number): Socket {
    const known = this.#nodes.get(port);
    if (known !== undefined) return known;
    const node = connect({ host: "127.0.0.1", port, noDelay: true });
    this.#nodes.set(port, node);
    node.on("error", () => {});
    node.on("data", (piece) => this.#receive(node, piece));
    node.on("close", () => {
      this.#nodes.delete(port);
      // If no request is pending, the client's connection is closed in order instead of being reset.
      if (node === this.#current && (this.#stays || !this.#isAnswered)) this.#client.destroy();
      else if (node === this.#current) this.#client.end();
    });
    return node;
  }

  #receive(node: Socket, piece: Buffer): void {
    if (node !== this.#current) return;
    const start = piece.subarray(0, 16).toString("latin1");
    if (SWITCHING.test(start)) this.#stays = true;
    if (!CONTINUE.test(start)) this.#isAnswered = true;
    this.#client.write(piece);
  }
}
