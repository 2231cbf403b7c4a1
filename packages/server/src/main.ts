/**
 * The wiring of a node. Read it to know the architecture: everything is constructed here, in order,
 * and nowhere else.
 */
import { applyListing } from "./admin/listing.ts";
import { ADMIN_HOST, AdminServer } from "./admin/server.ts";
import { adminToken, writeAdminFile } from "./config/admin-file.ts";
import { type Config, loadConfig } from "./config/config.ts";
import { readFlags } from "./config/flags.ts";
import { masterKey } from "./config/master-key.ts";
import { createSealer } from "./config/seal.ts";
import { withdrawDemoKeys } from "./demo/accounts.ts";
import { openDemo } from "./demo/demo.ts";
import { demoListing } from "./demo/listing.ts";
import { removeDemoFile } from "./demo/demo-file.ts";
import { type Gateway, createGateway } from "./gateway/gateway.ts";
import { Streams } from "./gateway/stream/streams.ts";
import { type Logger, createLog } from "./observe/log.ts";
import { Health } from "./observe/health.ts";
import { Metrics } from "./observe/metrics.ts";
import { TROUBLED_PARTS, Troubles } from "./observe/troubles.ts";
import { type Storage, openStorage } from "./replica/storage.ts";
import { GroupCommitSequencer } from "./sequencer/group-commit.ts";
import { baseUrl, isOwnMachine } from "./start/address.ts";
import { startFailure } from "./start/failure.ts";
import { untilToldToStop } from "./start/signals.ts";

interface Node {
  /** Where clients connect. */
  readonly rest: string;
  /** Resolves when the node cannot go on. */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

async function startNode(config: Config): Promise<Node> {
  const log = createLog({ level: config.logLevel, node: config.node });
  const failed = Promise.withResolvers<Error>();
  const onFatal = (error: Error): void => {
    log.fatal({ err: error }, "the node cannot go on");
    failed.resolve(error);
  };

  const troubles = new Troubles(({ part, message }) => {
    if (message === null) log.info(`${part}: can be written again`);
    else log.warn({ why: message }, `${part}: cannot be written, and is tried again`);
  });

  // What is on disk: the journal, the replica that it makes, and the history that follows it.
  const storage = openStorage({
    folder: config.dataFolder,
    snapshotEveryEntries: config.snapshotEveryCommands,
    onFatal,
    onTrouble: (trouble) => troubles.note(trouble),
  });
  try {
    return { ...(await serve({ config, storage, log, troubles, onFatal })), failed: failed.promise };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

interface Parts {
  readonly config: Config;
  readonly storage: Storage;
  readonly log: Logger;
  readonly troubles: Troubles;
  readonly onFatal: (error: Error) => void;
}

async function serve({ config, storage, log, troubles, onFatal }: Parts): Promise<Omit<Node, "failed">> {
  const { journal, history, projector, recovery } = storage;
  const { engine } = recovery;
  const metrics = new Metrics();
  const sealer = createSealer(masterKey(config.masterKey, config.dataFolder));

  // The only way in: commands are made durable, then applied, then answered.
  const sequencer = new GroupCommitSequencer({
    journal,
    engine,
    node: config.node,
    onFatal,
    historySeq: () => projector.seq,
    onJournalTrouble: (error) => troubles.note({ part: "journal", message: error?.message ?? null }),
    onApplied: (entry, events) => {
      streams.applied(entry, events);
      for (const event of events) if (event.type === "apiKeyDeleted") gateway.forgetApiKey(event.apiKey);
    },
    onBatch: ({ firstSeq, count, appendMs }) => {
      projector.publish(firstSeq + count - 1);
      metrics.batchCommitted(count, appendMs);
    },
  });

  // What clients speak to.
  const gateway = createGateway({
    engine,
    sequencer,
    history,
    unseal: (sealed) => sealer.unseal(sealed),
    limits: config.limits,
    http: config.http,
    trustedProxies: config.http.trustedProxies,
    log,
    onFatal,
    onUpgrade: (request, socket, head) => streams.upgrade(request, socket, head),
    onAnswered: (endpoint, status, elapsedMs) => metrics.requestDone(endpoint, status, elapsedMs),
  });

  // What clients listen to, on the same port.
  const streams = new Streams({ engine, clock: sequencer, history, sink: gateway, config, log });

  // What operators speak to, on loopback only.
  const ownNode = { view: engine, sequencer, sealer };
  const token = adminToken(config.adminToken, config.dataFolder);
  let isServing = false;
  const health = new Health({
    isServing: () => isServing,
    canWriteJournal: () => sequencer.canAppend,
    journalSeq: () => engine.seq,
    historySeq: () => projector.seq,
    troubles: () => troubles.all,
  });
  watch({ metrics, storage, gateway, streams, troubles });
  const adminNode = { ...ownNode, journalHead: () => journal.head(), fees: config.fees };
  const admin = new AdminServer({ node: adminNode, token, health, metrics, log });

  // What the exchange lists and who is on it; then the doors open.
  const differing = await applyListing(
    { ...(config.demo ? demoListing(config) : config), exchangeFilters: config.exchangeFilters },
    engine,
    sequencer,
  );
  const demo = config.demo ? await openDemo(ownNode, gateway, config, log) : undefined;
  const withdrawn = config.demo ? 0 : await withdrawDemoKeys(ownNode);
  await storage.started();
  const adminUrl = baseUrl("http", ADMIN_HOST, await admin.listen(config.adminPort));
  const port = await gateway.listen(config.host, config.port);
  const [rest, ws] = [baseUrl("http", config.host, port), baseUrl("ws", config.host, port)];
  writeAdminFile(config.dataFolder, { admin: adminUrl, adminToken: token });
  if (demo === undefined) removeDemoFile(config.dataFolder);
  else await demo.start({ rest, ws, admin: adminUrl, adminToken: token }, !isOwnMachine(config.host));
  isServing = true;
  logStart(log, rest, storage, differing);
  if (withdrawn > 0) log.warn("keys of an earlier demo were deleted");

  // In reverse: what asks stops before what answers, and what answers before what remembers. Streams are
  // closed once the last order is answered: who listens hears of it.
  const stop = async (): Promise<void> => {
    isServing = false;
    await demo?.stop();
    await Promise.all([gateway.drain(), streams.drain()]);
    await streams.close();
    await gateway.close();
    await admin.close();
    await sequencer.stop();
    await storage.close();
    log.info({ seq: engine.seq }, "stopped");
  };
  return { rest, stop };
}

function logStart(log: Logger, rest: string, { recovery }: Storage, differing: readonly string[]): void {
  const { engine, snapshotSeq, durationMs } = recovery;
  log.info({ rest, seq: engine.seq, fromSnapshot: snapshotSeq, recoveryMs: durationMs }, "serving");
  for (const why of recovery.refused) log.warn(why);
  for (const what of differing) log.warn(`${what} is configured otherwise than it is listed; it stays as listed`);
}

interface Watched {
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly troubles: Troubles;
}

/** What /metrics reads when it is asked. */
function watch({ metrics, storage, gateway, streams: { sockets }, troubles }: Watched): void {
  const { recovery, projector } = storage;
  const { engine } = recovery;
  metrics.collectProcess();
  metrics.read({
    openConnections: () => gateway.openConnections,
    requestsInFlight: () => gateway.requestsInFlight,
    openOrders: () => engine.openOrderCount,
    journalSeq: () => engine.seq,
    historySeq: () => projector.seq,
  });
  metrics.gauge("pricetime_sockets_open", "WebSockets that are open", () => sockets.open);
  metrics.counter("pricetime_stream_messages_total", "Messages sent to WebSockets", () => sockets.messagesSent);
  metrics.counter("pricetime_sockets_dropped_total", "Clients that did not read in time", () => sockets.slowDropped);
  for (const part of TROUBLED_PARTS) {
    const help = `Times that the ${part} could not be written`;
    metrics.counter(`pricetime_${part}_failures_total`, help, () => troubles.failures(part));
  }
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
  const failure = await Promise.race([told, node.failed]);
  if (failure !== undefined) return 1;
  await node.stop();
  return 0;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
