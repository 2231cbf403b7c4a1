/**
 * The demo's market under a manual clock: the real engine, sequencer and bots, with a journal that stores only its hash
 * chain. The bots send orders directly, as in a lab, or through the gateway, as in a demo.
 */
import { ADOPT_NEWEST_RULES, type Command, Engine, type Entry, type Event } from "@pricetime/engine";
import { chainOn, EMPTY_HEAD, headAfter, type Journal, type JournalHead } from "@pricetime/server/data-folder";
import {
  agentSchema,
  Bots,
  demoListing,
  isTrading,
  type LabAgents,
  LabBots,
  liveMarkets,
  type MarketControl,
  openBotAccounts,
} from "@pricetime/server/demo";
import {
  applyListing,
  createGateway,
  createSealer,
  DEFAULT_LIMITS,
  type GatewayOptions,
  GroupCommitSequencer,
  LabClock,
  MACHINE,
  type PartStates,
  SavedParts,
  SeededRandom,
  type PromptSequencer,
  type World,
} from "@pricetime/server/parts";

const MASTER_KEY = "5eed".repeat(16);
/** A Wednesday at noon, UTC. */
const START_MS = Date.parse("2026-01-14T12:00:00Z");

/** The state of a market, from which another market can continue. */
export interface LabMarketState {
  readonly engine: Uint8Array;
  readonly head: JournalHead;
  readonly states: PartStates;
}

export interface LabMarketOptions {
  readonly seed?: number;
  readonly startMs?: number;
  /** The symbols to list. Default: all symbols of the demo. */
  readonly symbols?: readonly string[];
  /** Whether the bots send their orders at once or through the gateway. Default: at once. */
  readonly way?: "at once" | "gateway";
  readonly from?: LabMarketState;
  readonly control?: (market: Pick<LabMarket, "engine" | "sequencer" | "world">) => MarketControl;
  /** Additional agents in the form of the admin API; only if the bots send orders at once. */
  readonly agents?: readonly object[];
  /** Whether appending takes time, as in a journal that waits for the disk. */
  readonly journalWaits?: boolean;
  /** Called after each entry. */
  readonly onApplied?: (entry: Entry, events: readonly Event[]) => void;
}

export class LabMarket {
  readonly engine: Engine;
  readonly clock: LabClock;
  readonly world: World;
  readonly sequencer: PromptSequencer;
  /** All errors that occurred, except rejections. */
  readonly errors: unknown[] = [];
  /** Rejections that the bots received. */
  readonly refused: string[] = [];
  readonly #options: LabMarketOptions;
  readonly #journal: ChainOnly;
  readonly #saved = new SavedParts();
  #bots: Bots | LabBots | undefined;

  constructor(options: LabMarketOptions = {}) {
    const { from, startMs = START_MS, seed = 1 } = options;
    this.#options = options;
    this.engine = from === undefined ? new Engine() : Engine.restore(from.engine);
    this.#journal = new (options.journalWaits === true ? ChainOnly : PromptChain)(from?.head ?? EMPTY_HEAD);
    const onBug = (error: unknown): void => void this.errors.push(error);
    const start = { mode: "manual", nowMs: startMs, speed: 1 } as const;
    const saved = this.#saved;
    if (from !== undefined) saved.begin(from.states);
    this.clock = new LabClock({ machine: { ...MACHINE, saved }, start, onBug });
    const { nowMs, steadyMs, soon, after, every, pause } = this.clock;
    const { randomBytes } = new SeededRandom(seed, saved);
    this.world = { nowMs, steadyMs, soon, after, every, pause, randomBytes, saved };
    const sequencer = new GroupCommitSequencer({
      journal: this.#journal,
      engine: this.engine,
      node: "lab",
      world: this.world,
      onFatal: onBug,
      onApplied: (entry, events) => {
        if (this.#bots instanceof LabBots) this.#bots.agents.applied(entry, events);
        options.onApplied?.(entry, events);
      },
    });
    this.sequencer = sequencer;
  }

  /** Lists the demo's symbols and starts its bots, or continues from a given state. */
  async open(): Promise<this> {
    const { engine, sequencer, world } = this;
    const { from, symbols, seed = 1 } = this.#options;
    const sealer = createSealer(MASTER_KEY, world);
    if (from === undefined) {
      await sequencer.run(ADOPT_NEWEST_RULES);
      await applyListing({ ...demoListing({ assets: [], symbols: [] }), exchangeFilters: null }, engine, sequencer);
    }
    const markets = liveMarkets(engine).filter(({ spec }) => symbols?.includes(spec.symbol) ?? true);
    const accounts = await openBotAccounts({ view: engine, sequencer, sealer, world }, markets);
    const parts = {
      ...{ accounts, markets, seed, world },
      control: this.#options.control?.(this),
      isTrading: (symbol: string) => isTrading(engine, symbol),
      onError: (error: unknown) => void this.errors.push(error),
      tell: (text: string) => void (text.startsWith("refused") && this.refused.push(text)),
    };
    this.#bots =
      this.#options.way === "gateway"
        ? new Bots({ ...parts, ...this.#gateway() })
        : new LabBots({ ...parts, view: engine, sequencer });
    await this.#bots.start();
    this.#saved.finish();
    if (from !== undefined) return this;
    for (const asked of this.#options.agents ?? []) await this.agents.add(agentSchema.parse(asked), world.nowMs());
    return this;
  }

  get agents(): LabAgents {
    if (!(this.#bots instanceof LabBots))
      throw new Error("bots that act through the gateway have no agents beside them");
    return this.#bots.agents;
  }

  advance(ms: number): Promise<unknown> {
    return this.clock.advance((nowMs) => nowMs + ms);
  }

  /** The current state. No work may be pending. */
  get state(): LabMarketState {
    if (!(this.#bots instanceof LabBots)) throw new Error("bots that act through the gateway save nothing");
    return { engine: this.engine.snapshot(), head: this.#journal.headNow, states: this.#saved.save() };
  }

  /** The hash chain over all entries so far. */
  get chainHash(): string {
    return this.#journal.headNow.chainHash;
  }

  /** Returns the last price of a symbol. */
  lastPrice(symbol: string): number {
    const market = this.engine.marketBySymbol(symbol);
    return market === undefined ? Number.NaN : market.lastTradeTicks / 10 ** market.scale.priceDecimals;
  }

  run(command: Command): Promise<unknown> {
    return this.sequencer.run(command);
  }

  async stop(): Promise<void> {
    await this.#bots?.stop();
    this.clock.stop();
  }

  #gateway(): Pick<ConstructorParameters<typeof Bots>[0], "venue" | "nowMs"> {
    const { engine, sequencer, world } = this;
    const gateway = createGateway({
      ...{ engine, sequencer, world },
      ...NOT_ASKED,
      unseal: (sealed) => createSealer(MASTER_KEY, world).unseal(sealed),
      limits: DEFAULT_LIMITS,
      log: { error: (fields) => this.errors.push(fields) },
      onFatal: (error) => this.errors.push(error),
    });
    // In their first step, the bots request the last trades. A new market has none.
    const noTrades = { status: 200, body: "[]" };
    const nowMs = (): number => sequencer.nowMs();
    return {
      nowMs,
      venue: (request) => (request.path === "/api/v3/trades" ? Promise.resolve(noTrades) : gateway.handle(request)),
    };
  }
}

/** Parts of the gateway that the bots do not use: history, networks, emails. */
const NOT_ASKED = {
  history: {} as GatewayOptions["history"],
  walletPorts: {} as GatewayOptions["walletPorts"],
};

class ChainOnly implements Journal {
  headNow: JournalHead;

  constructor(head: JournalHead) {
    this.headNow = head;
  }

  async append(batch: Parameters<Journal["append"]>[0]): Promise<JournalHead> {
    this.headNow = headAfter(chainOn(this.headNow, batch));
    return this.headNow;
  }

  async head(): Promise<JournalHead> {
    return this.headNow;
  }

  async *read(): ReturnType<Journal["read"]> {}

  async close(): Promise<void> {}
}

/** Stores only the hash chain and appends in the same turn, like a lab's journal. */
class PromptChain extends ChainOnly {
  appendNow(batch: Parameters<Journal["append"]>[0]): JournalHead {
    this.headNow = headAfter(chainOn(this.headNow, batch));
    return this.headNow;
  }
}
