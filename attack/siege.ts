/** One attack on a node while others trade: before, meanwhile, and what is left of it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Peer } from "../soak/peer.ts";
import { type Exchange, ROOT } from "../test/exchange.ts";
import type { Campaign, Row } from "./attack.ts";
import type { QuietOrder, QuietReport } from "./quiet-messages.ts";
import { QUIET_SYMBOL, startOnCopy, type Venue } from "./venue.ts";
import { BOUND, isSlowness, judge, p99, type Seen, summary } from "./verdict.ts";

/** Orders and cancels of the quiet client: 5 of each a second from each of its four accounts. */
const QUIET_RATE = 40;
const WARM_UP_MS = 1_500;
/** In which the usual is measured. */
const STRETCH_MS = 2_500;
const MOST_STRETCHES = 4;
const CALM_MS = 25;
const SAMPLE_MS = 50;
/** Then the node is killed, for the sake of the machine. */
const LETHAL_MIB = 6 * 1024;

export interface Target {
  readonly exchange: Exchange;
  readonly venue: Venue;
  readonly port: number;
  readonly adminPort: number;
  readonly isAlive: () => boolean;
  /** When others have been watched for long enough. */
  readonly endMs: number;
}

export interface Siege {
  readonly name: string;
  readonly does: string;
  /** Answers with what the attacker saw, in a few words, and with promises of its own that did not hold. */
  readonly strike: (target: Target) => Promise<{ readonly saw: string; readonly broken?: readonly string[] }>;
}

/**
 * Once more when nothing but the quiet client's p99 was wrong: what a busy machine does by chance it does not do
 * twice, and an attack does.
 */
export async function besiege(campaign: Campaign, siege: Siege): Promise<Row> {
  const first = await besiegeOnce(campaign, siege);
  const [only, ...others] = first.broken;
  if (only === undefined || others.length > 0 || !isSlowness(only)) return first;
  campaign.say(`  once more, for ${only}`);
  const second = await besiegeOnce(campaign, siege);
  return { ...second, saw: `${second.saw}; the second time (the first: ${only})` };
}

async function besiegeOnce(campaign: Campaign, { name, does, strike }: Siege): Promise<Row> {
  const { scope, seconds } = campaign;
  const venue = await campaign.venue();
  const exchange = await startOnCopy(venue, scope);
  const memory = watchMemory(exchange.pid);
  scope.defer(() => memory.stop());
  const quiet: Quiet = new Peer("../attack/quiet-process.ts");
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
  const { saw, broken = [] } = await strike({ exchange, venue, port, adminPort, isAlive, endMs });
  while (performance.now() < endMs && isAlive()) await sleep(SAMPLE_MS);
  quiet.order({ type: "stop" });
  const during = (await quiet.told("stopped")).seen;
  quiet.end();
  const peakMiB = memory.take();
  const ended = memory.ended();
  const isReadyAfter = ended === null && (await isReady(exchange));
  const endedBadly = ended ?? (await stopFault(exchange));
  memory.stop();
  const booksFault = faultOfBooks(exchange.dataFolder);
  const measured = { usual, during, ended: endedBadly, isReadyAfter, usualMiB, peakMiB, booksFault };
  const whole = `${summary(measured)}${saw === "" ? "" : `; ${saw}`}`;
  return { attack: name, does, bound: BOUND, saw: whole, broken: [...judge(measured), ...broken] };
}

type Quiet = Peer<QuietOrder, QuietReport>;

/** The first calm stretch, or the calmest of a few: what else the machine does is not usual. */
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
  try {
    return (await fetch(`${admin}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

async function stopFault(exchange: Exchange): Promise<string | null> {
  const code = await exchange.stop();
  return code === 0 ? null : `a stop ended with code ${code}`;
}

/** `journal verify`: chain, states, and that all postings of each asset add up to zero. Null: sound. */
export function faultOfBooks(folder: string): string | null {
  const program = join(ROOT, "packages/server/src/cli/pricetime.ts");
  const args = ["--disable-warning=ExperimentalWarning", program, "journal", "verify", "--data", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return status === 0 ? null : `${stdout}${stderr}`.trim().slice(-300);
}

interface MemoryWatch {
  /** The peak since it was last asked, MiB. */
  take(): number;
  /** Why the process is no more; null: it lives. */
  ended(): string | null;
  stop(): void;
}

/** Of memory that is no page of a file. */
function watchMemory(pid: number): MemoryWatch {
  let peakMiB = 0;
  let why: string | null = null;
  const sample = (): void => {
    const now = anonymousMiB(pid);
    if (now === null) why ??= "the process ended";
    else peakMiB = Math.max(peakMiB, now);
    if (now === null || now <= LETHAL_MIB || why !== null) return;
    why = `the process took more than ${LETHAL_MIB} MiB and was killed for it`;
    process.kill(pid, "SIGKILL");
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    take: () => {
      sample();
      const taken = peakMiB;
      peakMiB = 0;
      return taken;
    },
    ended: () => {
      sample();
      return why;
    },
    stop: () => clearInterval(timer),
  };
}

/** Null: there is no such process. */
function anonymousMiB(pid: number): number | null {
  try {
    const found = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return found === undefined ? null : Number(found) / 1024;
  } catch {
    return null;
  }
}
