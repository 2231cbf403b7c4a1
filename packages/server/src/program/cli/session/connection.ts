/** The command line's connection to a node's admin API, found by flags, environment or the data folder. */
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { readAdminFile } from "../../../platform/config/admin-file.ts";
import { dataPaths } from "../../../journal/storage/data-paths.ts";
import { ask, type Trust, trustIn, trustOf } from "./ask.ts";
import { CommandFailed } from "./failure.ts";

export interface ConnectionOptions {
  readonly admin?: string;
  readonly token?: string;
  readonly data?: string;
  readonly user?: string;
  readonly ca?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_DATA = "./data";
const TIMEOUT_MS = 60_000;

export class Connection {
  readonly #url: string;
  readonly #token: string;
  readonly #trust: Trust | undefined;
  /** Undefined: an operator who signed in acts as oneself. */
  readonly #user: string | undefined;

  constructor(options: ConnectionOptions, environment: Environment) {
    const { folder, file } = fromDataFolder(options, environment);
    const named = options.admin ?? environment["PRICETIME_ADMIN"];
    const url = named ?? file?.admin;
    const token = options.token ?? environment["PRICETIME_ADMIN_TOKEN"] ?? file?.adminToken;
    if (url === undefined || token === undefined) {
      throw new CommandFailed(`${notRunning(folder)} or use --admin and --token.`);
    }
    this.#url = url.replace(/\/$/, "");
    this.#token = token;
    const own = named === undefined ? trustIn(file?.certificates?.admin) : undefined;
    this.#trust = trustOf(options.ca ?? environment["PRICETIME_CA"]) ?? own;
    this.#user = options.user ?? (isOfSession(token) ? undefined : (environment["PRICETIME_USER"] ?? login()));
  }

  /** Returns the parsed response; throws `CommandFailed` with the node's reason when it rejects the request. */
  async call<T>(method: string, path: string, body?: unknown, timeoutMs = TIMEOUT_MS): Promise<T> {
    return this.#told(
      await this.#fetch(method, path, body === undefined ? undefined : JSON.stringify(body), timeoutMs),
    );
  }

  /** As `call`, and waits for the answer however long it takes. */
  async callPatiently<T>(method: string, path: string, body: unknown): Promise<T> {
    return this.#told(await ask(this.#url, path, { method, ...this.#sent(JSON.stringify(body)), trust: this.#trust }));
  }

  /** Sends bytes instead of JSON. Throws as `call` does. */
  async send<T>(method: string, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<T> {
    return this.#told(await this.#fetch(method, path, bytes));
  }

  /** Returns the bytes of an answer that is a file. Throws as `call` does. */
  async file(path: string): Promise<Buffer> {
    const response = await this.#fetch("GET", path, undefined);
    if (!response.ok) await this.#told(response);
    return Buffer.from(await response.arrayBuffer());
  }

  #fetch(
    method: string,
    path: string,
    sent: string | Uint8Array<ArrayBuffer> | undefined,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Response> {
    return ask(this.#url, path, { method, ...this.#sent(sent), timeoutMs, trust: this.#trust });
  }

  #sent<Body>(body: Body | undefined): { headers: Record<string, string>; body?: Body } {
    const user = this.#user === undefined ? {} : { "x-pricetime-user": this.#user };
    return { headers: { authorization: `Bearer ${this.#token}`, ...user }, ...(body !== undefined && { body }) };
  }

  async #told<T>(response: Response): Promise<T> {
    const answer = await answerOf<{ message?: string; action?: object }>(response, this.#url);
    if (!response.ok)
      throw new CommandFailed(toldOf(answer) ?? `${this.#url} responded with status ${response.status}.`);
    return answer as T;
  }
}

/** The reason of a rejection; for an action that needs approval, with the action as `approval-request create` takes it. */
function toldOf({ message, action }: { readonly message?: string; readonly action?: object }): string | undefined {
  return action === undefined ? message : `${message}\n${JSON.stringify(action)}`;
}

/** The token of an operator's session, not the admin token. */
const isOfSession = (token: string): boolean => /^[0-9a-f]{32}\.[A-Za-z0-9_-]{43}$/.test(token);

function fromDataFolder(
  { data }: ConnectionOptions,
  environment: Environment,
): { readonly folder: string; readonly file: ReturnType<typeof readAdminFile> } {
  const folder = dataFolder(data, environment);
  return { folder, file: readAdminFile(folder) };
}

/** Throws `CommandFailed` when the response is not JSON, so not from a node. */
export async function answerOf<T>(response: Response, url: string): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw new CommandFailed(
      `${url} is not a Pricetime node: it responded with status ${response.status} and without JSON.`,
      { cause: error },
    );
  }
}

/** Explains why no node was found, and what to do; the caller completes the sentence. */
export function notRunning(folder: string): string {
  const what = existsSync(dataPaths(folder).journal) ? "No node is running on" : "There is no exchange in";
  return `${what} ${folder}. Start a node with \`pricetime\`, specify its data folder with --data,`;
}

export function dataFolder(said: string | undefined, environment: Environment): string {
  return resolve(said ?? environment["PRICETIME_DATA"] ?? DEFAULT_DATA);
}

/** The user logged in on this machine, in characters that the journal accepts. */
function login(): string {
  const name = userInfo()
    .username.replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, 60);
  return `cli:${name === "" ? "unknown" : name}`.slice(0, 64);
}
