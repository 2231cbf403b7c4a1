/** The admin API of a lab's node over HTTP, and the errors of requests to it. */
import { Agent, type ClientRequest, request } from "node:http";
import type { LabAccount } from "../types.ts";

/** The values needed to repeat a failure. */
export interface Origin {
  readonly seed: number;
  readonly version: string;
  /** The command that runs the failed program again with the same seed. */
  readonly repeat: string;
}

/** Returns the line that is printed below every failure. */
export function originLine({ seed, version, repeat }: Origin): string {
  return `[seed ${seed}, pricetime ${version}; repeat with: ${repeat}]`;
}

interface Fault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
}

/**
 * The admin API or the exchange rejected a request, or did not answer. The message ends with the seed, the version, and
 * the command that repeats the failure.
 */
export class LabError extends Error {
  override readonly name = "LabError";
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /**
   * The error code of the admin API (`TIME_GOES_BACK`) or of the exchange (`-2010`); `NO_ANSWER` if there was no
   * answer.
   */
  readonly code: string;

  constructor({ cause, ...fault }: Fault, origin: Origin) {
    super(`${fault.code}: ${fault.message}\n${originLine(origin)}`, cause === undefined ? {} : { cause });
    this.status = fault.status;
    this.code = fault.code;
  }
}

// Uses `node:http` instead of `fetch`, which tests often replace by mocks.

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface Received {
  readonly status: number;
  readonly body: Uint8Array;
}

/** The node closed a kept-alive connection before it read the request, so the request can be sent again. */
class ClosedWhileIdle extends Error {}

/** HTTP connections to one node. */
export class Connections {
  /** Kept-alive connections. Idle ones do not keep the process alive. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #held = new Set<ClientRequest>();

  /** Sends a request over a kept-alive connection. Rejects with the socket's error if there is no answer. */
  async send(url: string, sent: Sent): Promise<Received> {
    for (;;) {
      try {
        return await exchange(url, sent, this.#agent);
      } catch (error) {
        if (!(error instanceof ClosedWhileIdle)) throw error;
      }
    }
  }

  /**
   * Sends a request over a new connection, without retries, so that the caller sees a failure that a test has injected.
   */
  sendAlone(url: string, sent: Sent): Promise<Received> {
    return exchange(url, sent, false);
  }

  /**
   * Sends a request that is never answered: the node treats this program as alive until the connection closes. The
   * request does not keep the process alive. Returns a function that closes the connection.
   */
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
  /** The URL of the admin API, for example `http://127.0.0.1:8081`. */
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

  /** Sends a request with a JSON body. Resolves to the parsed answer. Rejects with `LabError`. */
  async ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const json = { "content-type": "application/json" };
    const sent: Sent = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) };
    return JSON.parse(new TextDecoder().decode(await this.send(path, sent)) || "null") as Answer;
  }

  /** Sends a request. Resolves to the bytes of the answer. Rejects with `LabError`. */
  async send(path: string, sent: Sent): Promise<Uint8Array> {
    const { admin, adminToken } = this.#address;
    const headers = { ...sent.headers, authorization: `Bearer ${adminToken}` };
    const { status, body } = await this.#answerTo(() => this.#connections.send(admin + path, { ...sent, headers }));
    if (status < 300) return body;
    const { error = `HTTP_${status}`, message = new TextDecoder().decode(body).slice(0, 500) } = parsed(body);
    throw new LabError({ status, code: error, message: `${sent.method} ${path}: ${message}` }, this.#origin);
  }

  /** Sends a request that stays open while this program runs: see `Connections.hold`. */
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

function parsed(body: Uint8Array): Refused {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Refused;
  } catch {
    return {};
  }
}

/** Escapes a name for use in a URL path. */
export const part = (name: string): string => encodeURIComponent(name);

// The admin API identifies accounts by email address or number. Tests use the names that they chose.

export type KnownAccounts = () => readonly LabAccount[];

/** Copies the value. In every field `account`, at any depth, the name of an account is replaced by its address. */
export function withAddresses<T>(value: T, accounts: readonly LabAccount[]): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const changed = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    const known = name === "account" ? accounts.find((account) => account.name === inner) : undefined;
    return [name, known?.email ?? withAddresses(inner, accounts)];
  });
  return Object.fromEntries(changed) as T;
}
