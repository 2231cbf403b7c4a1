/** A campaign: a cluster, clients, one fault after another, and in the end a check of everything that was recorded. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dice } from "@pricetime/testkit/dice";
import type { DemoAccount } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { checkAgreement } from "./checks/agreement.ts";
import { Course } from "./checks/course.ts";
import { checkChanges } from "./checks/exactly-once.ts";
import { Findings } from "./checks/findings.ts";
import { checkJournals } from "./checks/journals.ts";
import { entriesOf } from "./checks/log.ts";
import { checkRegisters } from "./checks/order-register.ts";
import { checkPayments, readChain } from "./checks/payments.ts";
import { checkReads } from "./checks/reads.ts";
import { checkRights } from "./checks/rights.ts";
import { checkDepthStreams, checkTradeStreams, checkUserStreams } from "./checks/streams.ts";
import { Crowd, type Record as Recorded } from "./clients/crowd.ts";
import { Payer } from "./clients/payer.ts";
import { Arena, COIN, NETWORK, SYMBOLS } from "./cluster/arena.ts";
import type { Fault, Witness } from "./faults/fault.ts";
import { HOLDER_FAULT } from "./faults/holder.ts";
import { schedule } from "./faults/schedule.ts";

export interface CampaignOptions {
  /** The minimum time with faults. It continues until each of `faults` has occurred once. */
  readonly seconds: number;
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly say: (line: string) => void;
  readonly accounts?: number;
  /**
   * The folder for the clients' records, the nodes' output and their data if there is a finding; undefined: nothing is
   * kept.
   */
  readonly keepIn?: string | undefined;
  /** Arguments for Node.js, for each node of the cluster. */
  readonly nodeArgs?: readonly string[];
  /** Called before the clients start. */
  readonly onStarted?: () => void;
}

export interface CampaignResult {
  readonly findings: Findings;
  /** The number of examined items of each kind. */
  readonly checked: Readonly<Record<string, number>>;
  /** How many times each fault occurred. Faults that this machine does not support are reported with the reason. */
  readonly faults: ReadonlyMap<string, number>;
  readonly skipped: ReadonlyMap<string, string>;
  /** Faults that occurred without their intended effect. */
  readonly short: readonly string[];
}

/** How soon the cluster must serve every client after everything is repaired. */
const BACK_WITHIN_MS = 30_000;
const BETWEEN_MS = 1_000;
const MAX_STALE_MS = 10_000;

/** Rejects if the cluster does not start. Any later failure is a finding. */
export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seed, accounts = 4 } = options;
  const arena = await Arena.start({ ...options, accounts, smallDisks: true });
  const findings = new Findings();
  try {
    const places = (): Place[] => arena.nodes.map(({ place }) => place);
    const crowd = await Crowd.gather({ accounts: arena.accounts, symbols: SYMBOLS, places, seed });
    const payer = payerIn(arena, seed);
    options.onStarted?.();
    crowd.start();
    payer.start();
    const broken = await breakThings(arena, options, crowd, findings);
    const checked = await settle(arena, options, { crowd, payer, faults: broken.faults }, findings).catch(
      async (error: Error) => {
        findings.add("service", `the cluster does not settle: ${reasonOf(error)}`);
        // Listeners would otherwise look for a node forever.
        await crowd.leave();
        return {};
      },
    );
    if (options.keepIn !== undefined && findings.total > 0) keepRecords(options.keepIn, crowd);
    return { findings, checked, ...broken };
  } finally {
    await arena.stop(findings.total > 0 ? options.keepIn : undefined);
  }
}

function payerIn(arena: Arena, seed: number): Payer {
  const account = arena.payer as DemoAccount;
  const places = (): Place[] => arena.nodes.map(({ place }) => place);
  const dice = new Dice(seed * 1_000 + 900);
  return new Payer({ account, coin: COIN, network: NETWORK, places, operated: () => arena.operated, dice });
}

/** Writes one file with everything that clients recorded, one operation or connection per line. */
function keepRecords(folder: string, crowd: Crowd): void {
  mkdirSync(folder, { recursive: true });
  const { operations, users, trades, depths } = crowd.record;
  const lines = [...operations, ...users, ...trades, ...depths].map((each) => JSON.stringify(each));
  writeFileSync(join(folder, "records.jsonl"), `${lines.join("\n")}\n`);
}

interface Customers extends Pick<CampaignResult, "faults"> {
  readonly crowd: Crowd;
  readonly payer: Payer;
}

/** Waits until everything has settled, and runs all checks. */
async function settle(
  arena: Arena,
  { say }: CampaignOptions,
  { crowd, payer, faults }: Customers,
  findings: Findings,
): Promise<Record<string, number>> {
  await arena
    .mend()
    .catch((error: Error) => findings.add("service", `the cluster cannot be repaired: ${reasonOf(error)}`));
  await crowd.stopTrading();
  if (!(await payer.stop())) findings.add("service", "deposits or withdrawals are still pending");
  await checkQuiet(arena, findings);
  const recorded = await crowd.leave();
  say(`${recorded.operations.length} operations recorded; checking`);
  const { rows, departures } = checkJournals(arena.nodes, findings);
  const course = new Course(entriesOf(rows, findings), findings);
  const checked = check(arena, recorded, course, findings);
  checkRights(course.rights, rows, departures, faults.has(HOLDER_FAULT.name), findings);
  const { credited, paid } = checkPayments(readChain(arena.chain), payer.withdrawals, course.wallet, findings);
  const places = arena.nodes.map(({ place }) => place);
  const accounts = [...arena.accounts, arena.payer as DemoAccount];
  const questions = await checkAgreement(places, accounts, SYMBOLS, course, findings);
  const { acts, lateActs, moves } = course.rights;
  return { ...checked, questions, acts, lateActs: lateActs.size, moves, credited, paid };
}

type Place = ReturnType<CrowdPlaces>[number];
type CrowdPlaces = Parameters<typeof Crowd.gather>[0]["places"];

async function breakThings(
  arena: Arena,
  { seconds, seed, faults: wanted, say }: CampaignOptions,
  crowd: Crowd,
  findings: Findings,
): Promise<Pick<CampaignResult, "faults" | "skipped" | "short">> {
  const dice = new Dice(seed);
  const skipped = new Map(
    wanted.flatMap(({ name, without }) => {
      const why = without?.(arena);
      return why === undefined ? [] : [[name, why] as const];
    }),
  );
  for (const [name, why] of skipped) say(`not tried: ${name}: ${why}`);
  const possible = wanted.filter(({ name }) => !skipped.has(name));
  const faults = new Map<string, number>();
  const short: string[] = [];
  const beganMs = performance.now();
  const isOver = (): boolean => performance.now() - beganMs >= seconds * 1_000 && faults.size === possible.length;
  for (const fault of schedule(dice, possible)) {
    if (isOver()) break;
    const startMs = performance.now();
    const said: string[] = [];
    const fail = (what: string): void => findings.add("service", `${what}: '${fault.name}' (${said.join("; ")})`);
    const witness: Witness = {
      say: (what) => void said.push(what),
      mustServe: async (withinMs) => {
        if (!(await serves(arena, crowd, withinMs))) fail(`no service within ${withinMs} ms`);
      },
      fellShort: (what) => {
        said.push(what);
        short.push(`${fault.name}: ${what}`);
      },
    };
    await fault.run(arena, dice, witness).catch((error: Error) => fail(reasonOf(error)));
    faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1);
    const mendedMs = performance.now();
    const isBack = await serves(arena, crowd, BACK_WITHIN_MS);
    const backMs = performance.now() - mendedMs;
    say(
      `${fault.name} (${said.join("; ")}): ${(mendedMs - startMs).toFixed(0)} ms, and back after ${backMs.toFixed(0)} ms`,
    );
    if (!isBack) fail(`no service ${BACK_WITHIN_MS} ms after it`);
    reportEnded(arena, fault, findings);
    const isMended = await arena.mend().then(
      () => true,
      () => false,
    );
    // The remaining problems are reported when it settles.
    if (!isMended) break;
    await new Promise((done) => setTimeout(done, BETWEEN_MS));
  }
  return { faults, skipped, short };
}

/** The last line of a program's output that explains an error. */
function reasonOf({ message }: Error): string {
  const lines = message.split("\n");
  return lines.findLast((line) => /"level":"fatal"|^pricetime: |Error: /.test(line)) ?? lines[0] ?? "";
}

/** Whether each node acknowledges a change that is requested from now on. */
function serves(arena: Arena, crowd: Crowd, withinMs: number): Promise<boolean> {
  const fromMs = performance.now();
  let looked = crowd.operations.length;
  const serving = new Set<string>();
  return comes(
    () => {
      for (; looked < crowd.operations.length; looked++) {
        const { ask, node, beganMs, outcome } = crowd.operations[looked] as Recorded["operations"][number];
        if (beganMs >= fromMs && ask.kind === "place" && outcome.is === "done") serving.add(node);
      }
      return serving.size === arena.nodes.length;
    },
    { withinMs, everyMs: 20 },
  );
}

/** Reports nodes that have exited: no fault is a valid reason to. */
function reportEnded(arena: Arena, { name }: Fault, findings: Findings): void {
  for (const node of arena.nodes) {
    if (node.isAlive) continue;
    const said = node.exchange?.output().slice(-1_000) ?? "";
    findings.add("service", `${node.name} exited after '${name}'. Its output: ${said}`);
  }
}

async function checkQuiet(arena: Arena, findings: Findings): Promise<void> {
  const positions = await arena.quiet();
  for (const [at, position] of positions.entries()) {
    const [first] = positions;
    for (const what of ["lastSeq", "chainHash", "eventDigest"] as const) {
      if (position[what] === first?.[what]) continue;
      const [one, other] = [arena.nodes[0]?.name, arena.nodes[at]?.name];
      findings.add("agreement", `${what}: ${first?.[what]} at ${one}, ${position[what]} at ${other}`);
    }
  }
}

function check(arena: Arena, recorded: Recorded, course: Course, findings: Findings): Record<string, number> {
  const { operations, users, trades, depths } = recorded;
  const emails = arena.accounts.map(({ email }) => email);
  const { acknowledged, doneUnknown } = checkChanges(operations, course, findings);
  const { reads, stale } = checkReads(operations, emails, course, { maxStaleMs: MAX_STALE_MS }, findings);
  const orders = checkRegisters(operations, findings);
  const messages =
    checkUserStreams(users, emails, course, findings) +
    checkTradeStreams(trades, course, findings) +
    checkDepthStreams(depths, findings);
  const unknown = operations.filter(({ outcome }) => outcome.is === "unknown").length;
  const notTaken = operations.filter(({ outcome }) => outcome.is === "notTaken").length;
  const counts = { operations: operations.length, acknowledged, unknown, doneUnknown, notTaken, reads, stale };
  return { ...counts, orders, messages, entries: course.lastSeq };
}
