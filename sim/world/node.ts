/**
 * One process of a node, wired as in `main.ts`: the real recovery, engine, sequencer, gateway, projection and
 * snapshots, on a simulated disk and clock.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Command, Engine, Entry, Event } from "@pricetime/engine";
import { type Journal, type JournalRows, Projection, recover, SnapshotFolder } from "@pricetime/server/data-folder";
import {
  checkNotBehind,
  GuardedClock,
  CLOCK_LIMITS,
  type MachineClocks,
  type World,
  createGateway,
  type Gateway,
  type Ids,
  DEFAULT_LIMITS,
  MailFolder,
  type MailFiles,
  MailRoom,
  type Sending,
  NoticeLetters,
  SessionDoor,
  WithdrawalLetters,
  GroupCommitSequencer,
  type NotAccepted,
  type Outcome,
  type OutcomeUnknown,
  type Sequencer,
  Streams,
  TellingOrder,
  TradingRules,
  type TradingRulesSettings,
  type Chain,
  ChainNetwork,
  SANDBOX_POLL_MS,
  NoSuchNetwork,
  type Wallet,
} from "@pricetime/server/parts";
import { CONFIRMATIONS } from "./tokens.ts";
import { LINKS } from "../audit/notices.ts";
import { PowerCut } from "./disk.ts";
import { openSimHistory, type SimHistory } from "./history.ts";
import { type JournalWorld, SimJournal } from "./journal.ts";
import { type SimMachine, simWorld } from "./machine.ts";

const SNAPSHOTS = "data/snapshots";
const LIMITS = { maxQueuedCommands: 24, maxBatchCommands: 8, recoveryAttempts: 4, recoveryPauseMs: 50 };
const LONGEST_PROJECTOR_PAUSE_MS = 300;
const FIRST_MAIL_PAUSE_MS = 500;
const VENUE = "http://sim";
const PAYMENTS_UNDER_WAY = 3;
const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** The places where planted bugs are inserted. */
export interface Seams {
  /** The journal that the sequencer writes and the projector reads. */
  journal(real: SimJournal): Journal & JournalRows;
  /** The rows that recovery reads. */
  rows(real: JournalRows): JournalRows;
  sequencer(real: Sequencer): Sequencer;
  /** Data found at a start is synced before it becomes visible. */
  readonly syncsAtStart: boolean;
  /** The clocks that the node's time is derived from. */
  clocks(real: MachineClocks): MachineClocks;
  /** A clock that is behind the journal is refused. */
  readonly refusesClockBehind: boolean;
  /** Queries wait until history has reached their entry. */
  readonly historyWaits: boolean;
}

export interface NodeWorld extends JournalWorld, SimMachine {
  readonly clocks: MachineClocks;
  /** The history tables, which outlive the node. */
  readonly database: DatabaseSync;
  readonly snapshotEveryEntries: number;
  readonly ids: Ids;
  /** The connection to the sandbox chain. */
  readonly chain: Chain;
  readonly mailFiles: MailFiles;
  readonly sending: Sending;
  readonly rules: TradingRulesSettings;
  readonly seams: Seams;
  readonly onRecovered: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  readonly onApplied: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  /** Called for every submitted command; the returned function is called with its outcome. */
  readonly onSubmit: (command: Command) => (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;
  readonly onFatal: (error: Error) => void;
  /** The gateway has detected an internal error. */
  readonly onBug: (error: unknown) => void;
}

export class SimNode {
  readonly engine: Engine;
  readonly clock: GuardedClock;
  readonly gateway: Gateway;
  /** The sequencer, as clients of its port use it. */
  readonly sequencer: Sequencer;
  readonly streams: Streams;
  readonly #rules: TradingRules;
  readonly #network: ChainNetwork;
  readonly #letters: WithdrawalLetters;
  readonly #notices: NoticeLetters;
  /** Verifies session cookies of browsers. */
  readonly door: SessionDoor;
  #isOpen = false;
  readonly #world: NodeWorld;
  readonly #machine: World;
  readonly #telling = new TellingOrder();
  readonly #real: GroupCommitSequencer;
  readonly #projection: Projection;
  readonly #history: SimHistory;
  #publishedSeq: number;

  /** Throws the real node's error if it cannot start. */
  constructor(world: NodeWorld) {
    this.#world = world;
    const { seams, database, snapshotEveryEntries, life, disk, onFatal } = world;
    const journal = seams.journal(new SimJournal(world));
    const snapshots = new SnapshotFolder(SNAPSHOTS, disk);
    const machine = simWorld(world, world.clocks.wallMs);
    const parts = { journal, database, snapshots, snapshotEveryEntries, path: "history", world: machine };
    this.#projection = new Projection(parts);
    this.engine = recover(seams.rows(journal), snapshots, { world: machine, visit: world.onRecovered }).engine;
    this.clock = new GuardedClock({ clocks: seams.clocks(world.clocks), timers: machine });
    this.#machine = { ...machine, nowMs: this.clock.nowMs };
    if (seams.refusesClockBehind) checkNotBehind(this.clock.nowMs(), this.engine.timeMs, CLOCK_LIMITS.maxLeapMs);
    this.#publishedSeq = this.engine.seq;
    this.#history = openSimHistory(database, () => (seams.historyWaits ? this.#projection.seq : this.engine.seq));
    this.#real = new GroupCommitSequencer({
      journal,
      engine: this.engine,
      node: "sim",
      onFatal: (error) => life.alive && onFatal(error),
      historySeq: () => this.#projection.seq,
      onApplied: (entry, events) => {
        if (!life.alive) return;
        world.onApplied(entry, events, this.engine);
        this.#telling.applied(entry, events);
      },
      onBatch: ({ firstSeq, count }) => {
        this.#publishedSeq = firstSeq + count - 1;
      },
      world: this.#machine,
      limits: LIMITS,
    });
    this.sequencer = this.#watched(seams.sequencer(this.#real));
    this.#rules = new TradingRules({
      settings: world.rules,
      view: this.engine,
      sequencer: this.sequencer,
      history: this.#history,
      world: this.#machine,
      log: NO_LOG,
      onFatal: (error) => life.alive && world.onBug(error),
    });
    this.#network = this.#openNetwork();
    const mails = this.#openMail();
    this.#letters = this.#openLetters(mails);
    this.#notices = this.#openNotices(mails);
    this.door = new SessionDoor({ access: this.engine.access, sequencer: this.sequencer, dice: this.#machine });
    this.gateway = this.#openGateway();
    this.streams = this.#openStreams();
    this.#telling.follow(this.streams, this.gateway, this.#letters, this.#notices);
    this.#real.start();
    this.#project();
    this.#openDoors().catch((error: unknown) => life.alive && onFatal(error as Error));
  }

  /** Whether it accepts clients. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get rulesAreOff(): boolean {
    return !this.#world.rules.enabled;
  }

  chainMoved(): void {
    this.#network.wake();
  }

  async #openDoors(): Promise<void> {
    await this.#rules.release();
    if (!this.#world.life.alive) return;
    this.#isOpen = true;
    this.#letters.catchUp(this.clock.nowMs());
    this.#notices.catchUp();
    for (const part of [this.#rules, this.#network, this.clock]) part.start();
  }

  #openNetwork(): ChainNetwork {
    const { chain, onBug, life } = this.#world;
    return new ChainNetwork({
      chain,
      view: this.engine,
      sequencer: this.sequencer,
      log: NO_LOG,
      onFatal: (error) => life.alive && onBug(error),
      pollMs: SANDBOX_POLL_MS,
      maxPendingPayments: PAYMENTS_UNDER_WAY,
      raiseFeeAfterMs: 0,
      world: this.#machine,
    });
  }

  #openMail(): MailRoom {
    const { mailFiles, sending } = this.#world;
    const common = { world: this.#machine, firstPauseMs: FIRST_MAIL_PAUSE_MS };
    const folder = new MailFolder(mailFiles, {
      ...common,
      onError: (error) => this.#world.onBug(error),
      onWritten: (mail) => this.#notices.onWritten(mail),
    });
    return new MailRoom({ ...common, folder, sending, publicUrl: () => VENUE, log: NO_LOG });
  }

  #openLetters(mails: MailRoom): WithdrawalLetters {
    return new WithdrawalLetters({ view: this.engine, mails, confirmations: CONFIRMATIONS, log: NO_LOG });
  }

  #openNotices(mails: MailRoom): NoticeLetters {
    return new NoticeLetters({
      ...{ view: this.engine, mails, sequencer: this.sequencer, world: this.#machine, log: NO_LOG, isOfLab: false },
      ...{ links: LINKS, publicUrl: () => VENUE, consoleUrl: () => `${VENUE}:81` },
    });
  }

  #openStreams(): Streams {
    return new Streams({
      engine: this.engine,
      clock: this.#real,
      history: this.#history,
      sink: this.gateway,
      config: {
        limits: { ...DEFAULT_LIMITS, enabled: false },
        http: { trustedProxies: [], allowedOrigins: [] },
        publicUrl: null,
        demo: false,
        streams: {},
      },
      log: { error: (fields) => this.#world.life.alive && this.#world.onBug((fields as { err?: unknown }).err) },
      world: this.#machine,
      telling: this.#telling,
    });
  }

  get #wallet(): Wallet {
    const network = this.#network;
    return {
      networks: () => [network.status()],
      isAddress: (name, address, tag) => name === network.network && network.isAddress(address, tag),
      depthOf: (coin) => (coin.network === network.network ? network.depthOf?.(coin) : undefined),
      depositAddress: (accountId, name) =>
        name === network.network ? network.depositAddress(accountId) : Promise.reject(new NoSuchNetwork(name)),
    };
  }

  get canAppend(): boolean {
    return this.#real.canAppend;
  }

  #openGateway(): Gateway {
    const { ids, onBug, onFatal } = this.#world;
    return createGateway({
      engine: this.engine,
      sequencer: this.sequencer,
      history: this.#history,
      walletPorts: {
        wallet: this.#wallet,
        tradingRules: this.#rules,
        checkTotp: () => null,
        confirmations: CONFIRMATIONS,
      },
      unseal: (sealed) => sealed.split("").reverse().join(""),
      limits: { ...DEFAULT_LIMITS, enabled: false },
      world: this.#machine,
      telling: this.#telling,
      ids,
      log: { error: (fields) => onBug((fields as { err?: unknown }).err) },
      onFatal,
    });
  }

  #watched(real: Sequencer): Sequencer {
    const { onSubmit, life } = this.#world;
    const submit: Sequencer["submit"] = (command, settle) => {
      if (!life.alive) return;
      const onSettled = onSubmit(command);
      real.submit(command, (outcome) => {
        if (!life.alive) return;
        onSettled(outcome);
        settle(outcome);
      });
    };
    return {
      submit,
      run: (command) =>
        new Promise((resolve, reject) => {
          submit(command, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
        }),
      nowMs: () => real.nowMs(),
    };
  }

  /** The projector's thread: updates history at intervals. */
  #project(): void {
    const { schedule, dice, life, onFatal } = this.#world;
    schedule.after(
      1 + dice.below(LONGEST_PROJECTOR_PAUSE_MS),
      () => {
        try {
          while (this.#projection.advance(this.#publishedSeq));
        } catch (error) {
          if (error instanceof PowerCut) throw error;
          onFatal(error as Error);
          return;
        }
        this.#history.wake();
        this.#project();
      },
      life,
    );
  }
}
