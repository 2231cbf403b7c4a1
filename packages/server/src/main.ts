/**
 * The wiring of a node. Read it to know the architecture: everything is constructed here, in order,
 * and nowhere else.
 */
import type { EngineView } from "@pricetime/engine";
import { applyListing, type Listing } from "./admin/listing.ts";
import { listingWarnings } from "./admin/listing-warnings.ts";
import { ADMIN_HOST, AdminServer } from "./admin/server.ts";
import { checkIsNoBackup } from "./backup/record.ts";
import { adminToken, removeAdminFile, writeAdminFile } from "./config/admin-file.ts";
import { createConfirmations } from "./config/confirmations.ts";
import { type Config, loadConfig } from "./config/config.ts";
import { readFlags } from "./config/flags.ts";
import { whyPaymentsAreHeld } from "./config/held-payments.ts";
import { createSealer } from "./config/seal.ts";
import { totpCheck } from "./config/totp.ts";
import { DEMO_ACCOUNTS, withdrawDemoKeys } from "./demo/accounts.ts";
import { BOT_ADDRESSES } from "./demo/bots/bot-accounts.ts";
import { type Demo, openDemo } from "./demo/demo.ts";
import { TellingOrder } from "./edge/telling-order.ts";
import type { DemoNode } from "./demo/operator.ts";
import { demoListing } from "./demo/listing.ts";
import { removeDemoFile } from "./demo/demo-file.ts";
import { renewDemoListing } from "./demo/renewal.ts";
import { demoNetworks } from "./demo/venue.ts";
import { type Gateway, createGateway } from "./api/gateway.ts";
import { Streams } from "./streams/streams.ts";
import { FolderInUse } from "./storage/folder-lock.ts";
import type { MailRoom } from "./mail/mail-room.ts";
import { openMail } from "./mail/open-mail.ts";
import { WithdrawalLetters } from "./mail/withdrawal-letters.ts";
import { type Logger, createLog } from "./observe/log.ts";
import { Health } from "./observe/health.ts";
import { Metrics } from "./observe/metrics.ts";
import { TROUBLED_PARTS, Troubles } from "./observe/troubles.ts";
import { type Storage, type StorageOptions, openStorage } from "./storage/storage.ts";
import { adoptNewestRules } from "./sequencer/adopt-rules.ts";
import { GroupCommitSequencer } from "./sequencer/group-commit.ts";
import { baseUrl, isOwnMachine } from "./start/address.ts";
import { banner } from "./start/banner.ts";
import { commandToType } from "./start/command.ts";
import { startFailure } from "./start/failure.ts";
import { bindMasterKey, masterKeyOf } from "./start/master-key.ts";
import { type NewFolder, newFolder } from "./start/new-folder.ts";
import { toldByMachine, untilToldToStop } from "./start/signals.ts";
import { VERSION } from "./start/version.ts";
import { TradingRules } from "./trading-rules/trading-rules.ts";
import { openSites } from "./web/sites.ts";
import { MAX_SYMBOLS_SHOWN, type StartFacts } from "./web/start-page.ts";
import { watchNetworks } from "./wallet/metrics.ts";
import { NodeWallet, type WalletOptions } from "./wallet/wallet.ts";
import { checkNotBehind } from "./world/clock-behind.ts";
import { GuardedClock, leapText } from "./world/guarded-clock.ts";
import { MACHINE, MACHINE_CLOCKS } from "./world/machine.ts";
import type { World } from "./world/port.ts";

/** A node that serves. */
export interface Node {
  /** Where clients connect: `http://HOST:PORT`. */
  readonly rest: string;
  /** What somebody at a terminal needs to know: addresses, and in a demo its keys. */
  readonly banner: string;
  /** Resolves when the node cannot go on. */
  readonly failed: Promise<Error>;
  /** Resolves when everything that was answered is on disk and nothing runs any more. */
  stop(): Promise<void>;
}

/**
 * Resolves when clients can connect. Rejects with `ConfigError` and other errors of `start/failure.ts`, whose message
 * is one line for the operator, when the node cannot start.
 */
export async function startNode(config: Config): Promise<Node> {
  const log = createLog({ level: config.logLevel, node: config.node, isReadable: config.isTerminal });
  const failed = Promise.withResolvers<Error>();
  const onFatal = (error: Error): void => {
    log.fatal({ err: error }, "the node cannot go on");
    failed.resolve(error);
  };

  const troubles = new Troubles(({ part, message }) => {
    if (message === null) log.info(`${part}: can be written again`);
    else log.warn({ why: message }, `${part}: cannot be written, and is tried again`);
  });

  const clock = new GuardedClock({
    clocks: MACHINE_CLOCKS,
    timers: MACHINE,
    limits: config.clock,
    onLeap: (aheadMs) => {
      if (aheadMs === null) log.info("the wall clock is right again, and is followed");
      else log.error({ aheadMs }, leapText(aheadMs));
    },
  });

  const world: World = { ...MACHINE, nowMs: clock.nowMs };

  // What is on disk: the journal, the replica made from it, and the history that follows it.
  checkIsNoBackup(config.dataFolder);
  const found = newFolder(config.dataFolder);
  const storage = openStorageIn(found, {
    world,
    folder: config.dataFolder,
    snapshotEveryEntries: config.snapshotEveryCommands,
    onFatal,
    onTrouble: (trouble) => troubles.note(trouble),
  });
  // Another node may have been here since the folder was inspected: then its journal must not be removed.
  const made = storage.recovery.engine.seq === 0 ? found : undefined;
  let isOpen = false;
  const onOpen = (): void => void (isOpen = true);
  try {
    checkNotBehind(clock.nowMs(), storage.recovery.engine.timeMs, config.clock.maxLeapMs);
    return {
      ...(await serve({ config, storage, log, troubles, clock, world, onFatal, onOpen })),
      failed: failed.promise,
    };
  } catch (error) {
    await storage.close();
    if (!isOpen) made?.remove();
    throw error;
  }
}

function openStorageIn(made: NewFolder | undefined, options: StorageOptions): Storage {
  try {
    return openStorage(options);
  } catch (error) {
    if (!(error instanceof FolderInUse)) made?.remove();
    throw error;
  }
}

interface Parts {
  readonly config: Config;
  readonly storage: Storage;
  readonly log: Logger;
  readonly troubles: Troubles;
  readonly clock: GuardedClock;
  readonly world: World;
  readonly onFatal: (error: Error) => void;
  /** Called when clients can connect: from here on, journaled entries have been reported to somebody. */
  readonly onOpen: () => void;
}

async function serve(given: Parts): Promise<Omit<Node, "failed">> {
  const { config, storage, log, troubles, clock, world, onFatal, onOpen } = given;
  const { journal, history, projector, recovery } = storage;
  const { engine } = recovery;
  const metrics = new Metrics();
  let rest = "";
  const masterKey = masterKeyOf(config.masterKey, config.dataFolder, engine, world);
  const sealer = createSealer(masterKey, world);

  // The only way in: commands are made durable, then applied, then told and answered.
  const telling = new TellingOrder();
  const sequencer = new GroupCommitSequencer({
    journal,
    engine,
    node: config.node,
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

  // Parts that lock careless traders, follow the networks outside, and write to customers.
  const parts = { view: engine, sequencer, history, world, log, onFatal };
  const tradingRules = new TradingRules({ settings: tradingRulesOf(config), ...parts });
  const wallet = await openWallet(config, { ...parts, onSandboxTrouble: troubles.noteOf("sandbox") });
  const confirmations = createConfirmations(masterKey);
  const mailed = { publicUrl: () => config.publicUrl ?? rest, world, onTrouble: troubles.noteOf("mail"), log };
  const mail = openMail({ ...config, ...mailed });
  const letters = new WithdrawalLetters({ view: engine, mails: mail, confirmations, log });

  // What clients talk to, and what browsers are shown.
  const sites = openSites(VERSION, () => factsOf(config, engine, rest));
  const gateway = createGateway({
    engine,
    sequencer,
    history,
    unseal: (sealed) => sealer.unseal(sealed),
    walletPorts: { wallet, tradingRules, confirmations, checkTotp: totpCheck(sealer) },
    limits: config.limits,
    http: config.http,
    trustedProxies: config.http.trustedProxies,
    world,
    telling,
    log,
    onFatal,
    web: sites.main,
    onUpgrade: (request, socket, head) => streams.upgrade(request, socket, head),
    onAnswered: (endpoint, status, elapsedMs) => metrics.requestDone(endpoint, status, elapsedMs),
  });

  // What clients listen to, on the same port.
  const streams = new Streams({ engine, clock: sequencer, history, sink: gateway, config, log, world, telling });
  telling.follow(streams, gateway, letters);

  // What operators talk to, on loopback only.
  const ownNode = { view: engine, sequencer, sealer, world };
  const token = adminToken(config.adminToken, config.dataFolder, world);
  const adminDoor = { token, hosts: config.adminHosts, web: sites.admin, version: VERSION };
  let isServing = false;
  const health = healthOf({ storage, sequencer, wallet, troubles, clock }, () => isServing);
  watch({ metrics, storage, streams, gateway, wallet, mail, troubles, clock });
  const kept = { history, journalHead: () => journal.head(), fees: config.fees };
  const outside = { wallet, controls: wallet, outbox: mail };
  const admin = new AdminServer({ node: { ...ownNode, ...kept, ...outside }, ...adminDoor, health, metrics, log });

  // First the journal's rules, the listing and the demo's accounts; then clients can connect.
  sequencer.start();
  const warnings = await prepareJournal(ownNode, masterKey, config);
  const demo = config.demo ? await openDemo(ownNode, gateway, config, log) : undefined;
  await tradingRules.release();
  await storage.started();
  const addresses = await openDoors({ gateway, admin }, config, token);
  rest = addresses.rest;
  letters.catchUp(world.nowMs());
  onOpen();
  await (demo?.start(addresses) ?? removeDemoFile(config.dataFolder));
  for (const part of [tradingRules, wallet, clock]) part.start();
  isServing = true;
  logStart(given, rest, warnings);

  const stop = async (): Promise<void> => {
    isServing = false;
    await stopInTurn(demo, { streams, gateway, admin }, { tradingRules, wallet, mail, sequencer, storage }, config);
    log.info({ seq: engine.seq }, "stopped");
  };
  return { rest, banner: bannerOf(config, addresses, engine, demo), stop };
}

/** Starts listening: requests are answered from here on. */
async function openDoors(
  { gateway, admin }: Pick<Doors, "gateway" | "admin">,
  { host, port, adminPort, dataFolder }: Config,
  adminToken: string,
): Promise<Addresses> {
  const adminUrl = baseUrl("http", ADMIN_HOST, await admin.listen(adminPort));
  const taken = await gateway.listen(host, port);
  const rest = baseUrl("http", host, taken);
  writeAdminFile(dataFolder, { admin: adminUrl, adminToken, rest });
  return { rest, ws: baseUrl("ws", host, taken), admin: adminUrl, adminToken };
}

interface Addresses {
  readonly rest: string;
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
}
function bannerOf(config: Config, addresses: Addresses, view: EngineView, demo: Demo | undefined): string {
  const { dataFolder, bots, limits, host } = config;
  return banner({
    version: VERSION,
    command: commandToType(process.argv[1] ?? ""),
    ...addresses,
    dataFolder,
    symbols: view.markets().map(({ spec }) => spec.symbol),
    limits: limits.enabled,
    isOpenToOthers: !isOwnMachine(host),
    ...(demo !== undefined && { demo: { bots, accounts: demo.accounts, subAccounts: demo.subAccounts } }),
  });
}

/** Journals the rules, the check value of the key, and the listing. Returns warnings for the operator. */
async function prepareJournal(node: DemoNode, masterKey: string, config: Config): Promise<readonly string[]> {
  const { view, sequencer } = node;
  await adoptNewestRules(view, sequencer);
  await bindMasterKey(sequencer, view, masterKey, config.node);
  if (config.demo) await renewDemoListing(node, config);
  const differing = await applyListing(listingOf(config, view), view, sequencer);
  const warnings = differing.map((what) => `${what} is configured otherwise than it is listed; it stays as listed`);
  const withdrawn = config.demo ? 0 : await withdrawDemoKeys(node);
  return withdrawn === 0 ? warnings : [...warnings, "keys of an earlier demo were deleted"];
}

interface Doors {
  readonly streams: Streams;
  readonly gateway: Gateway;
  readonly admin: AdminServer;
}
interface Inside {
  readonly tradingRules: TradingRules;
  readonly wallet: NodeWallet;
  readonly mail: MailRoom;
  readonly sequencer: GroupCommitSequencer;
  readonly storage: Storage;
}

/**
 * Stops the parts in reverse order: those that ask before those that answer, and those before the storage. Streams
 * close once the last order is answered, so that their listeners hear of it.
 */
async function stopInTurn(
  demo: Demo | undefined,
  doors: Doors,
  inside: Inside,
  { dataFolder }: Pick<Config, "dataFolder">,
): Promise<void> {
  await demo?.stop();
  await Promise.all([doors.gateway.drain(), doors.streams.drain()]);
  await doors.streams.close();
  await doors.gateway.close();
  await doors.admin.close();
  // This comes first, while the folder is still this node's own.
  removeAdminFile(dataFolder);
  await inside.tradingRules.stop();
  await inside.wallet.stop();
  await inside.mail.close();
  await inside.sequencer.stop();
  await inside.storage.close();
}

function listingOf(config: Config, view: EngineView): Listing {
  const { exchangeFilters } = config;
  const listed = view.assets().map(({ spec }) => spec);
  return { ...(config.demo ? demoListing(config, listed) : config), exchangeFilters };
}

/** The facts that pages show of the node. */
function factsOf({ demo, publicUrl }: Config, view: EngineView, rest: string): StartFacts {
  const markets = view.markets();
  return {
    version: VERSION,
    rest: publicUrl ?? rest,
    symbols: markets.slice(0, MAX_SYMBOLS_SHOWN).map(({ spec }) => spec.symbol),
    moreSymbols: Math.max(0, markets.length - MAX_SYMBOLS_SHOWN),
    demoAccounts: demo ? DEMO_ACCOUNTS : null,
  };
}

/** Opens the wallet. In a demo every coin has a network, if only a sandbox. */
function openWallet(
  { demo, wallet, dataFolder, seed }: Config,
  parts: Pick<WalletOptions, "view" | "sequencer" | "log" | "onFatal" | "world" | "onSandboxTrouble">,
): Promise<NodeWallet> {
  const networks = demo ? demoNetworks(wallet.networks) : wallet.networks;
  const whyHeld = (): string => whyPaymentsAreHeld(dataFolder);
  return NodeWallet.open({ networks, dataFolder, seed: String(seed), whyHeld, ...parts });
}

/** The rules are off together with the limits of requests and orders, as the demo's bots are careless on purpose. */
function tradingRulesOf({ demo, limits, tradingRules }: Config): Config["tradingRules"] {
  const enabled = tradingRules.enabled && limits.enabled;
  const exempt = demo ? [...tradingRules.exempt, BOT_ADDRESSES] : tradingRules.exempt;
  return { ...tradingRules, enabled, exempt };
}

function healthOf(
  {
    storage,
    sequencer,
    wallet,
    troubles,
    clock,
  }: Pick<Inside, "storage" | "sequencer" | "wallet"> & Pick<Parts, "troubles" | "clock">,
  isServing: () => boolean,
): Health {
  const { recovery, projector } = storage;
  return new Health({
    isServing,
    canWriteJournal: () => sequencer.canAppend,
    journalSeq: () => recovery.engine.seq,
    historySeq: () => projector.seq,
    networks: () => wallet.troubles(),
    troubles: () => troubles.all,
    clock,
  });
}

/** `warnings` are those found during the start. */
function logStart(
  { log, config, storage: { recovery } }: Pick<Parts, "log" | "config" | "storage">,
  rest: string,
  warnings: readonly string[],
): void {
  const { engine, snapshotSeq, durationMs } = recovery;
  const from = { seq: engine.seq, fromSnapshot: snapshotSeq, recoveryMs: durationMs };
  log.info({ version: VERSION, rest, ...from }, "serving");
  const { symbols, tradingRules, limits } = config;
  if (tradingRules.enabled && !limits.enabled) log.warn("tradingRules: they are off, as the limits are");
  const held = whyPaymentsAreHeld(config.dataFolder);
  if (held !== "") log.warn(held);
  for (const why of [...recovery.refused, ...symbols.flatMap(listingWarnings), ...warnings]) log.warn(why);
}

interface Watched {
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly wallet: NodeWallet;
  readonly mail: MailRoom;
  readonly troubles: Troubles;
  readonly clock: GuardedClock;
}

/** Connects /metrics to the values that it reads on request. */
function watch({ metrics, storage, gateway, streams: { sockets }, wallet, mail, troubles, clock }: Watched): void {
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
  metrics.gauge("pricetime_sockets_unread_bytes", "Bytes that WebSockets have not read yet", () => sockets.unreadBytes);
  const lanesHelp = "Requests over HTTP, by who read them";
  metrics.counterBy("lane", "pricetime_http_requests_total", lanesHelp, () => gateway.requestsByLane);
  metrics.gauge("pricetime_unread_bytes", "Bytes of answers that were not read yet", () => gateway.unreadBytes);
  const unreadHelp = "Connections that were closed because their answers were not read";
  metrics.counter("pricetime_connections_dropped_total", unreadHelp, () => gateway.slowDropped);
  metrics.gauge(
    "pricetime_withdrawals_open",
    "Withdrawals that are not over",
    () => engine.funds.openWithdrawals().length,
  );
  metrics.gauge("pricetime_networks_troubled", "Networks to look at", () => Object.keys(wallet.troubles()).length);
  watchNetworks(metrics, wallet, engine);
  metrics.gauge("pricetime_mails_waiting", "Mails that are not sent yet", () => mail.waiting);
  metrics.counter("pricetime_clock_leaps_total", "Leaps of the wall clock that were not followed", () => clock.leaps);
  metrics.gauge("pricetime_clock_ahead_seconds", "Of a wall clock that has leapt", () => clock.aheadMs / 1000);
  for (const part of TROUBLED_PARTS) {
    const help = `Times that the ${part} could not be written`;
    metrics.counter(`pricetime_${part}_failures_total`, help, () => troubles.failures(part));
  }
}

/** Runs a node until it is told to stop; resolves to the exit code. A failed start is reported in one line. */
export async function main(argv: readonly string[]): Promise<number> {
  // A closed terminal, or a log file on a full disk, is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const told = untilToldToStop(toldByMachine(MACHINE));
  let node: Node;
  try {
    const flags = readFlags(argv);
    if (flags === null) return 0;
    node = await startNode(loadConfig({ flags, environment: process.env, isTerminal: process.stderr.isTTY === true }));
  } catch (error) {
    process.stderr.write(`pricetime: ${startFailure(error)}\n`);
    return 1;
  }
  process.stdout.write(`${node.banner}\nready ${node.rest}\n`);
  const failure = await Promise.race([told, node.failed]);
  if (failure !== undefined) return 1;
  await node.stop();
  return 0;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
