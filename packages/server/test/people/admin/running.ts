/** A real admin server over a real engine, sequencer, in-memory journal, wallet and outbox, for tests. */
import type { AdminNode } from "../../../src/people/admin/node.ts";
import assert from "node:assert/strict";
import { sharedEmailWarnings } from "../../../src/people/admin/account-routes.ts";
import { rmSync } from "node:fs";
import { DAY_MS, Engine, type Entry, type Event } from "@pricetime/engine";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { CHEAP_HASHES } from "@pricetime/testkit/sign-in-work";
import { historyOver } from "@pricetime/testkit/journal";
import { AdminServer, type AdminServerParts } from "../../../src/people/admin/server.ts";
import type { JournalSource } from "../../../src/cluster/catch-up/port.ts";
import { createLinkSecrets } from "../../../src/platform/secrets/link-secrets.ts";
import { createSealer, type Sealer } from "../../../src/platform/secrets/seal.ts";
import { totpCheck } from "../../../src/platform/secrets/totp.ts";
import { HistoryWriter } from "../../../src/history/writing/history-writer.ts";
import { openQueries } from "../../../src/history/reading/queries.ts";
import { openHistoryFile } from "../../../src/history/table/schema.ts";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import { checkAnswer } from "../http/check-answer.ts";
import type { FileOutbox } from "../../../src/people/mail/mail-room.ts";
import { openMail } from "../../../src/people/mail/open-mail.ts";
import { DiskSpace, Health } from "../../../src/platform/observe/health.ts";
import { createLog } from "../../../src/platform/observe/log.ts";
import { LastHour } from "../../../src/platform/observe/last-hour.ts";
import { Metrics } from "../../../src/platform/observe/metrics.ts";
import { type Audits, AuditRefused } from "../../../src/funds/proof/folder/port.ts";
import { watchReplica } from "../../../src/journal/replica/projection.ts";
import { adoptNewestRules } from "../../../src/journal/sequencer/start.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { GUESS_LIMITS, type GuessLimits } from "../../../src/people/sign-in/limits.ts";
import type { HashCost } from "../../../src/people/sign-in/passwords.ts";
import { openSignIn } from "../../../src/people/sign-in/sign-in.ts";
import type { Web } from "../../../src/api/web/file.ts";
import { NodeWallet } from "../../../src/funds/wallet/wallet.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { NOTHING_SAVED, type World } from "../../../src/platform/world/port.ts";

export const TOKEN = "a-token-for-tests-only";
export const NODE_TOKEN = "a-token-of-nodes-for-tests";
export const MASTER_KEY = "00112233445566778899aabbccddeeff".repeat(2);

export interface RunningEngine {
  readonly engine: Engine;
  readonly journal: MemoryJournal;
  readonly sequencer: GroupCommitSequencer;
  readonly sealer: Sealer;
}

export function startEngine(
  onApplied?: (engine: Engine, entry: Entry, events: readonly Event[]) => void,
  world: World = MACHINE,
): RunningEngine {
  const engine = new Engine();
  const journal = new MemoryJournal();
  const onFatal = (error: Error): void => {
    throw error;
  };
  const sequencer = new GroupCommitSequencer({
    world,
    journal,
    engine,
    node: "test",
    onFatal,
    onApplied: (entry, events) => onApplied?.(engine, entry, events),
  });
  return { engine, journal, sequencer, sealer: createSealer(MASTER_KEY, MACHINE) };
}

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface RunningAdmin extends RunningEngine {
  readonly url: string;
  readonly metrics: Metrics;
  readonly hour: LastHour;
  /** A sandbox network SAND, which makes blocks on request, and a manual network HAND. Not started. */
  readonly wallet: NodeWallet;
  readonly mail: FileOutbox;
  /** The inputs of /readyz. */
  readonly health: Health;
  /** Calls with the admin token; `body` is sent as JSON. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>;
  /** As `call`, but expects this status and returns the body. */
  readonly wanted: (status: number, method: string, path: string, body?: unknown) => Promise<Reply["body"]>;
  readonly close: () => Promise<void>;
}

export interface AdminOptions {
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly web?: Web;
  /** Serves TLS; the test's process must trust its certificate authority. */
  readonly certificates?: AdminServerParts["certificates"];
  /** Default: no history. */
  readonly source?: JournalSource;
  /** Default: proofs are unavailable. */
  readonly audits?: Audits;
  /** Default: the machine's clock. */
  readonly world?: World;
  /** Default: a venue, not a lab. */
  readonly isLab?: boolean;
  /** Default: no excluded accounts. */
  readonly reports?: AdminNode["reports"];
  /** The admin server's log; default: discarded. */
  readonly log?: AdminServerParts["log"];
  /** Default: `GUESS_LIMITS`. */
  readonly guessLimits?: GuessLimits;
  /** Default: `CHEAP_HASHES`. */
  readonly hashCost?: HashCost;
}

const refuseAudit = (): Promise<never> => Promise.reject(new AuditRefused("NOT_POSSIBLE", "the journal is in memory"));
const NO_AUDITS: Audits = {
  treasury: refuseAudit,
  makeProof: refuseAudit,
  makePublished: refuseAudit,
  publications: refuseAudit,
  newestMoment: refuseAudit,
  reserves: refuseAudit,
  addReserves: refuseAudit,
  proofs: refuseAudit,
  entries: refuseAudit,
  publicPart: refuseAudit,
  customerPart: refuseAudit,
};

const NO_SOURCE: JournalSource = {
  rows: () => Promise.reject(new Error("there is no journal to give")),
  snapshot: () => Promise.resolve(undefined),
};

export async function startAdmin({
  port = 0,
  hosts = [],
  source = NO_SOURCE,
  audits = NO_AUDITS,
  world = MACHINE,
  isLab = false,
  reports = { excludedAccounts: [] },
  guessLimits = GUESS_LIMITS,
  hashCost = CHEAP_HASHES,
  ...pages
}: AdminOptions = {}): Promise<RunningAdmin> {
  const database = openHistoryFile(":memory:");
  const writer = new HistoryWriter(database);
  const queries = openQueries(database);
  const running = startEngine((view, entry, events) => {
    writer.record(view, entry, events, view.postings);
    writer.commit(view, "");
  }, world);
  const { engine, journal, sequencer, sealer } = running;
  const metrics = new Metrics();
  const fees = { makerBps: 10, takerBps: 20 };
  const log = createLog({ level: "silent", node: "test" });
  const dataFolder = temporaryFolder();
  await adoptNewestRules(engine, sequencer);
  const wallet = await openWallet(running, dataFolder);
  const clock = { warning: null, fault: null };
  const accounts = { warnings: () => sharedEmailWarnings(engine) };
  const health = new Health({ sequencer, engine, projector: engine, wallet, troubles: { all: {} }, clock, accounts });
  health.isServing = true;
  const mailSettings = { from: "exchange@example.com", smtp: null };
  const mail = openMail({
    world: MACHINE,
    dataFolder,
    mail: mailSettings,
    publicUrl: () => "http://x",
    log,
  });
  const history = historyOver(queries, () => engine.seq);
  watchReplica(metrics, engine, engine, sequencer);
  const disk = new DiskSpace(dataFolder);
  const hour = new LastHour({ metrics, disk, clock: MACHINE });
  const watch = { health, hour, disk, version: "1.2.3", startedMs: hour.startedMs };
  const outside = { history, wallet, controls: wallet, outbox: mail };
  const kept = { watch, journalHead: () => journal.head(), source, audits, fees, reports, isLab };
  const ground = { view: engine, sequencer, sealer, world };
  const links = createLinkSecrets(MASTER_KEY);
  const { signIn } = openSignIn({
    ...ground,
    links,
    checkTotp: totpCheck(sealer, NOTHING_SAVED),
    guessLimits,
    hashCost,
  });
  const access = { signIn, links, publicUrl: () => "http://x", invitationLifeMs: 7 * DAY_MS };
  const node = { ...ground, ...access, ...kept, ...outside };
  const server = new AdminServer({
    node,
    token: TOKEN,
    nodeToken: NODE_TOKEN,
    hosts,
    health,
    metrics,
    log,
    version: "1.2.3",
    ...pages,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    hour.stop();
    await server.close();
    await wallet.stop();
    await mail.close();
    rmSync(dataFolder, { recursive: true, force: true });
  };
  let url: string;
  try {
    url = `${pages.certificates === undefined ? "http" : "https"}://127.0.0.1:${await server.listen(port)}`;
  } catch (error) {
    await close();
    throw error;
  }
  const headers = { authorization: `Bearer ${TOKEN}`, "x-pricetime-user": "dora" };
  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers, ...sent });
    const reply = { status: response.status, body: (await response.json()) as Record<string, unknown> };
    checkAnswer({ method, path, ...reply });
    return reply;
  };
  const wanted: RunningAdmin["wanted"] = async (status, method, path, body) => {
    const reply = await call(method, path, body);
    assert.equal(reply.status, status, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return { ...running, url, metrics, hour, wallet, mail, health, call, wanted, close };
}

function openWallet({ engine, sequencer }: RunningEngine, dataFolder: string): Promise<NodeWallet> {
  return NodeWallet.open({
    world: MACHINE,
    networks: [
      { kind: "sandbox", network: "SAND", blockMs: 0, maxPendingPayments: 2 },
      { kind: "manual", network: "HAND", addresses: ["hand-1"], sharedAddress: "hand-all" },
    ],
    view: engine,
    sequencer,
    log: createLog({ level: "silent", node: "test" }),
    dataFolder,
    seed: "test",
    onFatal: (error) => {
      throw error;
    },
  });
}
