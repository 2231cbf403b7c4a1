/** The command line's client for the public REST API. By default, it uses the API key of a demo account. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readAdminFile } from "../../../platform/config/admin-file.ts";
import { answerOf, ask, dataFolder, type Environment, notRunning, type Trust, trustIn, trustOf } from "./connection.ts";
import { CommandFailed } from "./terminal.ts";

export interface RestOptions {
  readonly rest?: string;
  readonly data?: string;
  readonly account?: string;
  readonly key?: string;
  readonly secret?: string;
  readonly ca?: string;
}

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

const demoAccount = z.object({ name: z.string(), email: z.string(), apiKey: z.string(), secretKey: z.string() });
const demoFile = z.object({
  rest: z.string(),
  ws: z.string(),
  accounts: z.array(demoAccount),
  subAccounts: z.array(demoAccount),
});

const TIMEOUT_MS = 30_000;

export class Rest {
  readonly #url: string;
  readonly #trust: Trust | undefined;
  readonly #credentials: () => Credentials;

  /** Finds the node's address and API key. Throws `CommandFailed` if no node is found. */
  constructor(options: RestOptions, environment: Environment) {
    const folder = dataFolder(options.data, environment);
    const named = options.rest ?? environment["PRICETIME_REST"];
    const file = named === undefined ? readAdminFile(folder) : undefined;
    const url = named ?? file?.rest;
    if (url === undefined) throw new CommandFailed(`${notRunning(folder)} or use --rest.`);
    this.#url = url.replace(/\/$/, "");
    this.#trust = trustOf(options.ca ?? environment["PRICETIME_CA"]) ?? trustIn(file?.certificates?.rest);
    this.#credentials = () => credentialsOf(options, environment, folder);
  }

  /** Requests market data. If the exchange rejects the request, throws `CommandFailed` with its message. */
  ask<T>(path: string, parameters: Parameters): Promise<T> {
    return this.#send<T>("GET", `${path}?${query(parameters)}`);
  }

  /** Sends a signed request with the exchange's time as its timestamp. */
  async signed<T>(method: "GET" | "POST" | "DELETE", path: string, parameters: Parameters): Promise<T> {
    const { apiKey, secretKey } = this.#credentials();
    const { serverTime } = await this.ask<{ serverTime: number }>("/api/v3/time", {});
    const text = query({ ...parameters, timestamp: serverTime });
    const signature = createHmac("sha256", secretKey).update(text).digest("hex");
    return this.#send<T>(method, `${path}?${text}&signature=${signature}`, { "X-MBX-APIKEY": apiKey });
  }

  async #send<T>(method: string, target: string, headers: Record<string, string> = {}): Promise<T> {
    const response = await ask(this.#url, target, { method, headers, timeoutMs: TIMEOUT_MS, trust: this.#trust });
    const answer = await answerOf<T & { readonly code?: number; readonly msg?: string }>(response, this.#url);
    if (!response.ok)
      throw new CommandFailed(`${answer.msg ?? response.statusText} (${answer.code ?? response.status})`);
    return answer;
  }
}

function query(parameters: Parameters): string {
  const said = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

function credentialsOf(options: RestOptions, environment: Environment, folder: string): Credentials {
  const apiKey = options.key ?? environment["PRICETIME_API_KEY"];
  const secretKey = options.secret ?? environment["PRICETIME_API_SECRET"];
  if (apiKey !== undefined && secretKey !== undefined) return { apiKey, secretKey };
  if (apiKey !== undefined || secretKey !== undefined) {
    throw new CommandFailed(
      "An API key needs its secret. Use --key and --secret, or PRICETIME_API_KEY and PRICETIME_API_SECRET.",
    );
  }
  return demoCredentials(folder, options.account);
}

/** The credentials of the named demo account, by default of the first one. */
function demoCredentials(folder: string, name: string | undefined): Credentials {
  const found = readDemoFile(folder);
  if (found === undefined) {
    throw new CommandFailed(
      "An API key is required: this is not a demo. Create one with `pricetime key create`, and use --key and --secret, or PRICETIME_API_KEY and PRICETIME_API_SECRET.",
    );
  }
  const accounts = [...found.accounts, ...found.subAccounts];
  const account = name === undefined ? accounts[0] : accounts.find((one) => one.name === name || one.email === name);
  if (account !== undefined) return account;
  throw new CommandFailed(`The demo has no account ${name}. Use one of ${accounts.map((one) => one.name).join(", ")}.`);
}

/** The addresses and API keys of the demo in a folder; undefined if it is not a demo. */
export function readDemoFile(folder: string): z.output<typeof demoFile> | undefined {
  try {
    return demoFile.parse(JSON.parse(readFileSync(join(folder, "demo.json"), "utf8")));
  } catch {
    return undefined;
  }
}

/** Normalizes a symbol's name: accepts lower case and `BTC/USDT`. */
export function symbolName(said = ""): string {
  return said.toUpperCase().replace("/", "");
}
