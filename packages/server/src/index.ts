/** The package's entry: a node inside the importing process. Its types need no other packages. */
import { loadConfig } from "./platform/config/config.ts";
import { startNode } from "./main.ts";
import { startFailure } from "./program/start/program.ts";

export { VERSION } from "./program/start/version.ts";

/** The flags of the same names; absent options have the defaults of the flags. */
export interface ExchangeOptions {
  /** Where clients connect (8080); 0 takes any free port. */
  readonly port?: number;
  /** Where the admin API listens, on loopback (8081); 0 takes any free port. */
  readonly adminPort?: number;
  /** The address to listen on (127.0.0.1). */
  readonly host?: string;
  /** The data folder (./data). */
  readonly data?: string;
  /** A YAML configuration file. */
  readonly config?: string;
  /** Demo symbols and accounts, with keys that everybody knows (true). */
  readonly demo?: boolean;
  /** The demo's market makers and takers (on). */
  readonly bots?: "on" | "off";
  /** The seed of the bots' behaviour (1). */
  readonly seed?: number;
  /** Request and order-rate limits (on). */
  readonly limits?: "on" | "off";
  /** The node's name in the journal (node-1). */
  readonly node?: string;
  /** The members of etcd, where the node is one of several. */
  readonly cluster?: readonly string[];
  /** Settings such as `PRICETIME_LOG_LEVEL`, which the program reads from its environment; none when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** A node for experiments: its clock, market and faults are in the hands of whoever has its admin token (false). */
  readonly lab?: boolean;
  /** How a lab's clock moves (real). */
  readonly clock?: "real" | "scaled" | "manual";
  /** Where a lab's clock begins: milliseconds since 1970, or an ISO date (now). */
  readonly clockStart?: string;
  readonly clockSpeed?: number;
  /** How a lab judges timestamps of requests (server). */
  readonly timing?: "server" | "client" | "off";
  /** What a lab keeps of the past (on). */
  readonly history?: "on" | "off" | "candles";
}

export interface Exchange {
  /** Where clients connect: `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** The folder of `demo.json` and `admin.json`: the data folder, or in a lab without one a temporary one. */
  readonly data: string;
  /** Resolves with the reason when the exchange cannot go on. */
  readonly failed: Promise<Error>;
  /** Finishes requests under way, writes what must be kept, and releases ports and folder. */
  stop(): Promise<void>;
}

/**
 * Starts an exchange and resolves when it serves. Without options it does what `pricetime` does without flags: a demo
 * on port 8080 with `./data`. Rejects with an Error whose message is the line that `pricetime` would print.
 */
export async function startExchange({ environment = {}, ...flags }: ExchangeOptions = {}): Promise<Exchange> {
  try {
    return await startNode(loadConfig({ flags, environment }));
  } catch (error) {
    throw new Error(startFailure(error), { cause: error });
  }
}
