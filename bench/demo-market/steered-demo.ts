/**
 * The demo's bots on the real gateway and engine, in one process, without a disk: its clock is the caller's, so that an
 * hour of its market takes seconds, and what comes of a seed is the same every time.
 */
import { ADOPT_NEWEST_RULES, type Command, Engine, type Event, type MarketView } from "@pricetime/engine";
import {
  applyListing,
  createGateway,
  createSealer,
  DEFAULT_LIMITS,
  type Gateway,
  type GatewayOptions,
  MACHINE,
  type Outcome,
  type Sequencer,
} from "@pricetime/server/parts";
import { Bots, demoListing, isTrading, liveMarkets, openBotAccounts, STEP_MS } from "@pricetime/server/demo";

const MASTER_KEY = "5eed".repeat(16);

export interface SteeredDemoOptions {
  readonly seed: number;
  readonly startMs: number;
  /** All of the demo's when left out. */
  readonly symbols?: readonly string[];
  /** After each command, in their order. */
  readonly onApplied?: (events: readonly Event[]) => void;
  readonly tell?: (decision: string) => void;
}

export class SteeredDemo {
  readonly engine = new Engine();
  readonly gateway: Gateway;
  /** What went wrong that is no refusal. */
  readonly errors: unknown[] = [];
  readonly #options: SteeredDemoOptions;
  #bots: Bots | undefined;
  #nowMs: number;

  constructor(options: SteeredDemoOptions) {
    this.#options = options;
    this.#nowMs = options.startMs;
    const onFatal = (error: Error): void => void this.errors.push(error);
    this.gateway = createGateway({
      engine: this.engine,
      sequencer: this.#sequencer(),
      ...NOT_ASKED,
      unseal: (sealed) => createSealer(MASTER_KEY, MACHINE).unseal(sealed),
      limits: DEFAULT_LIMITS,
      world: { ...MACHINE, nowMs: () => this.#nowMs },
      log: { error: (fields) => this.errors.push(fields) },
      onFatal,
    });
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Lists the demo and opens its bots; nobody has traded yet. */
  async open(): Promise<void> {
    const { engine } = this;
    const { seed, symbols, tell } = this.#options;
    const sequencer = this.#sequencer();
    this.#apply(ADOPT_NEWEST_RULES);
    await applyListing({ ...demoListing({ assets: [], symbols: [] }), exchangeFilters: null }, engine, sequencer);
    const markets = liveMarkets(engine).filter(({ spec }) => symbols?.includes(spec.symbol) ?? true);
    const accounts = await openBotAccounts(
      { view: engine, sequencer, sealer: createSealer(MASTER_KEY, MACHINE), world: MACHINE },
      markets,
    );
    this.#bots = new Bots({
      world: MACHINE,
      venue: (request) => this.gateway.handle(request),
      accounts,
      markets,
      seed,
      nowMs: () => this.#nowMs,
      isTrading: (symbol) => isTrading(engine, symbol),
      onError: (error) => this.errors.push(error),
      ...(tell === undefined ? {} : { tell }),
    });
  }

  /** One step of the bots, and then the time that it takes. */
  async step(): Promise<void> {
    await this.#bots?.step();
    this.#nowMs += STEP_MS;
  }

  market(symbol: string): MarketView {
    const market = this.engine.marketBySymbol(symbol);
    if (market === undefined) throw new Error(`${symbol} is not listed`);
    return market;
  }

  #sequencer(): Sequencer {
    return {
      submit: (command, settle) => setImmediate(() => settle(this.#apply(command))),
      run: async (command) => this.#apply(command),
      nowMs: () => Math.max(this.#nowMs, this.engine.timeMs),
    };
  }

  #apply(command: Command): Outcome {
    const entry = { seq: this.engine.seq + 1, timeMs: this.#nowMs, command };
    const events = this.engine.apply(entry);
    this.#options.onApplied?.(events);
    return { seq: entry.seq, timeMs: this.engine.timeMs, events };
  }
}

/** What no bot asks for: history, networks, mails. */
const NOT_ASKED = {
  history: {} as GatewayOptions["history"],
  walletPorts: {} as GatewayOptions["walletPorts"],
};
