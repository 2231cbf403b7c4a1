/** A node for experiments: its user controls the clock, markets, faults and checkpoints. Decision 46. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ConfigError } from "../platform/config/faults.ts";
import { makePrivateFile } from "../platform/disk.ts";
import type { SavedValue, World } from "../platform/world/port.ts";
import { readSaved, savedCount, savedPart, SavedParts, SavedStateUnreadable } from "../platform/world/saved-state.ts";
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import type { LabAccess } from "../people/admin/server.ts";
import type { GatewayOptions } from "../api/options.ts";
import type { DemoInLab } from "./demo/port.ts";
import type { Config, LabConfig } from "../platform/config/config.ts";
import type { Logger } from "../platform/observe/log.ts";
import type { Storage, StorageOptions } from "../journal/storage/storage.ts";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import type { Entrance } from "../api/edge/request.ts";
import { agentRoutes } from "./agent-routes.ts";
import { balanceRoutes } from "./balances.ts";
import { checkpointRoutes } from "./checkpoint-routes.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { HeldLab, Lab, LabNode, Rebuild, Rebuilding } from "./port.ts";
import { AwaitedEvents, clockRoutes } from "./clock/clock-routes.ts";
import { arePaymentsUnderWay } from "./clock/under-way.ts";
import { LabClock } from "./clock/lab-clock.ts";
import { LockStep } from "./clock/lock-step.ts";
import { SeededRandom } from "./seeded-random.ts";
import { AdmissionQueue, QueuedRequests, QueuedUpgrades } from "./admission-queue.ts";
import { type FaultPorts, faultRoutes, Faults, type FaultyNode } from "./faults/faults.ts";
import { LabMarkets, marketRoutes } from "./lab-markets.ts";
import { Latency, latencyRoutes, LatentSink, LatentStreams } from "./latency.ts";
import { replayRoutes, Replays } from "./replay/replays.ts";
import { PageAccess } from "./page-access.ts";
import { scenarioRoutes } from "./scenario/scenario.ts";
import { type LabStorage, openLabStorage } from "./storage/lab-storage.ts";
import { Watch, watchRoutes, WatchSink } from "./watch.ts";

// The file with the state that a lab stores in addition to its journal, for a restart on its folder: markets, faults,
// latency and clock. It is written when a lab ends and at each checkpoint; a lab that was killed continues with the
// latest file.

export const LAB_STATE_FILE = "lab-kept.json";

const LAB_STATE = z.strictObject({
  /** The last journal entry when the file was written. */
  seq: savedCount,
  nowMs: savedCount,
  markets: savedPart,
  /** The faults; null if there were none. */
  faults: savedPart.nullable(),
  latency: savedPart,
});
type LabState = z.output<typeof LAB_STATE>;

/** Writes the file atomically. Throws disk errors. */
function writeLabState(folder: string, state: LabState): void {
  const path = join(folder, LAB_STATE_FILE);
  const fresh = `${path}.new`;
  makePrivateFile(fresh);
  writeFileSync(fresh, `${JSON.stringify(state)}\n`);
  renameSync(fresh, path);
}

/** Reads the file. Returns undefined if it does not exist, or if it is newer than the journal. Throws `ConfigError`. */
function readLabState(folder: string, lastSeq: number): LabState | undefined {
  const path = join(folder, LAB_STATE_FILE);
  if (!existsSync(path)) return undefined;
  return orUnusable(path, () => {
    const state = readSaved("the lab", LAB_STATE, JSON.parse(readFileSync(path, "utf8")) as SavedValue);
    return state.seq > lastSeq ? undefined : state;
  });
}

/** Calls `use`. Throws `ConfigError` if it fails because the file is damaged. */
function orUnusable<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof SavedStateUnreadable || error instanceof SyntaxError)) throw error;
    throw new ConfigError(`${path} is damaged. Remove it to start without its moves, faults and latency`);
  }
}

/** The initial time of a manual clock, 2026-01-01. It is constant, so that runs are repeatable. */
const FIRST_MS = 1_767_225_600_000;
const FOLDER = "pricetime-lab-";

export interface LabGround {
  /** The machine's environment, with real time. */
  readonly machine: World;
  /** The program's version. */
  readonly version: string;
  readonly log: Pick<Logger, "info" | "error">;
  readonly onFatal: (error: Error) => void;
}

export class RunningLab implements Lab {
  readonly config: Config;
  readonly world: World;
  readonly forClients: Pick<GatewayOptions, "door" | "refuses" | "during" | "timing">;
  readonly forDemo: DemoInLab;
  readonly #settings: LabConfig;
  readonly #markets: LabMarkets;
  readonly #replays: Replays;
  readonly #clock: LabClock;
  readonly #queue: AdmissionQueue;
  readonly #page: PageAccess;
  readonly #onFatal: (error: Error) => void;
  readonly #machine: World;
  readonly #version: string;
  readonly #dice: SeededRandom;
  readonly #lockStep: LockStep;
  readonly #latency: Latency;
  readonly #watch: Watch;
  readonly #saved = new SavedParts();
  #faults: Faults | undefined;
  #sink: QueuedRequests | undefined;
  #upgrades: QueuedUpgrades | undefined;
  /** Receives client requests and passes them to the current gateway. */
  #entrance: Entrance | undefined;
  #storage: LabStorage | undefined;
  #checkpoints: Checkpoints | undefined;
  /** The current node; a restore replaces it. */
  #node: LabNode | undefined;
  #rebuild: Rebuild | undefined;

  constructor(config: Config, settings: LabConfig, { machine, version, log, onFatal }: LabGround) {
    const { clock: mode, startMs, speed, timing, isTemporary } = settings;
    this.config = isTemporary ? { ...config, dataFolder: mkdtempSync(join(tmpdir(), FOLDER)) } : config;
    this.#settings = settings;
    this.#onFatal = onFatal;
    this.#machine = machine;
    this.#version = version;
    this.#dice = new SeededRandom(config.seed, this.#saved);
    const nowMs = startMs ?? (mode === "manual" ? FIRST_MS : machine.nowMs());
    const onBug = (error: unknown): void => onFatal(error as Error);
    this.#clock = new LabClock({ machine: { ...machine, saved: this.#saved }, start: { mode, nowMs, speed }, onBug });
    const { steadyMs, soon, after, every, pause } = this.#clock;
    const { randomBytes } = this.#dice;
    this.world = { nowMs: this.#clock.nowMs, steadyMs, soon, after, every, pause, randomBytes, saved: this.#saved };
    this.#markets = new LabMarkets(this.world);
    const { nowMs: timeMs, during, isQuiet } = this.#clock;
    const standIn = (symbol: string, driver: string | null): void => this.#markets.standIn(symbol, driver);
    const isManual = (): boolean => this.#clock.isManual;
    const { saved } = this.world;
    this.#replays = new Replays({ world: { nowMs: timeMs, after, during, isQuiet, isManual, saved }, standIn, onBug });
    this.#latency = new Latency(this.world);
    this.#watch = new Watch(this.#clock.nowMs);
    this.forDemo = { control: this.#markets };
    this.#queue = new AdmissionQueue(this.#clock);
    this.#page = new PageAccess({ dice: machine, log });
    const clock = this.#clock;
    const sent = (): number => (this.#node?.messagesSent() ?? 0) + this.#queue.answers;
    const carried = (): number => sent() + (this.#node?.socketsOpened() ?? 0);
    this.#lockStep = new LockStep({ clock, machine, sent, carried, onBug });
    this.forClients = {
      refuses: (ip) => this.#faults?.book.strikesAt({ ip }) !== undefined,
      during,
      door: (sink) => this.#queueBefore(this.#wayTo(sink)),
      timing: timing === "server" ? undefined : () => (timing === "client" ? machine.nowMs() : null),
    };
  }

  get pageToken(): string {
    return this.#page.token;
  }

  get shown(): readonly (readonly [string, string])[] {
    const { mode, nowMs, speed } = this.#clock.state;
    const pace = mode === "scaled" ? `${speed} times the machine's pace` : mode;
    return [["clock", `${pace}, ${new Date(nowMs).toISOString()}`]];
  }

  readonly openStorage = ({ world, folder, onFatal }: StorageOptions): Storage => {
    const { isTemporary, history } = this.#settings;
    const kind = isTemporary ? "temporary" : "kept";
    this.#storage = openLabStorage({ world, folder, kind, history, onFatal });
    this.#dice.beginAfter(this.#storage.recovery.engine.seq);
    return this.#storage;
  };

  begin(journalMs: number): void {
    const { isTemporary } = this.#settings;
    const lastSeq = this.#storage?.recovery.engine.seq ?? 0;
    const before = isTemporary ? undefined : readLabState(this.config.dataFolder, lastSeq);
    this.#clock.notBefore(Math.max(journalMs, before?.nowMs ?? 0));
    if (before === undefined) return;
    const { markets, latency, faults } = before;
    orUnusable(this.#statePath, () => {
      this.#saved.begin({ markets, latency, ...(faults !== null && { faults }) }, false);
    });
    if (before.nowMs < journalMs) this.#markets.forgetUntil(journalMs);
  }

  faults(node: Omit<FaultyNode, "wallet">): FaultPorts {
    const wallet = (): LabNode["wallet"] => this.#nodeNow.wallet;
    const { rules } = this.config.limits;
    const make = (): Faults => new Faults({ ...node, wallet, world: this.world, rules });
    const isStart = this.#node === undefined;
    const faults = isStart ? orUnusable(this.#statePath, make) : make();
    // The remaining modules do not continue from the previous lab's file.
    if (isStart) this.#saved.startFresh();
    this.#faults = faults;
    const { book, coins } = faults;
    const streams = new LatentStreams(this.#latency, book.delays, this.world, faults.streams);
    return { streams, coins, end: () => faults.end() };
  }

  access(node: LabNode): LabAccess {
    this.#node = node;
    const { view, sendQueue, sequencer } = node;
    const clock = this.#clock;
    const lockStep = this.#lockStep;
    const markets = this.#markets;
    markets.start({ view, sequencer });
    const replays = this.#replays;
    replays.start({ view, sequencer, sendQueue });
    sendQueue.follow(replays);
    const awaited = new AwaitedEvents(view);
    const watch = this.#watch;
    watch.start(view);
    sendQueue.follow(awaited, watch);
    const faults = this.#faults;
    assert(faults !== undefined, "faults are made before the routes");
    sendQueue.follow(faults);
    const { agents } = node;
    sendQueue.follow({ applied: (entry, events) => agents()?.applied(entry, events) });
    const isIdle = (): boolean => faults.isIdle && !arePaymentsUnderWay(view);
    const queueIsEmpty = (): Promise<void> => new Promise((resolve) => this.#queue.pass(resolve));
    const lab = this.#held();
    this.#checkpoints ??= new Checkpoints(lab);
    const access: LabAccess = {
      routes: [
        ...clockRoutes({ clock, lockStep, awaited, view, isIdle, queueIsEmpty }),
        ...marketRoutes({ markets, view, nowMs: clock.nowMs }),
        ...replayRoutes(replays, view),
        ...agentRoutes({ agents, view, nowMs: clock.nowMs }),
        ...faultRoutes(faults),
        ...latencyRoutes(this.#latency),
        ...watchRoutes(watch),
        ...scenarioRoutes(),
        ...balanceRoutes({ view, sequencer }),
        ...checkpointRoutes({ checkpoints: this.#checkpoints, lab }),
      ],
      admit: (path) => this.#queue.admit(path),
    };
    this.#page.open(access);
    return access;
  }

  forUpgrades(taker: UpgradeTaker): UpgradeTaker {
    this.#upgrades ??= new QueuedUpgrades(this.#queue, (connecting) => this.#faults?.book.strikesAt(connecting));
    this.#upgrades.leadTo(taker);
    return this.#upgrades;
  }

  goesBackBy(rebuild: Rebuild): void {
    this.#rebuild = rebuild;
  }

  async started(): Promise<void> {
    await this.#checkpoints?.takeStart();
  }

  /**
   * Returns the path of requests to the gateway. Latency applies before faults, as if faults occurred at the exchange.
   */
  #wayTo(gateway: Entrance): Entrance {
    const faults = this.#faults;
    assert(faults !== undefined, "faults are made before the gateway");
    const latent = new LatentSink(this.#latency, faults.book.delays, faults.entrance(gateway));
    return new WatchSink(this.#watch, latent);
  }

  #queueBefore(sink: Entrance): Entrance {
    if (this.#sink === undefined) {
      this.#sink = new QueuedRequests(this.#queue, sink);
      this.#entrance = this.#page.before(this.#sink);
    } else {
      this.#sink.inner = sink;
    }
    return this.#entrance as Entrance;
  }

  /**
   * Rebuilds the node for a restore. A failure ends the lab, because its parts may be in different states, unless the
   * previous state can be restored.
   */
  async #goBack(rebuilding: Rebuilding): Promise<void> {
    try {
      assert(this.#rebuild !== undefined, "a lab goes back when it has started");
      await this.#rebuild(rebuilding);
    } catch (error) {
      if (!(rebuilding.isForeign && error instanceof SavedStateUnreadable)) this.#onFatal(error as Error);
      throw error;
    }
  }

  get #nodeNow(): LabNode {
    assert(this.#node !== undefined, "the node is there when it is acted on");
    return this.#node;
  }

  /** Returns the parts of the lab that checkpoints need. */
  #held(): HeldLab {
    const clock = this.#clock;
    const dice = this.#dice;
    const saved = this.#saved;
    const storage = this.#storage;
    assert(storage !== undefined, "a lab has its storage before its routes");
    const now = (): LabNode => this.#nodeNow;
    return {
      storage,
      version: this.#version,
      view: () => now().view,
      states: () => saved.save(),
      alone: (work) => clock.alone(work),
      rebuild: ({ bringBack, states, onRebuilt, ...others }) => {
        let drawn = dice.state;
        return this.#goBack({
          ...others,
          bringBack: () => {
            bringBack();
            saved.begin(states);
            drawn = dice.state;
          },
          onPrepared: () => dice.goTo(drawn),
          onRebuilt: () => {
            saved.finish();
            return onRebuilt();
          },
        });
      },
      wasTaken: () => this.ended(),
      run: (command) => now().sequencer.run(command),
      rest: () => new Promise((resolve) => this.#machine.soon(resolve)),
    };
  }

  ended(): void {
    if (this.#settings.isTemporary) return;
    writeLabState(this.config.dataFolder, {
      seq: this.#nodeNow.view.seq,
      nowMs: this.#clock.nowMs(),
      markets: this.#saved.saveOne("markets"),
      faults: this.#saved.saveOne("faults"),
      latency: this.#saved.saveOne("latency"),
    });
  }

  get #statePath(): string {
    return join(this.config.dataFolder, LAB_STATE_FILE);
  }

  close(): void {
    this.#replays.close();
    this.#lockStep.stop();
    this.#clock.stop();
    if (this.#settings.isTemporary) rmSync(this.config.dataFolder, { recursive: true, force: true });
  }
}
