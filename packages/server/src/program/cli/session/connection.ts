/**
 * The command line's connection to a node's admin API. Address and token come from flags, the environment or the data
 * folder.
 */
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { buffer } from "node:stream/consumers";
import type { ConnectionOptions as TlsOptions } from "node:tls";
import { CommandFailed } from "./terminal.ts";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { readAdminFile } from "../../../platform/config/admin-file.ts";
import { dataPaths } from "../../../journal/storage/data-folder.ts";

/** Trusted certificates. Default: those that Node trusts, including NODE_EXTRA_CA_CERTS. */
export type Trust = Pick<TlsOptions, "ca" | "allowPartialTrustChain" | "checkServerIdentity">;

export interface Asking {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** If absent, there is no timeout, unlike with `fetch`, which has one of five minutes. */
  readonly timeoutMs?: number;
  readonly trust?: Trust | undefined;
}

/** Error codes of Node and OpenSSL for untrusted certificates. */
const NOT_TRUSTED =
  /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_|ERR_TLS_CERT|INVALID_CA|UNABLE_TO_GET_CERT)/;

/** Trusts the CA certificates in a PEM file. Returns undefined if no file is given. Throws `CommandFailed`. */
export function trustOf(caFile: string | undefined): Trust | undefined {
  if (caFile === undefined) return undefined;
  try {
    return { ca: readFileSync(caFile, "utf8") };
  } catch (error) {
    throw new CommandFailed(`The CA file ${caFile} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

/** Trusts the certificate found in the node's data folder, for any host name. */
export function trustIn(certificate: string | undefined): Trust | undefined {
  if (certificate === undefined) return undefined;
  return { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}

/** Sends a request. Throws `CommandFailed` if no server responds at `url` or its certificate is not trusted. */
export async function ask(url: string, target: string, asking: Asking): Promise<Response> {
  try {
    return await answerTo(url + target, asking);
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    const why = cause?.code ?? (error as Error).message;
    const said = NOT_TRUSTED.test(why)
      ? `The certificate of ${url} is not trusted (${why}). Specify the CA file with --ca.`
      : `Cannot connect to ${url} (${why}).`;
    throw new CommandFailed(said, { cause: error });
  }
}

function answerTo(url: string, { timeoutMs, trust, ...sent }: Asking): Promise<Response> {
  const signal = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
  if (trust === undefined && timeoutMs !== undefined) return fetch(url, { ...sent, ...signal });
  const { method, headers, body = "" } = sent;
  const isTls = url.startsWith("https:");
  const options = { method, headers, ...signal };
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: http.IncomingMessage): void => {
      buffer(answer).then((bytes) => resolve(new Response(bytes, { status: answer.statusCode ?? 500 })), reject);
    };
    const request = isTls
      ? https.request(url, { ...options, ...trust }, onAnswer)
      : http.request(url, options, onAnswer);
    request.once("error", (cause) => reject(new Error(cause.message, { cause })));
    request.end(body);
  });
}

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
  /** Undefined if the token belongs to an operator's session. */
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

  /**
   * Sends a request and returns the parsed response. If the node rejects the request, throws `CommandFailed` with the
   * node's message.
   */
  async call<T>(method: string, path: string, body?: unknown, timeoutMs = TIMEOUT_MS): Promise<T> {
    return this.#told(
      await this.#fetch(method, path, body === undefined ? undefined : JSON.stringify(body), timeoutMs),
    );
  }

  /** Same as `call`, but without a timeout. */
  async callPatiently<T>(method: string, path: string, body: unknown): Promise<T> {
    return this.#told(await ask(this.#url, path, { method, ...this.#sent(JSON.stringify(body)), trust: this.#trust }));
  }

  /** Same as `call`, but sends bytes instead of JSON. */
  async send<T>(method: string, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<T> {
    return this.#told(await this.#fetch(method, path, bytes));
  }

  /** Same as `call`, but returns a file. */
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

/**
 * The message of a rejection. If the action needs approval, the message includes it in the form for `approval-request
 * create`.
 */
function toldOf({ message, action }: { readonly message?: string; readonly action?: object }): string | undefined {
  return action === undefined ? message : `${message}\n${JSON.stringify(action)}`;
}

/** Whether the token belongs to an operator's session and is not the admin token. */
const isOfSession = (token: string): boolean => /^[0-9a-f]{32}\.[A-Za-z0-9_-]{43}$/.test(token);

function fromDataFolder(
  { data }: ConnectionOptions,
  environment: Environment,
): { readonly folder: string; readonly file: ReturnType<typeof readAdminFile> } {
  const folder = dataFolder(data, environment);
  return { folder, file: readAdminFile(folder) };
}

/** Parses a response. Throws `CommandFailed` if it is not JSON and therefore not from a node. */
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

/** Explains why no node was found and what to do. The caller completes the sentence. */
export function notRunning(folder: string): string {
  const what = existsSync(dataPaths(folder).journal) ? "No node is running on" : "There is no exchange in";
  return `${what} ${folder}. Start a node with \`pricetime\`, specify its data folder with --data,`;
}

export function dataFolder(said: string | undefined, environment: Environment): string {
  return resolve(said ?? environment["PRICETIME_DATA"] ?? DEFAULT_DATA);
}

/** The operating system user, in characters that the journal accepts. */
function login(): string {
  const name = userInfo()
    .username.replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, 60);
  return `cli:${name === "" ? "unknown" : name}`.slice(0, 64);
}
