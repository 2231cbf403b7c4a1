/** One process of a single node: in addition to the shared parts, its chain, emails, trading rules and sessions. */
import type { Engine, Entry, Event } from "@pricetime/engine";
import type { Journal, JournalRows } from "@pricetime/server/data-folder";
import {
  type Chain,
  ChainNetwork,
  checkNotBehind,
  CLOCK_LIMITS,
  type Gateway,
  type GroupCommitSequencer,
  type MachineClocks,
  type MailFiles,
  MailFolder,
  FileOutbox,
  NoSuchNetwork,
  NoticeEmails,
  SANDBOX_POLL_MS,
  type Sending,
  type Sequencer,
  SessionStore,
  type Streams,
  TradingRules,
  type TradingRulesSettings,
  type Wallet,
  WithdrawalEmails,
} from "@pricetime/server/parts";
import { LINKS } from "../audit/notices.ts";
import { SimJournal } from "./journal.ts";
import { NO_LOG, type ProcessWorld, SimProcess } from "./process.ts";
import { CONFIRMATIONS } from "./tokens.ts";

const FIRST_MAIL_PAUSE_MS = 500;
const VENUE = "http://sim";
const PAYMENTS_UNDER_WAY = 3;

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

export interface NodeWorld extends ProcessWorld {
  readonly snapshotEveryEntries: number;
  /** The connection to the sandbox chain. */
  readonly chain: Chain;
  readonly mailFiles: MailFiles;
  readonly sending: Sending;
  readonly rules: TradingRulesSettings;
  readonly seams: Seams;
  readonly onRecovered: (entry: Entry, events: readonly Event[], engine: Engine) => void;
}

export class SimNode extends SimProcess<NodeWorld> {
  readonly gateway: Gateway;
  /** The sequencer, as clients of its port use it. */
  readonly sequencer: Sequencer;
  readonly streams: Streams;
  readonly #real: GroupCommitSequencer;
  readonly #rules: TradingRules;
  readonly #network: ChainNetwork;
  readonly #letters: WithdrawalEmails;
  readonly #notices: NoticeEmails;
  /** Verifies session cookies of browsers. */
  readonly door: SessionStore;
  #isOpen = false;

  /** Throws the real node's error if it cannot start. */
  constructor(world: NodeWorld) {
    const { seams, snapshotEveryEntries, life, onFatal } = world;
    const journal = seams.journal(new SimJournal(world));
    super(world, {
      journal,
      rows: seams.rows(journal),
      snapshotEveryEntries,
      clocks: seams.clocks(world.clocks),
      onReplayed: world.onRecovered,
      historyWaits: seams.historyWaits,
    });
    if (seams.refusesClockBehind) checkNotBehind(this.clock.nowMs(), this.engine.timeMs, CLOCK_LIMITS.maxLeapMs);
    this.#real = this.openSequencer({ node: "sim", onFatal: (error) => life.alive && onFatal(error) });
    this.sequencer = this.watched(seams.sequencer(this.#real));
    this.#rules = new TradingRules({
      settings: world.rules,
      view: this.engine,
      sequencer: this.sequencer,
      history: this.history,
      world: this.machine,
      log: NO_LOG,
      onFatal: (error) => life.alive && world.onBug(error),
    });
    this.#network = this.#openNetwork();
    const mails = this.#openMail();
    this.#letters = new WithdrawalEmails({ view: this.engine, mails, confirmations: CONFIRMATIONS, log: NO_LOG });
    this.#notices = this.#openNotices(mails);
    this.door = new SessionStore({ access: this.engine.access, sequencer: this.sequencer, dice: this.machine });
    this.gateway = this.openGateway(this.sequencer, { wallet: this.#wallet, tradingRules: this.#rules });
    this.streams = this.openStreams(this.#real, this.gateway);
    this.sendQueue.follow(this.streams, this.gateway, this.#letters, this.#notices);
    this.#real.start();
    this.project();
    this.#openDoors().catch((error: unknown) => life.alive && onFatal(error as Error));
  }

  /** Whether it accepts clients. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get rulesAreOff(): boolean {
    return !this.world.rules.enabled;
  }

  chainMoved(): void {
    this.#network.wake();
  }

  async #openDoors(): Promise<void> {
    await this.#rules.release();
    if (!this.world.life.alive) return;
    this.#isOpen = true;
    this.#letters.catchUp(this.clock.nowMs());
    this.#notices.catchUp();
    for (const part of [this.#rules, this.#network, this.clock]) part.start();
  }

  #openNetwork(): ChainNetwork {
    const { chain, onBug, life } = this.world;
    return new ChainNetwork({
      chain,
      view: this.engine,
      sequencer: this.sequencer,
      log: NO_LOG,
      onFatal: (error) => life.alive && onBug(error),
      pollMs: SANDBOX_POLL_MS,
      maxPendingPayments: PAYMENTS_UNDER_WAY,
      raiseFeeAfterMs: 0,
      world: this.machine,
    });
  }

  #openMail(): FileOutbox {
    const { mailFiles, sending } = this.world;
    const common = { world: this.machine, firstPauseMs: FIRST_MAIL_PAUSE_MS };
    const folder = new MailFolder(mailFiles, {
      ...common,
      onError: (error) => this.world.onBug(error),
      onWritten: (mail) => this.#notices.onWritten(mail),
    });
    return new FileOutbox({ ...common, folder, sending, publicUrl: () => VENUE, log: NO_LOG });
  }

  #openNotices(mails: FileOutbox): NoticeEmails {
    return new NoticeEmails({
      ...{ view: this.engine, mails, sequencer: this.sequencer, world: this.machine, log: NO_LOG, isOfLab: false },
      ...{ links: LINKS, publicUrl: () => VENUE, consoleUrl: () => `${VENUE}:81` },
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
}
