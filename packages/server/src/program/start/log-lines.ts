/** Log lines of the start and of failures of a node. */
import { listingWarnings } from "../../platform/config/listing-warnings.ts";
import type { Config } from "../../platform/config/config.ts";
import { whyPaymentsAreHeld } from "../../platform/config/held-payments.ts";
import { LogTrimmed } from "../../journal/port.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { PartTrouble } from "../../platform/observe/troubles.ts";
import type { Recovery } from "../../journal/replica/recover.ts";
import { leapText } from "../../platform/world/guarded-clock.ts";
import { VERSION } from "./version.ts";

type Log = Pick<Logger, "info" | "warn" | "error">;

/** `error`: why the node cannot go on. */
export function logFatal(log: Pick<Logger, "warn" | "fatal">, error: Error): void {
  if (error instanceof LogTrimmed) log.warn({ why: error.message }, "behind the cluster's log, restarting to catch up");
  else log.fatal({ err: error }, "node stopped because of a fatal error");
}

export function logTrouble(log: Log, { part, message }: PartTrouble): void {
  if (message === null) log.info(`${part}: write succeeded again`);
  else log.warn({ why: message }, `${part}: write failed, retrying`);
}

/** `aheadMs`: null when the wall clock is followed again. */
export function logLeap(log: Log, aheadMs: number | null): void {
  if (aheadMs === null) log.info("wall clock is correct again");
  else log.error({ aheadMs }, leapText(aheadMs));
}

/** `warnings`: what the start found, beside those of the configuration and the recovery. */
export function logStart(
  log: Log,
  { config, recovery, rest }: { readonly config: Config; readonly recovery: Recovery; readonly rest: string },
  warnings: readonly string[],
): void {
  const { engine, snapshotSeq, durationMs } = recovery;
  log.info({ version: VERSION, rest, seq: engine.seq, fromSnapshot: snapshotSeq, recoveryMs: durationMs }, "serving");
  const { symbols, tradingRules, limits, fees } = config;
  if (tradingRules.enabled && !limits.enabled) log.warn("tradingRules: disabled because limits are disabled");
  const held = whyPaymentsAreHeld(config.dataFolder);
  if (held !== "") log.warn(held);
  const configured = new Set(symbols.map(({ symbol }) => symbol));
  const markets = engine.markets().filter(({ spec }) => configured.has(spec.symbol));
  const unusual = markets.flatMap((market) => listingWarnings({ view: engine, fees }, market));
  for (const why of [...config.warnings, ...recovery.refused, ...unusual, ...warnings]) log.warn(why);
}
