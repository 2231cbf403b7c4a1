/** A minimal lab: a clock that waits for its clients, and deadlines. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";

interface Due {
  readonly atMs: number;
  readonly run: () => void;
}

interface Waiting {
  readonly untilMs: number | undefined;
  readonly answer: (moment: object) => void;
}

export class FakeLab {
  nowMs: number;
  /** What the bot did, by the lab's time. */
  readonly seen: string[] = [];
  readonly #clients = new Map<string, Waiting | undefined>();
  readonly #due: Due[] = [];
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #endMs: number;
  readonly #ended = Promise.withResolvers<void>();

  constructor(startMs: number, endMs: number) {
    this.nowMs = startMs;
    this.#endMs = endMs;
  }

  at(atMs: number, run: () => void): void {
    this.#due.push({ atMs, run });
    this.#due.sort((one, other) => one.atMs - other.atMs);
  }

  /** Resolves when the clock has reached its end, or no client is left. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** `rest`: answers `GET /now`, and after a delay of the lab's time what `orders` returns. */
  async start(orderMs: number): Promise<{ admin: string; rest: string; stream: number }> {
    const admin = createServer((asked, answer) => void this.#admin(asked, answer));
    const rest = createServer((asked, answer) => {
      this.seen.push(`${this.nowMs} ${asked.method} ${asked.url}`);
      const say = (): void => void answer.end(JSON.stringify({ nowMs: this.nowMs }));
      if (asked.url?.startsWith("/order") === true) this.at(this.nowMs + orderMs, say);
      else say();
    });
    const stream = createTcpServer((socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket)).on("error", () => {});
      socket.on("data", (chunk: Buffer) => void this.seen.push(`${this.nowMs} says ${chunk.toString()}`));
    });
    const ports: number[] = [];
    for (const server of [admin, rest, stream]) {
      await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
      ports.push((server.address() as AddressInfo).port);
    }
    this.#servers.push(admin, rest, stream as unknown as Server);
    return { admin: `http://127.0.0.1:${ports[0]}`, rest: `http://127.0.0.1:${ports[1]}`, stream: ports[2] ?? 0 };
  }

  /** Sends to every stream. */
  tell(text: string): void {
    for (const socket of this.#sockets) socket.write(text);
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections?.();
    }
  }

  async #admin(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as { name: string; untilMs?: number };
    const say = (said: object): void => void answer.end(JSON.stringify(said));
    const what = `${asked.method} ${asked.url}`;
    if (what === "GET /v1/lab/clock" || what === "POST /v1/lab/clock/advance")
      say({ mode: "manual", nowMs: this.nowMs, speed: 1 });
    else if (what === "POST /v1/lab/clock/clients") {
      this.#clients.set(body.name, undefined);
      say({ name: body.name });
    } else if (what === "POST /v1/lab/clock/done") {
      this.#clients.set(body.name, { untilMs: body.untilMs, answer: say });
      this.#goOn();
    } else if (asked.method === "GET" && asked.url?.startsWith("/v1/lab/clock/clients/") === true) {
      const name = decodeURIComponent(asked.url.split("/").at(-1) ?? "");
      answer.once("close", () => {
        this.#clients.delete(name);
        if (this.#clients.size === 0) this.#ended.resolve();
        else this.#goOn();
      });
    } else {
      answer.statusCode = 404;
      say({ error: "UNKNOWN_PATH", message: "No route has this path. See /openapi.json." });
    }
  }

  #goOn(): void {
    const waiting = [...this.#clients.values()];
    if (waiting.some((client) => client === undefined)) return;
    const wanted = waiting.flatMap((client) => client?.untilMs ?? []);
    const nextMs = Math.min(...wanted, this.#due[0]?.atMs ?? Infinity);
    if (nextMs > this.#endMs) {
      this.#ended.resolve();
      return;
    }
    this.nowMs = nextMs;
    while ((this.#due[0]?.atMs ?? Infinity) <= nextMs) this.#due.shift()?.run();
    for (const name of this.#clients.keys()) {
      const client = this.#clients.get(name);
      this.#clients.set(name, undefined);
      client?.answer({ nowMs: this.nowMs, seq: 0 });
    }
  }
}
