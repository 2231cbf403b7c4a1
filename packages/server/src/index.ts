/** The package's entry point: runs a node inside the importing process. Its types require no other packages. */
import { loadConfig } from "./platform/config/config.ts";
import { startNode } from "./main.ts";
import { startFailure } from "./program/start/program.ts";

export { VERSION } from "./program/start/version.ts";

/** The same as the flags of these names, with the same defaults. */
export interface ExchangeOptions {
  /** The client port (8080); 0 selects a free port. */
  readonly port?: number;
  /** The admin port, on loopback (8081); 0 selects a free port. */
  readonly adminPort?: number;
  /** The address to listen on (127.0.0.1). */
  readonly host?: string;
  /** The data folder (./data). */
  readonly data?: string;
  /** A YAML configuration file. */
  readonly config?: string;
  /** Demo symbols and accounts, with publicly known keys (true). */
  readonly demo?: boolean;
  /** The demo's market makers and takers (on). */
  readonly bots?: "on" | "off";
  /** The seed of the bots' behaviour (1). */
  readonly seed?: number;
  /** Request and order-rate limits (on). */
  readonly limits?: "on" | "off";
  /** The node's name in the journal (node-1). */
  readonly node?: string;
  /** The URLs of the etcd members of a cluster (none: a single node). */
  readonly cluster?: readonly string[];
  /** Environment variables such as `PRICETIME_LOG_LEVEL` (none). */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether the node is a lab, for experiments: its clock, markets and faults can be controlled with the admin token
   * (false).
   */
  readonly lab?: boolean;
  /** The mode of a lab's clock (real). */
  readonly clock?: "real" | "scaled" | "manual";
  /** The start time of a lab's clock: milliseconds since 1970, or an ISO date (now). */
  readonly clockStart?: string;
  readonly clockSpeed?: number;
  /** The clock against which a lab checks request timestamps (server). */
  readonly timing?: "server" | "client" | "off";
  /** The history that a lab stores (on). */
  readonly history?: "on" | "off" | "candles";
}

export interface Exchange {
  /** The URL to which clients connect: `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** The folder of `demo.json` and `admin.json`: the data folder, or a temporary folder in a lab without one. */
  readonly data: string;
  /** Resolves to the error when the exchange cannot continue. */
  readonly failed: Promise<Error>;
  /** Completes pending requests, writes all state, and releases the ports and the folder. */
  stop(): Promise<void>;
}

/**
 * Starts an exchange and resolves when clients can connect. The defaults are those of `pricetime` without flags: a demo
 * on port 8080 with `./data`. Rejects with an Error whose message is the line that `pricetime` would print.
 */
export async function startExchange({ environment = {}, ...flags }: ExchangeOptions = {}): Promise<Exchange> {
  try {
    return await startNode(loadConfig({ flags, environment }));
  } catch (error) {
    throw new Error(startFailure(error), { cause: error });
  }
}
