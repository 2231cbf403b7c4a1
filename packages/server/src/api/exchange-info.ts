/** The response of exchangeInfo. Interface 2.7, 2.8; keys that only later clients read: Interface 9.3, S.19. */
import {
  type DelistingRecord,
  type EngineView,
  EXCHANGE_FILTERS,
  type ExchangeFilters,
  type FieldKind,
  type MarketView,
  MINUTE_MS,
  preventionRulesOf,
  SYMBOL_FILTERS,
  type SymbolFilters,
  type SymbolSpec,
  type SymbolStatus,
} from "@pricetime/engine";
import type { ConnectionLimit, ExchangeFilter, RateLimit, SymbolFilter, SymbolInfo } from "@pricetime/protocol";
import { STREAM_LIMITS } from "./edge/limits.ts";
import type { LimitRule, LimitsConfig } from "./edge/rate-limit-rules.ts";
import { atOnce, longList, type LongList, type MaybeLong, type Pieces, type Turns } from "./answers/long-list.ts";
import { type LongBody, type LongText, LongTextWriter } from "./answers/long-text.ts";
import { fixedText } from "../history/shapes/amounts.ts";

type Written = Readonly<Record<string, string | number | boolean>>;

/** Filters in the order of the interface's table. Filters that are not set are omitted. */
function shown(table: typeof SYMBOL_FILTERS | typeof EXCHANGE_FILTERS, filters: object): Record<string, unknown>[] {
  return Object.entries(table).flatMap(([key, { name, fields }]) => {
    const filter = (filters as Readonly<Record<string, Written | undefined>>)[key];
    if (filter === undefined) return [];
    const values = Object.entries<FieldKind>(fields).map(([field, kind]) => [field, valueShown(kind, filter[field])]);
    // Later clients read this limit under another name.
    const more = name === "MAX_NUM_ORDERS" && { maxNumOrders: filter["limit"] };
    return [{ filterType: name, ...more, ...Object.fromEntries(values) }];
  });
}

function valueShown(kind: FieldKind, value: Written[string] | undefined): unknown {
  return kind === "price" || kind === "quantity" || kind === "amount" ? fixedText(String(value)) : value;
}

export const symbolFilters = (filters: SymbolFilters) => shown(SYMBOL_FILTERS, filters) as unknown as SymbolFilter[];
export const exchangeFilters = (filters: ExchangeFilters) =>
  shown(EXCHANGE_FILTERS, filters) as unknown as ExchangeFilter[];

/** The status that a trading symbol reports while the exchange is suspended. Interface 3.4, 3.11. */
type StoppedStatus = Extract<SymbolStatus, "HALT" | "POST_TRADING">;

function stoppedStatus({ venue, timeMs }: EngineView): StoppedStatus | null {
  if (venue.isStopped("trading", timeMs)) return "POST_TRADING";
  return venue.isStopped("placing", timeMs) ? "HALT" : null;
}

/** The state on which a symbol's JSON depends. Its objects are replaced, not modified, when they change. */
interface SymbolState {
  readonly spec: SymbolSpec;
  readonly delisting: DelistingRecord | null;
  readonly stopped: StoppedStatus | null;
}

function symbolShape(
  engine: EngineView,
  market: MarketView,
  { spec, delisting, stopped }: SymbolState,
  showsPermissionSets: boolean,
): SymbolInfo {
  const basePrecision = engine.asset(market.baseAssetId).spec.precision;
  const quotePrecision = engine.asset(market.quoteAssetId).spec.precision;
  const { defaultMode, allowedModes } = preventionRulesOf(spec, engine.interface);
  return {
    symbol: spec.symbol,
    status: spec.status === "TRADING" ? (stopped ?? spec.status) : spec.status,
    baseAsset: spec.baseAsset,
    baseAssetPrecision: basePrecision,
    quoteAsset: spec.quoteAsset,
    quotePrecision,
    quoteAssetPrecision: quotePrecision,
    baseCommissionPrecision: basePrecision,
    quoteCommissionPrecision: quotePrecision,
    orderTypes: spec.orderTypes,
    icebergAllowed: spec.icebergAllowed,
    ocoAllowed: spec.ocoAllowed,
    quoteOrderQtyMarketAllowed: spec.quoteOrderQtyMarketAllowed,
    otoAllowed: spec.otoAllowed !== false,
    opoAllowed: spec.opoAllowed !== false,
    allowTrailingStop: spec.allowTrailingStop !== false,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: spec.pegInstructionsAllowed !== false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: symbolFilters(spec.filters),
    permissions: ["SPOT"],
    ...(showsPermissionSets && { permissionSets: [["SPOT"]] }),
    defaultSelfTradePreventionMode: defaultMode,
    allowedSelfTradePreventionModes: allowedModes,
    ...(delisting !== null && { delistTime: delisting.atMs }),
  };
}

/** The state on which a complete response depends. */
interface Listing {
  readonly filters: ExchangeFilters;
  readonly stopped: StoppedStatus | null;
  /** The symbols, indexed by symbolId. */
  readonly symbols: readonly Pick<SymbolState, "spec" | "delisting">[];
}

interface Made extends Listing {
  readonly text: LongText;
}

/** A market, with its symbol's state at the time of the response. */
interface Listed {
  readonly market: MarketView;
  readonly state: SymbolState;
}

interface SymbolText extends SymbolState {
  readonly json: string;
}

/** Number of symbols per piece: symbols whose JSON must be generated, and symbols whose JSON is cached. */
export const SYMBOLS_A_PIECE = 16;
const KNOWN_SYMBOLS_A_PIECE = 128;

/** What clients can select in the response. */
interface Variant {
  readonly showsPermissionSets: boolean;
  /** Whether the limit of connections is shown in place of that of requests. */
  readonly showsConnections: boolean;
}

const ORDINARY: Variant = { showsPermissionSets: true, showsConnections: false };

function keyOf({ showsPermissionSets, showsConnections }: Variant): string {
  return `exchangeInfo ${showsPermissionSets} ${showsConnections}`;
}

function withConnections(rules: readonly LimitRule[]): (RateLimit | ConnectionLimit)[] {
  const { maxAttempts, attemptsWindowMs } = STREAM_LIMITS;
  const intervalNum = attemptsWindowMs / MINUTE_MS;
  const connections = { rateLimitType: "CONNECTIONS", interval: "MINUTE", intervalNum, limit: maxAttempts } as const;
  return [...rules.filter(({ rateLimitType }) => rateLimitType !== "RAW_REQUESTS"), connections];
}

/**
 * Generates and compresses the response once per change; each request only adds the time. A symbol's JSON is generated
 * once per change of the symbol.
 */
export class ExchangeInfo {
  readonly #engine: () => EngineView;
  readonly #turns: Turns;
  /** The JSON of the rate limits, followed by a comma. */
  readonly #rateLimits: string;
  /** The JSON of each symbol by symbolId. */
  readonly #symbols: SymbolText[] = [];
  #made: Made | undefined;
  /** The last entry at which `#made` was up to date. */
  #rightSeq = -1;
  /** The same response in other variants, by their keys. Each is created when a client first requests it. */
  readonly #others = new Map<string, ExchangeInfo>();
  readonly #limits: LimitsConfig;
  readonly #variant: Variant;
  /** Distinguishes the variants in the keys of responses. */
  readonly #key: string;

  constructor(engine: () => EngineView, limits: LimitsConfig, turns: Turns, variant: Variant = ORDINARY) {
    this.#engine = engine;
    this.#turns = turns;
    this.#limits = limits;
    this.#variant = variant;
    this.#key = keyOf(variant);
    const rules = variant.showsConnections ? withConnections(limits.rules) : limits.rules;
    this.#rateLimits = `"rateLimits":${JSON.stringify(limits.enabled ? rules : [])},`;
  }

  variant(variant: Variant): ExchangeInfo {
    const key = keyOf(variant);
    if (key === this.#key) return this;
    const known = this.#others.get(key);
    if (known !== undefined) return known;
    const made = new ExchangeInfo(this.#engine, this.#limits, this.#turns, variant);
    this.#others.set(key, made);
    return made;
  }

  /** The response for all symbols. `nowMs` returns the time that it states. */
  all(nowMs: () => number): LongBody | Promise<LongBody> {
    const kept = this.#kept();
    if (kept !== undefined) return { head: headOf(nowMs()), text: kept };
    const markets = this.#engine().markets();
    const making = (): Pieces<LongText> => this.#makeAll();
    if (markets.length <= SYMBOLS_A_PIECE) return { head: headOf(nowMs()), text: atOnce(making()) };
    return this.#turns.make(this.#key, making).then((text) => ({ head: headOf(nowMs()), text }));
  }

  /** The response for the given symbols. */
  some(markets: readonly MarketView[], nowMs: () => number): MaybeLong {
    const engine = this.#engine();
    const list: LongList<Listed> = {
      key: `${this.#key} ${markets.map(({ symbolId }) => symbolId).join()}`,
      count: markets.length,
      rowsAPiece: SYMBOLS_A_PIECE,
      read: () => ({
        rows: markets.map((market) => ({ market, state: { ...announced(market), stopped: stoppedStatus(engine) } })),
        before: `${this.#beforeSymbols(engine.exchangeFilters)}[`,
        after: "]}",
      }),
      write: ({ market, state }) => this.#symbolJson(engine, market, state),
    };
    const written = longList(this.#turns, list);
    if (typeof written === "string") return headOf(nowMs()) + written;
    return written.then(({ text }) => ({ head: headOf(nowMs()), text }));
  }

  #kept(): LongText | undefined {
    const engine = this.#engine();
    if (this.#made === undefined || !this.#isRight(this.#made, engine)) return undefined;
    this.#rightSeq = engine.seq;
    return this.#made.text;
  }

  #isRight({ filters, symbols, stopped }: Listing, engine: EngineView): boolean {
    if (engine.seq === this.#rightSeq) return true;
    const markets = engine.markets();
    if (stopped !== stoppedStatus(engine) || filters !== engine.exchangeFilters || symbols.length !== markets.length)
      return false;
    return markets.every(
      ({ spec, delisting }, symbolId) => spec === symbols[symbolId]?.spec && delisting === symbols[symbolId]?.delisting,
    );
  }

  *#makeAll(): Pieces<LongText> {
    const engine = this.#engine();
    const kept = this.#kept();
    // Another request has generated the text in the meantime.
    if (kept !== undefined) return kept;
    const markets = engine.markets().slice();
    const stopped = stoppedStatus(engine);
    const listing = { filters: engine.exchangeFilters, stopped, symbols: markets.map(announced) };
    const text = new LongTextWriter(true);
    let [piece, made] = [`${this.#beforeSymbols(listing.filters)}[`, 0];
    for (const [symbolId, market] of markets.entries()) {
      const state: SymbolState = { ...(listing.symbols[symbolId] ?? announced(market)), stopped };
      if (!isMadeFrom(this.#symbols[symbolId], state)) made++;
      piece += `${symbolId === 0 ? "" : ","}${this.#symbolJson(engine, market, state)}`;
      if (made < SYMBOLS_A_PIECE && (symbolId + 1) % KNOWN_SYMBOLS_A_PIECE !== 0) continue;
      text.add(piece);
      [piece, made] = ["", 0];
      yield;
    }
    text.add(`${piece}]}`);
    this.#made = { ...listing, text: text.text() };
    this.#rightSeq = -1;
    return this.#made.text;
  }

  #beforeSymbols(filters: ExchangeFilters): string {
    return `${this.#rateLimits}"exchangeFilters":${JSON.stringify(exchangeFilters(filters))},"symbols":`;
  }

  /** The JSON is cached by the identity of the objects in `state`, which are immutable. */
  #symbolJson(engine: EngineView, market: MarketView, state: SymbolState): string {
    const { symbolId } = market;
    const known = this.#symbols[symbolId];
    if (known !== undefined && isMadeFrom(known, state)) return known.json;
    const json = JSON.stringify(symbolShape(engine, market, state, this.#variant.showsPermissionSets));
    this.#symbols[symbolId] = { ...state, json };
    return json;
  }
}

const announced = ({ spec, delisting }: MarketView): Pick<SymbolState, "spec" | "delisting"> => ({ spec, delisting });

function isMadeFrom(known: SymbolText | undefined, { spec, delisting, stopped }: SymbolState): boolean {
  return known?.spec === spec && known.delisting === delisting && known.stopped === stopped;
}

function headOf(nowMs: number): string {
  return `{"timezone":"UTC","serverTime":${nowMs},`;
}
