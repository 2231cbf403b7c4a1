/** The real program on generated data, in a process of its own, without bots or rate limits. */
import { execFile } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { metric, type Exchange, PRICETIME, startExchange } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { JournalMaker, type MakerOptions } from "./journal-maker.ts";
import { MASTER_KEY } from "./listing.ts";

/** All connections of a benchmark come from one address. */
const ONE_ADDRESS = { maxConnectionsPerIp: 100_000, maxRequestsInFlightPerIp: 100_000 };

export interface VenueOptions {
  /** As in the file of `PRICETIME_CONFIG`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly nodeArgs?: readonly string[];
}

export interface Venue extends Exchange {
  readonly port: number;
}

/** Starts the program on a folder that a `JournalMaker` has filled, and waits until history has caught up. */
export async function startVenue(dataFolder: string, options: VenueOptions = {}): Promise<Venue> {
  const { settings = {}, nodeArgs = [] } = options;
  const config = `${dataFolder}.yaml`;
  // JSON is valid YAML.
  writeFileSync(config, JSON.stringify({ masterKey: MASTER_KEY, demo: false, http: ONE_ADDRESS, ...settings }));
  const args = ["--no-demo", "--limits", "off", "--config", config];
  const exchange = await startExchange({ dataFolder, args, nodeArgs });
  const venue = { ...exchange, port: Number(new URL(exchange.rest).port) };
  await caughtUp(venue);
  return venue;
}

/** Creates a folder, fills it, runs the program on it, and removes it. */
export async function withVenue<Result>(
  options: VenueOptions & Omit<MakerOptions, "folder"> & { readonly fill?: (maker: JournalMaker) => void },
  measure: (venue: Venue) => Promise<Result>,
): Promise<Result> {
  return withFolder(async (folder) => {
    const maker = new JournalMaker({ ...options, folder });
    options.fill?.(maker);
    maker.close({ snapshot: true });
    const venue = await startVenue(folder, options);
    try {
      return await measure(venue);
    } finally {
      await venue.kill();
    }
  });
}

export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const parent = temporaryFolder();
  try {
    return await work(join(parent, "data"));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

export const copyFolder = (from: string, to: string): void => cpSync(from, to, { recursive: true });

/** Resolves when history has reached the end of the journal. */
async function caughtUp(venue: Exchange): Promise<void> {
  const lag = (): Promise<number> => metric(venue, "pricetime_history_lag_commands");
  await untilAnswer("history has followed", lag, (commands) => commands === 0, { withinMs: 600_000, everyMs: 100 });
}

/** Rebuilds history from the journal, as an operator would. May take longer than other commands of a test. */
export async function rebuildHistory(dataFolder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [...PRICETIME, "history", "rebuild", "--data", dataFolder]);
}
