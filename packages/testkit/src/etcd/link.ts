/**
 * A line between one client and one member: a TCP proxy that can be cut, go silent in one direction, or be slow. With
 * a line of its own to each member, a node can be partitioned from any of them without root.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export type Direction = "toMember" | "toClient";

export class Link {
  /** Where the client connects. */
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [client: Socket, member: Socket]>();
  #isCut = false;
  readonly #silent = new Set<Direction>();
  /** Adds this to the way of every piece, in each direction. */
  delayMs = 0;

  private constructor(server: Server, url: string, target: URL) {
    this.#server = server;
    this.url = url;
    server.on("connection", (client) => this.#join(client, target));
  }

  /** `target`: `http://127.1.2.3:2379`. */
  static async open(target: string): Promise<Link> {
    const server = createServer({ pauseOnConnect: true });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address() as { readonly port: number };
    return new Link(server, `http://127.0.0.1:${address.port}`, new URL(target));
  }

  /** Resets open connections and refuses new ones, until `heal`. */
  cut(): void {
    this.#isCut = true;
    this.reset();
  }

  /** Resets open connections; new ones are taken. */
  reset(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  /**
   * Swallows what goes one way, or both; connections stay open. What was swallowed is lost, so connections of that
   * time are reset when it heals.
   */
  silence(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#silent.add(direction);
  }

  heal(): void {
    if (this.#silent.size > 0) this.reset();
    this.#isCut = false;
    this.#silent.clear();
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  #join(client: Socket, { hostname, port }: URL): void {
    if (this.#isCut) {
      client.resetAndDestroy();
      return;
    }
    const member = connect({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay(true);
    const pair = [client, member] as const;
    this.#pairs.add(pair);
    this.#carry(client, member, "toMember");
    this.#carry(member, client, "toClient");
    const end = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    client.resume();
  }

  #carry(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (piece) => {
      if (this.#silent.has(direction)) return;
      const send = (): void => {
        if (to.destroyed) return;
        if (!to.write(piece)) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      };
      if (this.delayMs > 0) setTimeout(send, this.delayMs);
      else send();
    });
  }
}
