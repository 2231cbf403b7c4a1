/** The admin API of a lab's node over HTTP, its rejections, and other failures between a test and its exchange. */
import { Agent, type ClientRequest, request } from "node:http";
import type { LabAccount } from "../types.ts";

/** The facts by which a reader can repeat a failure. */
export interface Origin {
  readonly seed: number;
  readonly version: string;
  /** The one command that runs the failed program again with the same seed. */
  readonly repeat: string;
}

/** The line that stands below every failure. */
export function originLine({ seed, version, repeat }: Origin): string {
  return `[seed ${seed}, pricetime ${version}; repeat with: ${repeat}]`;
}

interface Fault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** The admin API or the exchange said no, or nothing. Its message ends with seed, version and the command to repeat it. */
export class LabError extends Error {
  override readonly name = "LabError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The word of the admin API (`TIME_GOES_BACK`), or the code of the exchange (`-2010`); `NO_ANSWER` without one. */
  readonly code: string;

  constructor({ cause, ...fault }: Fault, origin: Origin) {
    super(`${fault.code}: ${fault.message}\n${originLine(origin)}`, cause === undefined ? {} : { cause });
    this.status = fault.status;
    this.code = fault.code;
  }
}

// HTTP without `fetch`, which tests replace by mocks of their own.

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface Received {
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

// The admin API identifies accounts by email address or number, a test by the names that it gave.

export type KnownAccounts = () => readonly LabAccount[];

/** The value with the address for each name of an account that stands in a field `account`, however deep. */
export function withAddresses<T>(value: T, accounts: readonly LabAccount[]): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const changed = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const known = name === "account" ? accounts.find((account) => account.name === inner) : undefined;
    return [name, known?.email ?? withAddresses(inner, accounts)];
  });
  return Object.fromEntries(changed) as T;
}
