/** One attack on a node while other clients trade: measurements before, during and after it. */
import { setTimeout as sleep } from "node:timers/promises";
import { comes } from "@pricetime/testkit/waiting";
import { Peer } from "@pricetime/testkit/peer";
import type { Exchange } from "@pricetime/testkit/venue";
import type { Campaign, Row } from "./attack.ts";
import { closeHostiles } from "./hostile.ts";
import { watchMemory } from "./memory.ts";
import type { QuietOrder, QuietReport } from "./quiet-messages.ts";
import { journalFault } from "./starts.ts";
import { QUIET_SYMBOL, startOnCopy, type Venue } from "./venue.ts";
import { BOUND, isSlowness, judge, p99, type Seen, summary } from "./verdict.ts";

/** Orders and cancels of the quiet client per second: 5 of each from each of its four accounts. */
const QUIET_RATE = 40;
const WARM_UP_MS = 1_500;
/** The length of one measurement of normal behavior. */
const STRETCH_MS = 2_500;
const MOST_STRETCHES = 4;
const CALM_MS = 25;
const WAIT_EVERY_MS = 50;
/** How soon the node must be ready after an attack. */
const READY_WITHIN_MS = 10_000;

export interface Target {
  readonly exchange: Exchange;
  readonly venue: Venue;
  readonly port: number;
  readonly adminPort: number;
  readonly isAlive: () => boolean;
  /** When other clients have been observed long enough. */
  readonly endMs: number;
}

export interface Siege {
  readonly name: string;
  readonly does: string;
  /** Returns what the attacker observed, in a few words, and promises of its own that did not hold. */
  readonly strike: (target: Target) => Promise<{ readonly saw: string; readonly broken?: readonly string[] }>;
}

/**
 * Repeats the attack if only the quiet client's p99 was exceeded: a random delay on a busy machine does not repeat, the
 * effect of an attack does.
 */
export async function besiege(campaign: Campaign, siege: Siege): Promise<Row> {
  const first = await besiegeOnce(campaign, siege);
  const [only, ...others] = first.broken;
  if (only === undefined || others.length > 0 || !isSlowness(only)) return first;
  campaign.say(`  trying again: ${only}`);
  const second = await besiegeOnce(campaign, siege);
  return { ...second, saw: `${second.saw}; second attempt (first: ${only})` };
}

async function besiegeOnce(campaign: Campaign, { name, does, strike }: Siege): Promise<Row> {
  const { scope, seconds } = campaign;
  const venue = await campaign.venue();
  const exchange = await startOnCopy(venue, scope);
  const memory = watchMemory(exchange.pid);
  scope.defer(() => memory.stop());
  const quiet: Quiet = new Peer(new URL("./quiet-process.ts", import.meta.url));
  scope.defer(() => quiet.end());
  const [port, adminPort] = [exchange.rest, exchange.admin].map((url) => Number(new URL(url).port)) as [number, number];
  const { admin } = exchange;
  quiet.order({ type: "start", port, admin, symbol: QUIET_SYMBOL, accounts: venue.quiet, rate: QUIET_RATE });
  await quiet.told("started");
  await sleep(WARM_UP_MS);
  const usual = await usualOf(quiet);
  const usualMiB = memory.take();

  const endMs = performance.now() + seconds * 1000;
  const isAlive = (): boolean => memory.ended() === null;
  const { saw, broken = [] } = await strike({ exchange, venue, port, adminPort, isAlive, endMs }).catch(endedEarly);
  while (performance.now() < endMs && isAlive()) await sleep(WAIT_EVERY_MS);
  quiet.order({ type: "stop" });
  const during = (await quiet.told("stopped")).seen;
  quiet.end();
  closeHostiles();
  const peakMiB = memory.take();
  const ended = memory.ended();
  const isReadyAfter = ended === null && (await comes(() => isReady(exchange), { withinMs: READY_WITHIN_MS }));
  const endedBadly = ended ?? (await stopFault(exchange));
  memory.stop();
  const booksFault = journalFault(exchange.dataFolder);
  const measured = { usual, during, ended: endedBadly, isReadyAfter, usualMiB, peakMiB, booksFault };
  const whole = `${summary(measured)}${saw === "" ? "" : `; ${saw}`}`;
  return { attack: name, does, bound: BOUND, saw: whole, broken: [...judge(measured), ...broken] };
}

type Quiet = Peer<QuietOrder, QuietReport>;

/** The first calm measurement, or the calmest of a few, because other programs may disturb one. */
async function usualOf(quiet: Quiet): Promise<Seen> {
  const seen: Seen[] = [];
  await windowOf(quiet);
  while (seen.length < MOST_STRETCHES) {
    await sleep(STRETCH_MS);
    const stretch = await windowOf(quiet);
    if (p99(stretch) <= CALM_MS) return stretch;
    seen.push(stretch);
  }
  return seen.reduce((calmest, each) => (p99(each) < p99(calmest) ? each : calmest));
}

async function windowOf(quiet: Quiet): Promise<Seen> {
  quiet.order({ type: "window" });
  return (await quiet.told("window")).seen;
}

async function isReady({ admin }: Exchange): Promise<boolean> {
  return (await fetch(`${admin}/readyz`)).status === 200;
}

const endedEarly = ({ message }: Error): { saw: string; broken: readonly string[] } => ({
  ...{ saw: "", broken: [`it was not carried out to its end: ${message}`] },
});

async function stopFault(exchange: Exchange): Promise<string | null> {
  const code = await exchange.stop();
  return code === 0 ? null : `a stop ended with code ${code}`;
}
