/** Constructs all parts of a node in order. Read it from top to bottom to learn the architecture. */
import { VENUE_INTERFACES } from "@pricetime/protocol";
import { AdminServer } from "./people/admin/server.ts";
import { sharedEmailWarnings } from "./people/admin/account-routes.ts";
import { coarseSymbols } from "./platform/config/listing-warnings.ts";
import { createGateway } from "./api/gateway.ts";
import { checkIsNoBackup } from "./journal/backup/backup.ts";
import { FolderSource } from "./cluster/catch-up/serve-rows.ts";
import { type Certificates, openCertificates } from "./platform/certificates.ts";
import { ClusterNode } from "./cluster/cluster-node.ts";
import type { OpenCluster } from "./cluster/open-cluster.ts";
import { adminToken } from "./platform/config/admin-file.ts";
import { type Config, settingDigests, sharedSettings } from "./platform/config/config.ts";
import { createConfirmations, createLinkSecrets } from "./platform/secrets/link-secrets.ts";
import { whyPaymentsAreHeld } from "./platform/config/held-payments.ts";
import { createSealer } from "./platform/secrets/seal.ts";
import { totpCheck } from "./platform/secrets/totp.ts";
import { openAccountApi } from "./people/customer/account-api.ts";
import { demoOf } from "./lab/demo/demo.ts";
import type { Demo } from "./lab/demo/port.ts";
import { SendQueue } from "./api/edge/send-queue.ts";
import { labOf } from "./lab/open-lab.ts";
import type { Lab } from "./lab/port.ts";
import { openNodeMail } from "./people/mail/open-mail.ts";
import { DiskSpace, Health, type PartTrouble, Troubles } from "./platform/observe/health.ts";
import { createLog, type Logger } from "./platform/observe/log.ts";
import { LastHour } from "./platform/observe/last-hour.ts";
import { Metrics } from "./platform/observe/metrics.ts";
import { Auditor } from "./funds/proof/folder/auditor.ts";
import { DailyProofs } from "./funds/proof/folder/daily-proofs.ts";
import { GroupCommitSequencer } from "./journal/sequencer/group-commit.ts";
import { isOwnMachine, openPorts, OwnAddress, portsOf } from "./program/start/address.ts";
import { beginWork, Life, type Ports } from "./program/start/life.ts";
import { checkIsAlone, type OpenedFolder, openFolder, sharedOf } from "./program/start/open-folder.ts";
import { openSignIn } from "./people/sign-in/sign-in.ts";
import { bannerOf } from "./program/start/banner.ts";
import { logFatal, logLeap, logStart, logTrouble, watchNode } from "./program/start/log-and-metrics.ts";
import { masterKeyOf, nodeTokenOf } from "./program/start/master-key.ts";
import { prepareJournal } from "./program/start/prepare-journal.ts";
import { type Node, runProgram } from "./program/start/program.ts";
import { VERSION } from "./program/start/version.ts";
import { dataPaths } from "./journal/storage/data-folder.ts";
import { Streams } from "./api/streams/streams.ts";
import { TradingRules } from "./funds/trading-rules.ts";
import { openWallet } from "./funds/wallet/wallet.ts";
import { type Branding, emailBrandingOf, emailVenueOf, readBranding } from "./api/web/branding.ts";
import { openSites } from "./api/web/sites.ts";
import { GuardedClock } from "./platform/world/clock.ts";
import { MACHINE, MACHINE_CLOCKS } from "./platform/world/machine.ts";
import type { World } from "./platform/world/port.ts";

/**
 * Starts a node. Resolves when clients can connect. If the node cannot start, rejects with `ConfigError` or another
 * error listed in `program/start/program.ts`, whose message is one line for the operator. `signal` aborts a start that
 * waits for other nodes.
 */
export async function startNode(given: Config, signal?: AbortSignal): Promise<Node> {
  const log = createLog({ level: given.logLevel, node: given.node, isReadable: given.isTerminal });
  const branding = readBranding(given.branding);
  const failed = Promise.withResolvers<Error>();
  const onFatal = (error: Error): void => {
    logFatal(log, error);
    failed.resolve(error);
  };

  // Time, timers, the random source and the log.
  const troubles = new Troubles((trouble) => logTrouble(log, trouble));
  const onLeap = (aheadMs: number | null): void => logLeap(log, aheadMs);
  const clock = new GuardedClock({ clocks: MACHINE_CLOCKS, timers: MACHINE, limits: given.clock, onLeap });
  const machine: World = { ...MACHINE, nowMs: clock.nowMs };

  // The TLS certificates, which are reloaded when their files change.
  const certificates = await openCertificates(given, { log, machine });

  // A lab replaces the machine's environment. A demo adds listings to the configuration.
  const lab = await labOf(given, { machine, version: VERSION, log, onFatal });
  const { world } = lab;
  const demo = demoOf(lab.config, log, lab.forDemo);
  const { config } = demo;

  // The data folder: the journal, the replica built from the journal, and the history.
  checkIsNoBackup(config.dataFolder);
  if (config.cluster === null) checkIsAlone(config.dataFolder);
  const onTrouble = (trouble: PartTrouble): void => troubles.note(trouble);
  const { dataFolder, snapshotEveryCommands: snapshotEveryEntries } = config;
  const opening = { world, folder: dataFolder, snapshotEveryEntries, onFatal, onTrouble };
  const shared = sharedOf(config, world, log, certificates.admin, signal);
  const folder = await openFolder(lab.openStorage, opening, shared).catch((error: unknown) => {
    certificates.stop();
    throw error;
  });
  try {
    lab.begin(folder.storage.recovery.engine.timeMs);
    const failure = failed.promise.then((error) => Promise.reject(error));
    const own = { config, branding, demo, lab, log, troubles, clock, machine, world };
    const context = { ...own, certificates, folder, onFatal, signal };
    const served = await Promise.race([serve(context), failure]);
    const stop = async (): Promise<void> => {
      certificates.stop();
      await served.stop();
      lab.ended();
      await folder.close();
      lab.close();
      log.info({ seq: folder.storage.recovery.engine.seq }, "stopped");
    };
    return { ...served, data: dataFolder, stop, failed: failed.promise };
  } catch (error) {
    certificates.stop();
    await folder.giveUp();
    lab.close();
    throw error;
  }
}

interface StartContext {
  readonly config: Config;
  readonly branding: Branding;
  readonly demo: Demo;
  readonly lab: Lab;
  readonly log: Logger;
  readonly troubles: Troubles;
  readonly clock: GuardedClock;
  /** The machine's own clock and timers, for sockets and the log, which do not affect results. */
  readonly machine: World;
  readonly world: World;
  readonly certificates: Certificates;
  readonly folder: OpenedFolder<OpenCluster>;
  readonly onFatal: (error: Error) => void;
  /** Aborts a start that waits for other nodes. */
  readonly signal: AbortSignal | undefined;
}

/** Starts everything on an open folder, which the caller closes. If this rejects, all parts have been stopped. */
async function serve(context: StartContext): Promise<Omit<Node, "data" | "failed">> {
  const { config, demo, lab, log, clock, world, folder, signal } = context;
  const { recovery } = folder.storage;
  const running = await build(context);
  const { cluster, address, sequencer, gateway, admin, token, mail, tradingRules } = running;
  running.metrics.collectProcess();
  const life = new Life(running, config.dataFolder, (before) => build(context, before));

  // First prepare the journal, then open the ports, then start the node's tasks.
  try {
    cluster?.start(sequencer, gateway);
    sequencer.start();
    const prepared = (): Promise<string[]> => prepareJournal(running);
    const warnings = await (cluster === undefined ? prepared() : cluster.prepare(prepared, signal));
    if (cluster === undefined) await tradingRules.release();
    await folder.storage.started();
    const addresses = await openPorts({ gateway, admin }, address, config, token, context.certificates);
    lab.goesBackBy((rebuilding) => life.goBack(addresses, rebuilding));
    cluster?.tellAdmin(addresses.admin);
    mail.letters.catchUp(world.nowMs());
    folder.keep();
    await beginWork(running, addresses);
    await lab.started();
    clock.start();
    running.health.isServing = true;
    logStart(log, { config, recovery, rest: address.rest }, warnings);
    const banner = bannerOf(config, addresses, recovery.engine, demo.shown, lab.shown);
    return { rest: address.rest, ports: portsOf(addresses), banner, stop: () => life.stop() };
  } catch (error) {
    await life.stop();
    throw error;
  }
}

type Running = Core & Services & AdminParts & Pick<StartContext, "demo" | "clock" | "log">;

/** Constructs all parts on the folder, without starting them. */
async function build(context: StartContext, before?: Ports): Promise<Running> {
  const { demo, clock, log, folder, troubles, certificates } = context;
  const { storage, shared } = folder;
  const core = openCore(context, before);
  const services = await openServices(context, core, before);
  const running = { demo, clock, log, ...core, ...services, ...openAdmin(context, core, services, before) };
  watchNode(core.metrics, { ...running, storage, shared, troubles, certificates });
  return running;
}

type Applied = SendQueue["applied"];

type Core = ReturnType<typeof openCore>;

/** Constructs the path of a command into the journal and the engine, and what all other parts need. */
function openCore({ config, log, troubles, world, folder, onFatal }: StartContext, before?: Ports) {
  const { node: name, cluster: settings } = config;
  const { journal, projector, recovery, record } = folder.storage;
  const { engine } = recovery;
  const metrics = before?.metrics ?? new Metrics();
  const masterKey = masterKeyOf(config, engine, world);
  const sealer = createSealer(masterKey, world);

  // The node's membership in a cluster.
  const { shared } = folder;
  const settingsOf = { settingDigests: settingDigests(config, masterKey), sharedSettings: sharedSettings(config) };
  const own = { node: name, release: VERSION, ...settingsOf };
  const cluster =
    shared && settings ? new ClusterNode({ ...shared, ...own, settings, engine, world, log, onFatal }) : undefined;

  // All commands pass through the sequencer: each is made durable, then applied, then published and answered.
  const sendQueue = before?.sendQueue ?? new SendQueue();
  sendQueue.leaveAll();
  const sequencer = new GroupCommitSequencer({
    journal,
    engine,
    node: name,
    ...(cluster !== undefined && { shared: cluster.order }),
    ...(settings !== null && { limits: { submitTimeoutMs: settings.submitTimeoutMs } }),
    world,
    onFatal,
    historySeq: () => projector.seq,
    onJournalTrouble: troubles.noteOf("journal"),
    onApplied: record === undefined ? sendQueue.applied : inTurn(record, sendQueue.applied),
    onBatch: ({ firstSeq, count, appendMs }) => {
      projector.publish(firstSeq + count - 1);
      metrics.batchCommitted(count, appendMs);
    },
  });
  const node = { view: engine, sequencer, sealer, world };
  const address = before?.address ?? new OwnAddress(config);
  return { masterKey, address, metrics, sendQueue, sequencer, cluster, node };
}

/** In a lab, an entry is recorded in history before it is published, because the same thread answers queries. */
function inTurn(record: Applied, tell: Applied): Applied {
  return (entry, events) => {
    record(entry, events);
    tell(entry, events);
  };
}

type Services = Awaited<ReturnType<typeof openServices>>;
type AdminParts = ReturnType<typeof openAdmin>;

/** Constructs the services for customers: trading rules, wallet, emails, pages, API and streams. */
async function openServices(context: StartContext, core: Core, before?: Ports) {
  const { config, branding, demo, lab, log, troubles, machine, world, folder, onFatal } = context;
  const { address, metrics, sendQueue, sequencer, cluster, node } = core;
  const { history, recovery } = folder.storage;
  const { engine } = recovery;
  const { sealer } = node;
  const publicUrl = (): string => address.publicUrl;
  const confirmations = createConfirmations(core.masterKey);

  // The API trading rules, the wallet with its networks, and emails.
  const venueInterface = VENUE_INTERFACES[config.interface];
  const means = { view: engine, sequencer, history, world, log, onFatal };
  const isEnabled = config.tradingRules.enabled && config.limits.enabled;
  const tradingRules = new TradingRules({ settings: { ...config.tradingRules, enabled: isEnabled }, ...means });
  const whyHeld = (): string => whyPaymentsAreHeld(config.dataFolder);
  const faults = lab.faults({ view: engine, sequencer });
  const outer = { cluster, whyHeld, onSandboxTrouble: troubles.noteOf("sandbox"), faults: faults?.coins };
  const wallet = await openWallet({ ...config, ...means, ...outer, isOfLab: config.lab !== null });
  const links = createLinkSecrets(core.masterKey);
  const linked = {
    links,
    publicUrl,
    consoleUrl: () => address.consoleUrl,
    venue: emailVenueOf(branding, config.branding),
  };
  const letters = { ...means, confirmations, ...linked, onTrouble: troubles.noteOf("email") };
  const mail = openNodeMail({
    ...config,
    mail: config.email,
    emailBranding: emailBrandingOf(branding, config.branding),
    ...letters,
    isShared: cluster !== undefined,
    isOfLab: config.lab !== null,
  });

  // The pages, the API and the streams share one port.
  const symbols = (): string[] => engine.markets().map(({ spec }) => spec.symbol);
  const sites = openSites({
    ...{ version: VERSION, publicUrl, symbols, branding },
    demoAccounts: demo.shown?.accounts ?? null,
    isPublic: config.publicUrl !== null && !isOwnMachine(new URL(config.publicUrl).hostname),
    ...{ ratesLimited: config.limits.enabled, venueInterface: config.interface },
    labToken: lab.pageToken,
  });
  const checkTotp = totpCheck(sealer, world.saved);
  const secrets = { ...means, sealer, links };
  const { during } = lab.forClients;
  const signIn = openSignIn({ ...secrets, ...(during && { during }), checkTotp });
  const audits = new Auditor(config.dataFolder, core.masterKey);
  const own = { room: signIn, checkTotp, wallet, networks: config.wallet.networks, audits, version: VERSION };
  const accounts = openAccountApi({ ...config, ...secrets, ...own });
  const gateway = createGateway({
    ...means,
    accounts,
    engine,
    sendQueue,
    edge: before?.edge,
    unseal: (sealed) => sealer.unseal(sealed),
    walletPorts: { wallet, tradingRules, confirmations, checkTotp },
    ...{ limits: config.limits, venueInterface },
    http: config.http,
    trustedProxies: config.http.trustedProxies,
    certificates: context.certificates.clients,
    hstsSeconds: config.tls?.hstsSeconds,
    web: sites.main,
    branding: { page: branding.page, language: config.branding.language },
    fresh: cluster?.fresh,
    machine,
    ...lab.forClients,
    onAnswered: (endpoint, status, elapsedMs) => metrics.requestDone(endpoint, status, elapsedMs),
  });
  const forLab = { faults: faults?.streams, lasting: before?.streams, venueInterface };
  const told = { config, log, world, machine, sendQueue, latest: cluster?.latest, ...forLab };
  const { tickets } = signIn;
  const streams = new Streams({ engine, clock: sequencer, history, sink: gateway.clients, tickets, ...told });
  gateway.handUpgradesTo(lab.forUpgrades(streams));
  sendQueue.follow(streams, gateway, mail.letters);
  return { tradingRules, wallet, mail, gateway, streams, faults, sites, signIn, whyHeld, audits };
}

/** Constructs the admin port, which listens only on loopback. */
function openAdmin(context: StartContext, core: Core, services: Services, before?: Ports) {
  const { config, demo, lab, log, troubles, clock, machine, certificates, folder } = context;
  const { metrics, sendQueue, sequencer, cluster, node } = core;
  const { wallet, mail, streams, sites, signIn, whyHeld, audits } = services;
  const { journal, history, projector } = folder.storage;
  const engine = node.view;
  const listing = { warnings: () => coarseSymbols(engine) };
  const accounts = { warnings: () => sharedEmailWarnings(engine) };
  const watched = { projector, wallet, troubles, clock, certificates, cluster };
  const health = new Health({ sequencer, engine, ...watched, listing, accounts });
  const token = before?.token ?? adminToken(config.adminToken, config.dataFolder, machine);
  const source = new FolderSource(dataPaths(config.dataFolder), () => whyHeld() !== "");
  const isOn = config.lab === null && config.proofs.daily;
  const dailyProofs = new DailyProofs({ isOn, view: engine, sequencer, audits, world: node.world, log });
  const disk = before?.disk ?? new DiskSpace(config.dataFolder);
  const hour = before?.hour ?? new LastHour({ metrics, disk, clock: machine });
  const watch = { health, hour, disk, version: VERSION, startedMs: hour.startedMs };
  const reading = {
    history,
    watch,
    journalHead: () => journal.head(),
    source,
    audits,
    fees: config.fees,
    reports: config.reports,
    isLab: config.lab !== null,
  };
  const { invitationLifeMs } = config.accounts;
  const invited = { links: signIn.links, publicUrl: (): string => core.address.publicUrl, invitationLifeMs };
  const access = { signIn: signIn.signIn, ...invited };
  const outside = { wallet, controls: wallet, outbox: mail.outbox, cluster };
  const labNode = {
    ...{ view: engine, sendQueue, sequencer, wallet },
    agents: () => demo.agents,
    messagesSent: (): number => streams.sockets.messagesSent,
    socketsOpened: (): number => streams.sockets.opened,
  };
  const door = {
    ...{ machine, token, nodeToken: nodeTokenOf(config), hosts: config.adminHosts },
    certificates: certificates.admin,
    ...{ lab: lab.access(labNode), web: sites.admin, version: VERSION },
  };
  const adminParts = { node: { ...node, ...reading, ...access, ...outside }, ...door, health, metrics, log };
  const admin = before?.admin ?? new AdminServer(adminParts);
  admin.attach(adminParts);
  return { admin, source, audits, dailyProofs, token, health, disk, hour };
}

/** Runs a node until a signal stops it. Resolves to the exit code. */
export function main(argv: readonly string[]): Promise<number> {
  return runProgram(argv, startNode, MACHINE);
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
