/** A demo on its own data folder: real journal, history and gateway, without main. */
import { rmSync } from "node:fs";
import type { Command, Event, SymbolStatus } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { applyListing } from "../../../src/people/admin/listing.ts";
import { fileSchema } from "../../../src/platform/config/schema.ts";
import { createConfirmations } from "../../../src/platform/secrets/link-secrets.ts";
import { createSealer } from "../../../src/platform/secrets/seal.ts";
import { totpCheck } from "../../../src/platform/secrets/totp.ts";
import { DEMO_ACCOUNTS, openDemoAccounts } from "../../../src/lab/demo/accounts.ts";
import { openBotAccounts } from "../../../src/lab/demo/bots/bot-accounts.ts";
import { Bots } from "../../../src/lab/demo/bots/bots.ts";
import { demoListing, isTrading, liveMarkets } from "../../../src/lab/demo/listing.ts";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { Gateway } from "../../../src/api/gateway.ts";
import type { WalletPorts } from "../../../src/api/options.ts";
import { HistoryReader } from "../../../src/history/threads/reader.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { SqliteJournal } from "../../../src/journal/sqlite.ts";
import { createLog } from "../../../src/platform/observe/log.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { startProjector } from "../../../src/journal/storage/projection.ts";
import { recover } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { TradingRules } from "../../../src/funds/trading-rules.ts";
import { NodeWallet } from "../../../src/funds/wallet/wallet.ts";
import { MASTER_KEY } from "../../people/admin/running.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

export interface RunningDemo {
  readonly engine: ReturnType<typeof recover>["engine"];
  readonly bots: Bots;
  /** Decisions of the bots so far. */
  readonly told: string[];
  /** Errors besides rejections. */
  readonly errors: unknown[];
  /** A public market data request; the parsed answer. */
  readonly get: <T>(path: string, query: string) => Promise<T>;
  /** A trade of two demo accounts, without the bots. */
  readonly trade: (symbol: string, priceTicks: number, quantityLots: number) => Promise<void>;
  readonly run: (command: Command) => Promise<readonly Event[]>;
  readonly setStatus: (symbol: string, status: SymbolStatus) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

export function demoFolder(): { readonly path: string; readonly remove: () => void } {
  const path = temporaryFolder();
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** `clockMs`: of the whole venue; the machine's when left out. */
export async function startDemo(
  folder: string,
  seed: number,
  withLimits = true,
  clockMs: () => number = Date.now,
): Promise<RunningDemo> {
  const world = { ...MACHINE, nowMs: clockMs };
  const paths = dataPaths(folder);
  const errors: unknown[] = [];
  const told: string[] = [];
  const onFatal = (error: Error): void => void errors.push(error);
  const journal = new SqliteJournal(paths.journal, onFatal);
  const file = JournalFile.openReadOnly(paths.journal);
  const { engine } = recover(file, new SnapshotFolder(paths.snapshots), { world: MACHINE });
  file.close();
  const projector = startProjector({ paths, snapshotEveryEntries: 0, onFatal });
  const history = new HistoryReader({ path: paths.history, progress: projector.progress, world: MACHINE, onFatal });
  projector.onMoved(() => history.wake());
  projector.publish(engine.seq);
  const onBatch = (): void => projector.publish(engine.seq);
  const sequencer = new GroupCommitSequencer({ journal, engine, node: "test", onFatal, onBatch, world });
  const sealer = createSealer(MASTER_KEY, MACHINE);
  const log = { error: (fields: object, message: string): void => void errors.push({ fields, message }) };
  const unseal = (sealed: string): string => sealer.unseal(sealed);
  const limits = { ...DEFAULT_LIMITS, enabled: withLimits };
  const walletPorts = await ports(engine, sequencer, history, folder, onFatal);
  const gateway = new Gateway({
    engine,
    sequencer,
    history,
    unseal,
    walletPorts,
    limits,
    log,
    onFatal,
    world,
  });

  const node = { view: engine, sequencer, sealer, world };
  await applyListing({ ...demoListing({ assets: [], symbols: [] }), exchangeFilters: null }, engine, sequencer);
  await openDemoAccounts(node, { makerBps: 10, takerBps: 10 });
  const markets = liveMarkets(engine);
  const accounts = await openBotAccounts(node, markets);
  const bots = new Bots({
    world,
    venue: (request) => gateway.handle(request),
    accounts,
    markets,
    seed,
    nowMs: () => sequencer.nowMs(),
    isTrading: (symbol) => isTrading(engine, symbol),
    onError: (error) => errors.push(error),
    tell: (decision) => told.push(decision),
  });
  return {
    engine,
    bots,
    told,
    errors,
    get: async <T>(path: string, query: string): Promise<T> => {
      const { body } = await gateway.handle({ method: "GET", path, query, body: "", headers: {}, ip: "127.0.0.9" });
      return JSON.parse(body) as T;
    },
    trade: async (symbol, priceTicks, quantityLots) => {
      const { symbolId } = engine.marketBySymbol(symbol) ?? { symbolId: -1 };
      for (const [index, side] of (["SELL", "BUY"] as const).entries()) {
        const accountId = engine.accountByEmail(DEMO_ACCOUNTS[index]?.email ?? "")?.accountId ?? -1;
        await sequencer.run(placeOrder({ accountId, symbolId, side, priceTicks, quantityLots, clientOrderId: "t" }));
      }
    },
    run: async (command) => (await sequencer.run(command)).events,
    setStatus: (symbol, status) => sequencer.run({ type: "setSymbolStatus", symbol, status, by: "test" }),
    stop: async () => {
      await bots.stop();
      await sequencer.stop();
      await projector.stop();
      await history.close();
      await journal.close();
    },
  };
}

/** What the gateway needs besides the exchange; bots do not use it. */
async function ports(
  engine: RunningDemo["engine"],
  sequencer: GroupCommitSequencer,
  history: HistoryReader,
  dataFolder: string,
  onFatal: (error: Error) => void,
): Promise<WalletPorts> {
  const log = createLog({ level: "silent", node: "test" });
  const parts = { view: engine, sequencer, world: MACHINE, log, onFatal };
  return {
    wallet: await NodeWallet.open({ networks: [], dataFolder, seed: "test", ...parts }),
    tradingRules: new TradingRules({ settings: fileSchema.parse({}).tradingRules, history, ...parts }),
    checkTotp: totpCheck(createSealer(MASTER_KEY, MACHINE), NOTHING_SAVED),
    confirmations: createConfirmations(MASTER_KEY),
  };
}
