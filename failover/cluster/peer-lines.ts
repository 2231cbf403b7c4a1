/**
 * The connections between members of etcd: a proxy before each member's peer port, whose address the other members use.
 * A connection identifies its sender (etcd's header `X-PeerURLs`), so messages from one member to another can be
 * dropped, in one direction or both, without root.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

const SENDER = /X-Peerurls: (http:\/\/[^\r\n,]+)/i;
/** The most bytes before the end of the first request's header. */
const MOST_HEAD = 4_096;

interface Line {
  readonly client: Socket;
  readonly member: Socket;
  readonly to: string;
  /** Undefined until the first request with the header. */
  from: string | undefined;
}

export class PeerLines {
  readonly #servers: Server[] = [];
  readonly #lines = new Set<Line>();
  readonly #names = new Map<string, string>();
  readonly #lost = new Set<string>();

  /** Listens at the address that the others use; `target` is the member's own. */
  async open(name: string, known: { readonly host: string; readonly port: number }, target: string): Promise<void> {
    this.#names.set(`http://${known.host}:${known.port}`, name);
    const server = createServer({ pauseOnConnect: true }, (client) => this.#join(client, name, target, known.port));
    this.#servers.push(server);
    await once(server.listen(known.port, known.host), "listening");
  }

  /** Drops everything that `from` sends to `to` from now on. */
  lose(from: string, to: string): void {
    this.#lost.add(`${from} ${to}`);
  }

  /** Delivers everything again. Connections that lost bytes are reset. */
  heal(): void {
    if (this.#lost.size === 0) return;
    this.#lost.clear();
    for (const { client, member } of this.#lines) {
      client.resetAndDestroy();
      member.resetAndDestroy();
    }
  }

  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((done) => server.close(done)));
    for (const { client, member } of this.#lines) {
      client.destroy();
      member.destroy();
    }
    await Promise.all(closed);
  }

  #join(client: Socket, to: string, host: string, port: number): void {
    const member = connect({ host, port, noDelay: true });
    client.setNoDelay(true);
    const line: Line = { client, member, to, from: undefined };
    this.#lines.add(line);
    let head = "";
    client.on("data", (piece) => {
      if (line.from === undefined && head.length < MOST_HEAD) {
        head += piece.toString("latin1");
        line.from = this.#names.get(SENDER.exec(head)?.[1] ?? "");
      }
      this.#pass(line.from, to, piece, client, member);
    });
    member.on("data", (piece) => this.#pass(to, line.from, piece, member, client));
    const end = (): void => {
      this.#lines.delete(line);
      client.destroy();
      member.destroy();
    };
    for (const socket of [client, member]) socket.on("error", end).on("close", end);
    client.resume();
  }

  #pass(from: string | undefined, to: string | undefined, piece: Buffer, source: Socket, target: Socket): void {
    if (this.#lost.has(`${from} ${to}`) || target.destroyed) return;
    if (target.write(piece)) return;
    source.pause();
    target.once("drain", () => source.resume());
  }
}
