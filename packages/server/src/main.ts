/**
 * The wiring of a node. Read it to know the architecture: everything is constructed here, in order,
 * and nowhere else.
 */
import { type AdminNode } from "./admin/node.ts";
import { applyListing } from "./admin/listing.ts";
import { ADMIN_HOST, AdminServer } from "./admin/server.ts";
import { adminToken, writeAdminFile } from "./config/admin-file.ts";
import { type Config, loadConfig } from "./config/config.ts";
import { readFlags } from "./config/flags.ts";
import { masterKey } from "./config/master-key.ts";
import { createSealer } from "./config/seal.ts";
import { withdrawDemoKeys } from "./demo/accounts.ts";
import { type Demo, openDemo } from "./demo/demo.ts";
import { demoListing } from "./demo/listing.ts";
import { removeDemoFile } from "./demo/demo-file.ts";
import { Gateway } from "./gateway/gateway.ts";
import { DEFAULT_HTTP_LIMITS } from "./gateway/http/limits.ts";
import { createLog } from "./observe/log.ts";
import { Health } from "./observe/health.ts";
import { Metrics } from "./observe/metrics.ts";
import { openStorage } from "./replica/storage.ts";
import { GroupCommitSequencer } from "./sequencer/group-commit.ts";
import { baseUrl, isOwnMachine } from "./start/address.ts";
import { startFailure } from "./start/failure.ts";
import { untilToldToStop } from "./start/signals.ts";

interface Node {
  /** Where clients connect. */
  readonly rest: string;
  /** Resolves when the node must stop: told to, or because it cannot go on. */
  readonly ended: Promise<Error | undefined>;
  stop(): Promise<void>;
}

async function startNode(config: Config): Promise<Node> {
  const log = createLog({ level: config.logLevel, node: config.node });
  const ended = Promise.withResolvers<Error | undefined>();
  const onFatal = (error: Error): void => {
    log.fatal({ err: error }, "the node cannot go on");
    ended.resolve(error);
  };

  // What is on disk: the journal, the replica that it makes, and the history that follows it.
  const storage = openStorage({
    folder: config.dataFolder,
    snapshotEveryEntries: config.snapshotEveryCommands,
    onFatal,
  });
  const { journal, history, projector } = storage;
  const { engine, ...recovered } = storage.recovery;
  log.info({ seq: engine.seq, fromSnapshot: recovered.snapshotSeq, ms: Math.round(recovered.durationMs) }, "recovered");
  for (const why of recovered.refused) log.warn(why);

  const metrics = new Metrics();
  const sealer = createSealer(masterKey(config.masterKey, config.dataFolder));

  // The only way in: commands are made durable, then applied, then answered.
  const sequencer = new GroupCommitSequencer({
    journal,
    engine,
    node: config.node,
    onFatal,
    historySeq: () => projector.seq,
    onApplied: (_, events) => {
      for (const event of events) if (event.type === "apiKeyDeleted") gateway.forgetApiKey(event.apiKey);
    },
    onBatch: ({ firstSeq, count, appendMs }) => {
      projector.publish(firstSeq + count - 1);
      metrics.batchCommitted(count, appendMs);
    },
  });

  // What clients speak to.
  const gateway = new Gateway({
    engine,
    sequencer,
    history,
    unseal: (sealed) => sealer.unseal(sealed),
    limits: config.limits,
    http: { ...DEFAULT_HTTP_LIMITS, ...config.http },
    trustedProxies: config.http.trustedProxies,
    log,
    onFatal,
    onAnswered: (endpoint, status, elapsedMs) => metrics.requestDone(endpoint, status, elapsedMs),
  });

  // What the exchange lists and who is on it.
  const listing = config.demo ? demoListing(config) : config;
  const { exchangeFilters } = config;
  const differing = await applyListing({ ...listing, exchangeFilters }, engine, sequencer);
  for (const what of differing) log.warn(`${what} is configured otherwise than it is listed; it stays as listed`);
  const ownNode = { view: engine, sequencer, sealer };
  let demo: Demo | undefined;
  if (config.demo) demo = await openDemo(ownNode, gateway, config, log);
  else if ((await withdrawDemoKeys(ownNode)) > 0) log.warn("keys of an earlier demo were deleted");

  // What operators speak to, on loopback only.
  const token = adminToken(config.adminToken, config.dataFolder);
  let isServing = false;
  const health = new Health({
    isServing: () => isServing,
    canWriteJournal: () => sequencer.canAppend,
    journalSeq: () => engine.seq,
    historySeq: () => projector.seq,
  });
  metrics.collectProcess();
  metrics.read({
    openConnections: () => gateway.openConnections,
    requestsInFlight: () => gateway.requestsInFlight,
    openOrders: () => engine.openOrderCount,
    journalSeq: () => engine.seq,
    historySeq: () => projector.seq,
  });
  const adminNode: AdminNode = { ...ownNode, journalHead: () => journal.head(), fees: config.fees };
  const admin = new AdminServer({ node: adminNode, token, health, metrics, log });

  const adminUrl = baseUrl("http", ADMIN_HOST, await admin.listen(config.adminPort));
  const port = await gateway.listen(config.host, config.port);
  const rest = baseUrl("http", config.host, port);
  writeAdminFile(config.dataFolder, { admin: adminUrl, adminToken: token });
  if (demo === undefined) removeDemoFile(config.dataFolder);
  else {
    const addresses = { rest, ws: baseUrl("ws", config.host, port), admin: adminUrl, adminToken: token };
    demo.announce(addresses, !isOwnMachine(config.host));
    await demo.start();
  }
  isServing = true;

  // In reverse: what asks stops before what answers, and what answers before what remembers.
  const stop = async (): Promise<void> => {
    isServing = false;
    await demo?.stop();
    await gateway.close();
    await admin.close();
    await sequencer.stop();
    await storage.close();
    log.info({ seq: engine.seq }, "stopped");
  };
  return { rest, ended: ended.promise, stop };
}

/** Runs a node until it is told to stop; resolves to the exit code. What fails at the start is told in one line. */
export async function main(argv: readonly string[]): Promise<number> {
  const told = untilToldToStop();
  let node: Node;
  try {
    const flags = readFlags(argv);
    if (flags === null) return 0;
    node = await startNode(loadConfig({ flags, environment: process.env }));
  } catch (error) {
    process.stderr.write(`pricetime: ${startFailure(error)}\n`);
    return 1;
  }
  process.stdout.write(`ready ${node.rest}\n`);
  const failure = await Promise.race([told, node.ended]);
  if (failure !== undefined) return 1;
  await node.stop();
  return 0;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
