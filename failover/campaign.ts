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
import { Clients, type Record as Recorded } from "./clients/clients.ts";
import { Payer } from "./clients/payer.ts";
import type { NodeAddress } from "./clients/trader.ts";
import { TestCluster, COIN, NETWORK, SYMBOLS } from "./cluster/test-cluster.ts";
import type { Fault, FaultLog } from "./faults/fault.ts";
import { OWNER_FAULT } from "./faults/owner.ts";
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
  const cluster = await TestCluster.start({ ...options, accounts, smallDisks: true });
  const findings = new Findings();
  try {
    const places = (): NodeAddress[] => cluster.nodes.map(({ place }) => place);
    const clients = await Clients.gather({ accounts: cluster.accounts, symbols: SYMBOLS, places, seed });
    const payer = payerIn(cluster, seed);
    options.onStarted?.();
    clients.start();
    payer.start();
    const broken = await breakThings(cluster, options, clients, findings);
    const checked = await settle(cluster, options, { clients, payer, faults: broken.faults }, findings).catch(
      async (error: Error) => {
        findings.add("service", `the cluster does not settle: ${reasonOf(error)}`);
        // Listeners would otherwise look for a node forever.
        await clients.leave();
        return {};
      },
    );
    if (options.keepIn !== undefined && findings.total > 0) keepRecords(options.keepIn, clients);
    return { findings, checked, ...broken };
  } finally {
    await cluster.stop(findings.total > 0 ? options.keepIn : undefined);
  }
}

function payerIn(cluster: TestCluster, seed: number): Payer {
  const account = cluster.payer as DemoAccount;
  const places = (): NodeAddress[] => cluster.nodes.map(({ place }) => place);
  const dice = new Dice(seed * 1_000 + 900);
  return new Payer({ account, coin: COIN, network: NETWORK, places, operated: () => cluster.operated, dice });
}

/** Writes one file with everything that clients recorded, one operation or connection per line. */
function keepRecords(folder: string, clients: Clients): void {
  mkdirSync(folder, { recursive: true });
  const { operations, users, trades, depths } = clients.record;
  const lines = [...operations, ...users, ...trades, ...depths].map((each) => JSON.stringify(each));
  writeFileSync(join(folder, "records.jsonl"), `${lines.join("\n")}\n`);
}

interface Customers extends Pick<CampaignResult, "faults"> {
  readonly clients: Clients;
  readonly payer: Payer;
}

/** Waits until everything has settled, and runs all checks. */
async function settle(
  cluster: TestCluster,
  { say }: CampaignOptions,
  { clients, payer, faults }: Customers,
  findings: Findings,
): Promise<Record<string, number>> {
  await cluster
    .mend()
    .catch((error: Error) => findings.add("service", `the cluster cannot be repaired: ${reasonOf(error)}`));
  await clients.stopTrading();
  if (!(await payer.stop())) findings.add("service", "deposits or withdrawals are still pending");
  await checkQuiet(cluster, findings);
  const recorded = await clients.leave();
  say(`${recorded.operations.length} operations recorded; checking`);
  const { rows, departures } = checkJournals(cluster.nodes, findings);
  const course = new Course(entriesOf(rows, findings), findings);
  const checked = check(cluster, recorded, course, findings);
  checkRights(course.rights, rows, departures, faults.has(OWNER_FAULT.name), findings);
  const { credited, paid } = checkPayments(readChain(cluster.chain), payer.withdrawals, course.wallet, findings);
  const places = cluster.nodes.map(({ place }) => place);
  const accounts = [...cluster.accounts, cluster.payer as DemoAccount];
  const questions = await checkAgreement(places, accounts, SYMBOLS, course, findings);
  const { acts, lateActs, moves } = course.rights;
  return { ...checked, questions, acts, lateActs: lateActs.size, moves, credited, paid };
}

async function breakThings(
  cluster: TestCluster,
  { seconds, seed, faults: wanted, say }: CampaignOptions,
  clients: Clients,
  findings: Findings,
): Promise<Pick<CampaignResult, "faults" | "skipped" | "short">> {
  const dice = new Dice(seed);
  const skipped = new Map(
    wanted.flatMap(({ name, without }) => {
      const why = without?.(cluster);
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
    const log: FaultLog = {
      say: (what) => void said.push(what),
      mustServe: async (withinMs) => {
        if (!(await serves(cluster, clients, withinMs))) fail(`no service within ${withinMs} ms`);
      },
      fellShort: (what) => {
        said.push(what);
        short.push(`${fault.name}: ${what}`);
      },
    };
    await fault.run(cluster, dice, log).catch((error: Error) => fail(reasonOf(error)));
    faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1);
    const mendedMs = performance.now();
    const isBack = await serves(cluster, clients, BACK_WITHIN_MS);
    const backMs = performance.now() - mendedMs;
    say(
      `${fault.name} (${said.join("; ")}): ${(mendedMs - startMs).toFixed(0)} ms, and back after ${backMs.toFixed(0)} ms`,
    );
    if (!isBack) fail(`no service ${BACK_WITHIN_MS} ms after it`);
    reportEnded(cluster, fault, findings);
    const isMended = await cluster.mend().then(
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
function serves(cluster: TestCluster, clients: Clients, withinMs: number): Promise<boolean> {
  const fromMs = performance.now();
  let looked = clients.operations.length;
  const serving = new Set<string>();
  return comes(
    () => {
      for (; looked < clients.operations.length; looked++) {
        const { ask, node, beganMs, outcome } = clients.operations[looked] as Recorded["operations"][number];
        if (beganMs >= fromMs && ask.kind === "place" && outcome.is === "done") serving.add(node);
      }
      return serving.size === cluster.nodes.length;
    },
    { withinMs, everyMs: 20 },
  );
}

/** Reports nodes that have exited: no fault is a valid reason to. */
function reportEnded(cluster: TestCluster, { name }: Fault, findings: Findings): void {
  for (const node of cluster.nodes) {
    if (node.isAlive) continue;
    const said = node.exchange?.output().slice(-1_000) ?? "";
    findings.add("service", `${node.name} exited after '${name}'. Its output: ${said}`);
  }
}

async function checkQuiet(cluster: TestCluster, findings: Findings): Promise<void> {
  const positions = await cluster.quiet();
  for (const [at, position] of positions.entries()) {
    const [first] = positions;
    for (const what of ["lastSeq", "chainHash", "eventDigest"] as const) {
      if (position[what] === first?.[what]) continue;
      const [one, other] = [cluster.nodes[0]?.name, cluster.nodes[at]?.name];
      findings.add("agreement", `${what}: ${first?.[what]} at ${one}, ${position[what]} at ${other}`);
    }
  }
}

function check(cluster: TestCluster, recorded: Recorded, course: Course, findings: Findings): Record<string, number> {
  const { operations, users, trades, depths } = recorded;
  const emails = cluster.accounts.map(({ email }) => email);
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
