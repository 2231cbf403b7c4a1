/** The admin API of a lab's node, as its parts here ask it. */
import { type Connections, type Received, type Sent } from "./http.ts";
import { LabError, type Origin } from "./refusal.ts";

export interface AdminAddress {
  /** An address such as `http://127.0.0.1:8081`. */
  readonly admin: string;
  readonly adminToken: string;
}

interface Refused {
  readonly error?: string;
  readonly message?: string;
}

export class Admin {
  readonly #address: AdminAddress;
  readonly #connections: Connections;
  readonly #origin: Origin;

  constructor(address: AdminAddress, connections: Connections, origin: Origin) {
    this.#address = address;
    this.#connections = connections;
    this.#origin = origin;
  }

  /** The parsed answer. Rejects with `LabError`. */
  async ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const json = { "content-type": "application/json" };
    const sent: Sent = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) };
    return JSON.parse((await this.send(path, sent)).toString("utf8") || "null") as Answer;
  }

  /** The bytes of the answer. Rejects with `LabError`. */
  async send(path: string, sent: Sent): Promise<Buffer> {
    const { admin, adminToken } = this.#address;
    const headers = { ...sent.headers, authorization: `Bearer ${adminToken}` };
    const { status, body } = await this.#answerTo(() => this.#connections.send(admin + path, { ...sent, headers }));
    if (status < 300) return body;
    const { error = `HTTP_${status}`, message = body.toString("utf8").slice(0, 500) } = parsed(body);
    throw new LabError({ status, code: error, message: `${sent.method} ${path}: ${message}` }, this.#origin);
  }

  /** A request that stays unanswered while this program is there; see `Connections.hold`. */
  hold(path: string): () => void {
    const { admin, adminToken } = this.#address;
    return this.#connections.hold(admin + path, { method: "GET", headers: { authorization: `Bearer ${adminToken}` } });
  }

  async #answerTo(send: () => Promise<Received>): Promise<Received> {
    try {
      return await send();
    } catch (error) {
      throw new LabError(
        { status: 0, code: "NO_ANSWER", message: (error as Error).message, cause: error },
        this.#origin,
      );
    }
  }
}

function parsed(body: Buffer): Refused {
  try {
    return JSON.parse(body.toString("utf8")) as Refused;
  } catch {
    return {};
  }
}

/** A part of a path that somebody named. */
export const part = (name: string): string => encodeURIComponent(name);
