/**
 * A line between one client and one member: a TCP proxy that can be cut, go silent in one direction, or be slow. With
 * a line of its own to each member, a node can be partitioned from any of them without root.
 */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

const PORT = 2379;

export type Direction = "toMember" | "toClient";

export class Link {
  /** Where the client connects. */
  readonly url: string;
  readonly #server: Server;
  readonly #address: string;
  readonly #pairs = new Set<readonly [client: Socket, member: Socket]>();
  #isCut = false;
  readonly #silent = new Set<Direction>();
  /** Adds this to the way of every piece, in each direction. */
  delayMs = 0;

  private constructor(server: Server, address: string, target: URL) {
    this.#server = server;
    this.#address = address;
    this.url = `http://${address}:${PORT}`;
    server.on("connection", (client) => this.#join(client, target));
  }

  /** `target`: `http://127.1.2.3:2379`. */
  static async open(target: string): Promise<Link> {
    const server = createServer({ pauseOnConnect: true });
    // An address of its own: nobody else takes the port while the line is cut.
    const address = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
    await once(server.listen(PORT, address), "listening");
    return new Link(server, address, new URL(target));
  }

  /** Resets open connections and refuses new ones, until `heal`. */
  cut(): void {
    if (!this.#isCut) this.#server.close();
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
    if (this.#isCut) this.#server.listen(PORT, this.#address);
    this.#isCut = false;
    this.#silent.clear();
  }

  async close(): Promise<void> {
    const closed = this.#isCut ? undefined : new Promise((done) => this.#server.close(done));
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  #join(client: Socket, { hostname, port }: URL): void {
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
