/** The line from a held bot to its lab's clock: a connection of its own, which the bot's idleness does not count. */
import { Agent, type ClientRequest, request } from "node:http";
import type { Socket } from "node:net";

export interface LabAddress {
  readonly url: string;
  readonly token: string;
}

export class LabLine {
  readonly #address: LabAddress;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Called with each socket of this line. */
  onSocket: (socket: Socket) => void = () => {};
  #under: ClientRequest | undefined;
  #isRef = true;

  constructor(address: LabAddress) {
    this.#address = address;
  }

  /** The parsed answer. Rejects with an Error that names the lab and what it said. */
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { url, token } = this.#address;
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`pricetime/lab/hold: ${method} ${url}${path}: ${why}`));
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      };
      const sent = request(url + path, { agent: this.#agent, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
        answer.once("error", (error) => fail(error.message));
        answer.once("end", () => {
          this.#under = undefined;
          const said = Buffer.concat(chunks).toString("utf8");
          if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(said || "null") as Answer);
          else fail(said);
        });
      });
      this.#under = sent;
      sent.once("socket", (socket) => {
        this.onSocket(socket);
        this.#apply();
      });
      sent.once("error", (error: NodeJS.ErrnoException) => {
        // Closed while it was idle: the lab has not read it.
        if (sent.reusedSocket && error.code === "ECONNRESET")
          this.ask<Answer>(method, path, body).then(resolve, reject);
        else fail(error.message);
      });
      sent.end(text);
    });
  }

  /** Whether the process waits for the answer. */
  keepAlive(isRef: boolean): void {
    this.#isRef = isRef;
    this.#apply();
  }

  #apply(): void {
    const socket = this.#under?.socket;
    if (this.#isRef) socket?.ref();
    else socket?.unref();
  }
}
