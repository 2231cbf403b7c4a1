/**
 * The wiring of a node. Read it from top to bottom to know the architecture: everything is constructed here, in order,
 * and nowhere else. What is made later and listens to what was made earlier is connected once it is there.
 */
import { AdminServer } from "./admin/server.ts";
import { createGateway } from "./api/gateway.ts";
import { checkIsNoBackup } from "./backup/record.ts";
import { FolderSource } from "./cluster/catch-up/serve-rows.ts";
import { ClusterNode } from "./cluster/cluster-node.ts";
import type { OpenCluster } from "./cluster/open-cluster.ts";
import { adminToken, removeAdminFile } from "./config/admin-file.ts";
import type { Config } from "./config/config.ts";
import { createConfirmations } from "./config/confirmations.ts";
import { whyPaymentsAreHeld } from "./config/held-payments.ts";
import { createSealer } from "./config/seal.ts";
import { sharedSettings } from "./config/shared-settings.ts";
import { totpCheck } from "./config/totp.ts";
import { demoOf } from "./demo/demo.ts";
import type { Demo } from "./demo/port.ts";
import { TellingOrder } from "./edge/telling-order.ts";
import { openNodeMail } from "./mail/open-mail.ts";
import { Health } from "./observe/health.ts";
import { createLog, type Logger } from "./observe/log.ts";
import { Metrics } from "./observe/metrics.ts";
import { type PartTrouble, Troubles } from "./observe/troubles.ts";
import { GroupCommitSequencer } from "./sequencer/group-commit.ts";
import { type Addresses, isOwnMachine, OwnAddress, portsOf } from "./start/address.ts";
import { checkIsAlone } from "./start/check-alone.ts";
import { bannerOf } from "./start/banner.ts";
import { logFatal, logLeap, logStart, logTrouble } from "./start/log-lines.ts";
import { masterKeyOf, nodeTokenOf } from "./start/master-key.ts";
import { openDoors } from "./start/open-doors.ts";
import { type OpenedFolder, openFolder } from "./start/open-folder.ts";
import { sharedOf } from "./start/open-shared.ts";
import { prepareJournal } from "./start/prepare-journal.ts";
import { type Node, runProgram } from "./start/program.ts";
import { VERSION } from "./start/version.ts";
import { watchNode } from "./start/watch-node.ts";
import { dataPaths } from "./storage/data-paths.ts";
import { Streams } from "./streams/streams.ts";
import { TradingRules } from "./trading-rules/trading-rules.ts";
import { openWallet } from "./wallet/open-wallet.ts";
import { openSites } from "./web/sites.ts";
import { checkNotBehind } from "./world/clock-behind.ts";
import { GuardedClock } from "./world/guarded-clock.ts";
import { MACHINE, MACHINE_CLOCKS } from "./world/machine.ts";
import type { World } from "./world/port.ts";

/**
 * Resolves when clients can connect. Rejects with `ConfigError` and other errors of `start/failure.ts`, whose message
 * is one line for the operator, when the node cannot start; and when `signal` ends a start that waits for other nodes.
 */
export async function startNode(given: Config, signal?: AbortSignal): Promise<Node> {
  const log = createLog({ level: given.logLevel, node: given.node, isReadable: given.isTerminal });
  const failed = Promise.withResolvers<Error>();
  const onFatal = (error: Error): void => {
    logFatal(log, error);
    failed.resolve(error);
  };

  // What the node is to run with; time, timers and dice.
  const demo = demoOf(given, log);
  const { config } = demo;
  const troubles = new Troubles((trouble) => logTrouble(log, trouble));
  const onLeap = (aheadMs: number | null): void => logLeap(log, aheadMs);
  const clock = new GuardedClock({ clocks: MACHINE_CLOCKS, timers: MACHINE, limits: config.clock, onLeap });
  const world: World = { ...MACHINE, nowMs: clock.nowMs };

  // What is on disk: the journal, the replica made from it, and the history that follows it.
  checkIsNoBackup(config.dataFolder);
  if (config.cluster === null) checkIsAlone(config.dataFolder);
  const onTrouble = (trouble: PartTrouble): void => troubles.note(trouble);
  const { dataFolder, snapshotEveryCommands: snapshotEveryEntries } = config;
  const opening = { world, folder: dataFolder, snapshotEveryEntries, onFatal, onTrouble };
  const folder = await openFolder(opening, sharedOf(config, world, log, signal));
  try {
    checkNotBehind(clock.nowMs(), folder.storage.recovery.engine.timeMs, config.clock.maxLeapMs);
    const failure = failed.promise.then((error) => Promise.reject(error));
    const ground = { config, demo, log, troubles, clock, world, folder, onFatal, signal };
    const served = await Promise.race([serve(ground), failure]);
    const stop = async (): Promise<void> => {
      await served.stop();
      await folder.close();
      log.info({ seq: folder.storage.recovery.engine.seq }, "stopped");
    };
    return { ...served, stop, failed: failed.promise };
  } catch (error) {
    await folder.giveUp();
    throw error;
  }
}

interface Ground {
  readonly config: Config;
  readonly demo: Demo;
  readonly log: Logger;
  readonly troubles: Troubles;
  readonly clock: GuardedClock;
  readonly world: World;
  readonly folder: OpenedFolder<OpenCluster>;
  readonly onFatal: (error: Error) => void;
  /** Ends a start that waits for other nodes. */
  readonly signal: AbortSignal | undefined;
}

/** Everything but the folder, which its opener closes. When it rejects, nothing of it runs any more. */
async function serve(ground: Ground): Promise<Omit<Node, "failed">> {
  const { config, demo, log, troubles, clock, world, folder } = ground;
  const { storage, shared } = folder;
  const { recovery } = storage;
  const core = openCore(ground);
  const { masterKey, sequencer, cluster, address, metrics, node } = core;
  const rooms = await openRooms(ground, core);
  const { tradingRules, mail, gateway, admin, token, health } = rooms;
  const running = { demo, clock, ...core, ...rooms };
  watchNode(metrics, { ...running, storage, shared, troubles });
  const stop = (): Promise<void> => {
    health.isServing = false;
    return stopInTurn(running, config.dataFolder);
  };

  // What the journal must say first, and who is on the exchange; then the doors open, and what runs by itself begins.
  try {
    cluster?.start(sequencer, gateway);
    sequencer.start();
    const prepare = (): Promise<string[]> => prepareJournal({ node, masterKey, cluster, demo, gateway });
    const warnings = await (cluster === undefined ? prepare() : cluster.prepare(prepare, ground.signal));
    if (cluster === undefined) await tradingRules.release();
    await storage.started();
    const addresses = await openDoors({ gateway, admin }, address, config, token);
    cluster?.tellAdmin(addresses.admin);
    mail.letters.catchUp(world.nowMs());
    folder.keep();
    await beginWork(running, addresses);
    clock.start();
    health.isServing = true;
    logStart(log, { config, recovery, rest: address.rest }, warnings);
    const banner = bannerOf(config, addresses, recovery.engine, demo.shown);
    return { rest: address.rest, ports: portsOf(addresses), banner, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Core = ReturnType<typeof openCore>;

/** The way of a command: into the journal, then into the engine; and what all rooms need. */
function openCore({ config, log, troubles, world, folder, onFatal }: Ground) {
  const { node: name, cluster: settings } = config;
  const { journal, projector, recovery } = folder.storage;
  const { engine } = recovery;
  const metrics = new Metrics();
  const masterKey = masterKeyOf(config, engine, world);
  const sealer = createSealer(masterKey, world);

  // Among several nodes: how far this one is, and what it may do.
  const { shared } = folder;
  const own = { node: name, release: VERSION, sharedSettings: sharedSettings(config, masterKey) };
  const cluster =
    shared && settings ? new ClusterNode({ ...shared, ...own, settings, engine, world, log, onFatal }) : undefined;

  // The only way in: commands are made durable, then applied, then told and answered.
  const telling = new TellingOrder();
  const sequencer = new GroupCommitSequencer({
    journal,
    engine,
    node: name,
    ...(cluster !== undefined && { shared: cluster.order }),
    ...(settings !== null && { limits: { answerPatienceMs: settings.answerPatienceMs } }),
    world,
    onFatal,
    historySeq: () => projector.seq,
    onJournalTrouble: troubles.noteOf("journal"),
    onApplied: telling.applied,
    onBatch: ({ firstSeq, count, appendMs }) => {
      projector.publish(firstSeq + count - 1);
      metrics.batchCommitted(count, appendMs);
    },
  });
  const node = { view: engine, sequencer, sealer, world };
  return { masterKey, address: new OwnAddress(config), metrics, telling, sequencer, cluster, node };
}

type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** What stands around the core. */
async function openRooms(ground: Ground, core: Core) {
  const { config, demo, log, troubles, clock, world, folder, onFatal } = ground;
  const { address, metrics, telling, sequencer, cluster, node } = core;
  const { journal, history, projector, recovery } = folder.storage;
  const { engine } = recovery;
  const { sealer } = node;
  const publicUrl = (): string => address.publicUrl;
  const confirmations = createConfirmations(core.masterKey);

  // What locks those who trade too carelessly, what knows the networks outside, and what writes to customers.
  const means = { view: engine, sequencer, history, world, log, onFatal };
  const isEnabled = config.tradingRules.enabled && config.limits.enabled;
  const tradingRules = new TradingRules({ settings: { ...config.tradingRules, enabled: isEnabled }, ...means });
  const whyHeld = (): string => whyPaymentsAreHeld(config.dataFolder);
  const outer = { cluster, whyHeld, onSandboxTrouble: troubles.noteOf("sandbox") };
  const wallet = await openWallet({ ...config, ...means, ...outer });
  const letters = { ...means, confirmations, publicUrl, onTrouble: troubles.noteOf("mail") };
  const mail = openNodeMail({ ...config, ...letters, isShared: cluster !== undefined });

  // What browsers are shown, what clients speak to, and what they listen to on the same port.
  const symbols = (): string[] => engine.markets().map(({ spec }) => spec.symbol);
  const sites = openSites({
    version: VERSION,
    publicUrl,
    symbols,
    demoAccounts: demo.shown?.accounts ?? null,
    isPublic: config.publicUrl !== null && !isOwnMachine(new URL(config.publicUrl).hostname),
    ratesLimited: config.limits.enabled,
  });
  const gateway = createGateway({
    ...means,
    engine,
    telling,
    unseal: (sealed) => sealer.unseal(sealed),
    walletPorts: { wallet, tradingRules, confirmations, checkTotp: totpCheck(sealer) },
    limits: config.limits,
    http: config.http,
    trustedProxies: config.http.trustedProxies,
    web: sites.main,
    fresh: cluster?.fresh,
    onAnswered: (endpoint, status, elapsedMs) => metrics.requestDone(endpoint, status, elapsedMs),
  });
  const told = { config, log, world, telling, latest: cluster?.latest };
  const streams = new Streams({ engine, clock: sequencer, history, sink: gateway, ...told });
  gateway.handUpgradesTo(streams);
  telling.follow(streams, gateway, mail.letters);

  // What operators speak to, on loopback only.
  const health = new Health({ sequencer, engine, projector, wallet, troubles, clock, cluster });
  const token = adminToken(config.adminToken, config.dataFolder, world);
  const source = new FolderSource(dataPaths(config.dataFolder), () => whyHeld() !== "");
  const kept = { history, journalHead: () => journal.head(), source, fees: config.fees };
  const outside = { wallet, controls: wallet, outbox: mail.outbox, cluster };
  const door = { token, nodeToken: nodeTokenOf(config), hosts: config.adminHosts, web: sites.admin, version: VERSION };
  const admin = new AdminServer({ node: { ...node, ...kept, ...outside }, ...door, health, metrics, log });
  return { tradingRules, wallet, mail, gateway, streams, admin, source, token, health };
}

type Running = Core & Rooms & Pick<Ground, "demo" | "clock">;

/** What a node does by itself: all of it when it is alone, else what it holds the role of. */
async function beginWork(
  { cluster, demo, tradingRules, wallet, mail, sequencer }: Running,
  at: Addresses,
): Promise<void> {
  if (cluster !== undefined) {
    await demo.show(at);
    cluster.holdRoles([...wallet.parts, ...mail.parts, tradingRules.part, ...demo.parts], sequencer);
    return;
  }
  await demo.start(at);
  tradingRules.start();
  wallet.start();
}

/**
 * Stops the parts in reverse order: those that ask before those that answer, and those before the storage. Streams
 * close once the last order is answered, so that their listeners hear of it.
 */
async function stopInTurn(running: Running, dataFolder: string): Promise<void> {
  const { demo, gateway, streams, admin, source, tradingRules, wallet, mail, sequencer, cluster, clock } = running;
  await cluster?.endRoles();
  await demo.stop();
  await Promise.all([gateway.drain(), streams.drain()]);
  await streams.close();
  await gateway.close();
  await admin.close();
  await source.close();
  // While the folder is still this node's own.
  removeAdminFile(dataFolder);
  await tradingRules.stop();
  await wallet.stop();
  await mail.outbox.close();
  await sequencer.stop();
  cluster?.stop();
  clock.stop();
}

/** Runs a node until it is told to stop; resolves to the exit code. */
export function main(argv: readonly string[]): Promise<number> {
  return runProgram(argv, startNode, MACHINE);
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
