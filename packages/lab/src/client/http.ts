/** HTTP to a lab's node: not by `fetch`, which tests replace by mocks of their own. */
import { Agent, type ClientRequest, request } from "node:http";

export interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Received {
  readonly status: number;
  readonly body: Buffer;
}

/** A connection that stayed was closed by the node before it has read the request. */
class ClosedWhileIdle extends Error {}

/** Connections to one node. */
export class Connections {
  /** Connections that stay; idle ones keep no process alive. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #held = new Set<ClientRequest>();

  /** Sends over a connection that stays open. Rejects with the socket's error when there is no answer. */
  async send(url: string, sent: Sent): Promise<Received> {
    for (;;) {
      try {
        return await exchange(url, sent, this.#agent);
      } catch (error) {
        if (!(error instanceof ClosedWhileIdle)) throw error;
      }
    }
  }

  /** Sends by a connection of its own, so that the caller sees its failure as it is: a test may have wanted it. */
  sendAlone(url: string, sent: Sent): Promise<Received> {
    return exchange(url, sent, false);
  }

  /** A request that is meant to stay unanswered: while it does, this program is there. It keeps no process alive. */
  hold(url: string, { method, headers = {} }: Sent): () => void {
    const held = request(url, { agent: false, method, headers }, (answer) => void answer.resume());
    held.on("socket", (socket) => void socket.unref()).on("error", () => {});
    held.end();
    this.#held.add(held);
    const end = (): void => {
      this.#held.delete(held);
      held.destroy();
    };
    held.once("close", end);
    return end;
  }

  close(): void {
    this.#agent.destroy();
    for (const held of this.#held) held.destroy();
  }
}

function exchange(url: string, { method, headers = {}, body }: Sent, agent: Agent | false): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
      answer.once("error", reject);
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      const isIdle = sent.reusedSocket && ["ECONNRESET", "EPIPE"].includes(error.code ?? "");
      reject(isIdle ? new ClosedWhileIdle(error.message, { cause: error }) : error);
    });
    sent.end(body);
  });
}
