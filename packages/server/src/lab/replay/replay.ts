/** One replay of a recorded market on a symbol. */
import assert from "node:assert/strict";
import type { Entry, Event, MarketView, Trade } from "@pricetime/engine";
import { BadMarketFile, type MarketRow } from "../../research/market-files/rows.ts";
import type { SavedValue } from "../../platform/world/port.ts";
import { Band, ForeignOrders } from "./band.ts";
import { act } from "../demo/operator.ts";
import {
  accountsInTheWay,
  BY,
  JOBS,
  OrderSender,
  openedAccounts,
  openReplayAccounts,
  type ReplayAccounts,
  type ReplayNode,
} from "./replay-orders.ts";
import {
  type Player,
  type PromptPlayer,
  REPLAY_LIMITS,
  type ReplaySettings,
  type ReplayState,
} from "./replay-shapes.ts";
import type { KnownOrders } from "./lobster/known-orders.ts";
import { MessagePlayer } from "./lobster/message-player.ts";
import { ReplaySource, type SourceOptions } from "./replay-source.ts";
import { Survey } from "./survey.ts";
import { SymbolGrid, wideFilters } from "./symbol-grid.ts";
import { TradePlayer } from "./trade-player.ts";

export interface ReplayGround extends ReplayNode {
  readonly nowMs: () => number;
  /** Makes `driver` the market maker of a symbol and pauses its bots; null resumes them. */
  readonly standIn: (symbol: string, driver: string | null) => void;
}

/** The running parts of a replay that has begun. */
interface Acting {
  readonly sender: OrderSender;
  readonly player: Player;
  /** The same player, if it can work synchronously. */
  readonly prompt?: PromptPlayer;
  readonly others: ForeignOrders;
}

export class Replay {
  readonly state: ReplayState;
  readonly #ground: ReplayGround;
  readonly #market: MarketView;
  readonly #grid: SymbolGrid;
  /** The check of the files, while it runs. */
  #survey: Survey | undefined;
  #isStopped = false;
  /** The orders known from the messages; undefined until the files are checked. */
  #known: KnownOrders | null | undefined;
  #source: ReplaySource | undefined;
  #acting: Acting | undefined;

  constructor(ground: ReplayGround, state: ReplayState) {
    const market = ground.view.marketBySymbol(state.settings.symbol);
    assert(market !== undefined, "a replayed symbol is listed");
    this.#ground = ground;
    this.#market = market;
    this.#grid = new SymbolGrid(market);
    this.state = state;
  }

  /**
   * Creates a replay and checks its files: small ones completely, larger ones only at the beginning. Throws
   * `BadMarketFile`.
   */
  static async prepare(ground: ReplayGround, id: number, settings: ReplaySettings): Promise<Replay> {
    const market = ground.view.marketBySymbol(settings.symbol);
    assert(market !== undefined, "a replayed symbol is listed");
    const grid = new SymbolGrid(market);
    const survey = await Survey.begin(sourceOf(settings, grid));
    try {
      const { bytes, first, totalBytes } = survey;
      const { layout, firstMs, firstTicks, meanLots } = first;
      const band = bandOf(settings, grid, firstTicks, meanLots);
      const replay = new Replay(ground, {
        ...{ id, settings, layout, bytes: [...bytes], nextMs: firstMs, speed: settings.speed, band },
        ...{
          phase: "checking",
          error: null,
          doubts: [],
          book: null,
          anchor: { fileMs: firstMs, labMs: settings.startAtMs ?? ground.nowMs() },
        },
        ...{ place: null, last: null, rows: 0, trades: 0, lastId: 0, player: null, filters: null },
      });
      replay.#survey = survey;
      // Messages can be replayed only after all of them have been read.
      const isChecked = settings.check === "beginning" && layout !== "lobster";
      if (isChecked) replay.#checked(survey);
      else if (totalBytes <= REPLAY_LIMITS.maxBytesBeforeAnswer) await replay.#check(survey);
      return replay;
    } catch (error) {
      survey.close();
      throw error;
    }
  }

  get skipped(): number {
    return this.#acting?.player.skipped ?? 0;
  }

  /** The number of bytes of the files that were replayed. */
  get bytesPlayed(): number {
    const { bytes, place, phase } = this.state;
    if (phase === "ended") return bytes.reduce((sum, each) => sum + each, 0);
    if (place === null) return 0;
    return bytes.slice(0, place.file).reduce((sum, each) => sum + each, 0) + place.byte;
  }

  /** The number of bytes of the files that were checked; null when the check is complete. */
  get bytesChecked(): number | null {
    return this.state.phase === "checking" ? (this.#survey?.checkedBytes ?? 0) : null;
  }

  get isBegun(): boolean {
    return this.state.filters !== null;
  }

  /** Whether the files were found invalid before any row was replayed. */
  get isRefused(): boolean {
    return this.state.phase === "failed" && !this.isBegun;
  }

  /** When the next row is due, in lab time; Infinity if no row is due. */
  get dueMs(): number {
    const { phase, nextMs, anchor } = this.state;
    if (phase === "waiting") return anchor.labMs;
    return phase === "playing" ? this.#labMsOf(nextMs) : Number.POSITIVE_INFINITY;
  }

  /** Checks the rest of the files. If one is invalid, the replay fails before any row is replayed. */
  async check(): Promise<void> {
    try {
      const survey = (this.#survey ??= await Survey.begin(sourceOf(this.state.settings, this.#grid)));
      if (this.#isStopped) survey.close();
      await this.#check(survey);
    } catch (error) {
      if (!(error instanceof BadMarketFile)) throw error;
      this.#over("failed", error.message);
    }
  }

  /** Aborts the check of the files. */
  stopChecking(): void {
    this.#isStopped = true;
    this.#survey?.close();
  }

  /** Takes over the symbol: pauses bots and agents, cancels their orders, and widens its filters. */
  async begin(): Promise<void> {
    const { symbol } = this.state.settings;
    const { spec, symbolId } = this.#market;
    this.#ground.standIn(symbol, "replay");
    const accounts = await openReplayAccounts(this.#ground, symbol);
    this.state.filters = spec.filters;
    await this.#setFilters(wideFilters(spec.filters));
    this.#act(accounts);
    const { sender } = this.#actingNow;
    for (const accountId of accountsInTheWay(this.#ground, symbolId)) sender.cancelAllOf(accountId);
    await sender.flush();
    this.state.phase = "playing";
  }

  /** Continues a running replay after a restore. */
  takeUp(): void {
    if (!this.isBegun) return;
    const { symbol } = this.state.settings;
    this.#ground.standIn(symbol, "replay");
    this.#act(openedAccounts(this.#ground, symbol));
  }

  /**
   * Replays the rows that are due. Returns undefined if this finished synchronously, otherwise a promise. Throws and
   * rejects only because of bugs.
   */
  playDue(): Promise<void> | undefined {
    try {
      return this.#playNow();
    } catch (error) {
      if (!(error instanceof BadMarketFile)) throw error;
      return this.#failed(error);
    }
  }

  /** Replays the rows that are due, or the next `rows` regardless of their time. Rejects only because of bugs. */
  async play(rows = 0): Promise<void> {
    const { state } = this;
    try {
      if (!this.#isOpen()) return;
      const source = await this.#opened();
      const nowMs = this.#ground.nowMs();
      const until = rows === 0 ? Number.POSITIVE_INFINITY : state.rows + rows;
      while (state.rows < until) {
        const row = source.peek() ?? ((await source.more()) ? source.peek() : undefined);
        if (row === undefined || (rows === 0 && this.#labMsOf(row.timeMs) > nowMs)) break;
        await this.#play(source, row);
      }
      await this.#endOfMoment();
      if (source.peek() === undefined && !(await source.more())) this.#over("ended", null);
      this.#standBefore(source, source.peek());
    } catch (error) {
      if (!(error instanceof BadMarketFile)) throw error;
      await this.#failed(error);
    }
  }

  /** Pauses the replay: file time stops. */
  pause(): void {
    if (this.state.phase !== "playing") return;
    this.#anchorNow();
    this.state.phase = "paused";
  }

  resume(): void {
    if (this.state.phase !== "paused") return;
    // The file time continues after the last row that was stepped manually.
    const { anchor, last } = this.state;
    const fileMs = Math.max(anchor.fileMs, last?.fileMs ?? anchor.fileMs);
    this.state.anchor = { fileMs, labMs: this.#ground.nowMs() };
    this.state.phase = "playing";
    this.state.error = null;
  }

  setSpeed(speed: number): void {
    if (this.state.phase === "playing") this.#anchorNow();
    this.state.speed = speed;
  }

  /** Releases the symbol: cancels the replay's orders, restores the filters and resumes the bots. */
  async remove(): Promise<void> {
    this.close();
    const { filters, settings } = this.state;
    if (filters === null) return;
    const { symbol } = settings;
    await this.#clear();
    await this.#setFilters(filters);
    this.#ground.standIn(symbol, null);
  }

  close(): void {
    this.stopChecking();
    this.#source?.close();
    this.#source = undefined;
  }

  applied(_entry: Entry, events: readonly Event[]): void {
    const acting = this.#acting;
    if (acting === undefined) return;
    const { others, player } = acting;
    others.applied(events, (trade: Trade) => {
      if (others.isOwn(trade.taker.order.accountId)) this.state.trades++;
      player.ownTaken(trade);
    });
  }

  toSave(): SavedValue {
    const { state } = this;
    const acting = this.#acting;
    const ofParts = acting && { lastId: acting.sender.lastId, player: acting.player.toSave() };
    return structuredClone({ ...state, ...ofParts });
  }

  async #setFilters(filters: MarketView["spec"]["filters"]): Promise<void> {
    const { symbol } = this.state.settings;
    await act(this.#ground, { type: "setSymbolFilters", symbol, filters, acceptRounding: true }, BY);
  }

  #act(accounts: ReplayAccounts): void {
    const { id, settings, band: bandSettings, lastId, layout, player: savedPlayer } = this.state;
    const { view } = this.#ground;
    const { symbolId } = this.#market;
    const sender = new OrderSender(this.#ground, symbolId, accounts, `replay${id}-`, lastId);
    const others = new ForeignOrders(view, symbolId, new Set(Object.values(accounts)));
    const restored = savedPlayer ?? undefined;
    const parts = { grid: this.#grid, sender, others, impact: settings.impact };
    if (layout === "lobster") {
      const player = new MessagePlayer(
        { ...parts, view, symbolId, accounts, known: () => this.#knownOrders() },
        restored,
      );
      this.#acting = { sender, others, player };
      return;
    }
    const band = new Band(sender, bandSettings);
    band.takeUp(view, symbolId, { BUY: accounts.bids, SELL: accounts.asks });
    const player = new TradePlayer({ ...parts, band }, restored);
    this.#acting = { sender, others, player, prompt: player };
  }

  async #check(survey: Survey): Promise<void> {
    if (await survey.toEnd()) this.#checked(survey);
  }

  #checked(survey: Survey): void {
    survey.close();
    this.#survey = undefined;
    this.#known = survey.known;
    const { state } = this;
    state.doubts = survey.doubts;
    state.book = survey.book;
    // Unless its start time is set, the replay begins when its files have been checked.
    if (state.settings.startAtMs === undefined) state.anchor.labMs = this.#ground.nowMs();
    state.phase = "waiting";
  }

  async #knownOrders(): Promise<KnownOrders> {
    if (this.#known === undefined) {
      const survey = await Survey.begin(sourceOf(this.state.settings, this.#grid));
      await survey.toEnd();
      this.#known = survey.known;
    }
    assert(this.#known !== null, "messages have orders");
    return this.#known;
  }

  get #actingNow(): Acting {
    assert(this.#acting !== undefined, "a replay acts when it has begun");
    return this.#acting;
  }

  /** Whether the symbol accepts orders. The recording pauses while it does not. */
  #isOpen(): boolean {
    if (this.#market.spec.status === "TRADING" && !this.#ground.view.isInMaintenance) return true;
    this.pause();
    this.state.error = `${this.state.settings.symbol} does not trade: resume it, then play`;
    return false;
  }

  async #opened(): Promise<ReplaySource> {
    if (this.#source !== undefined) return this.#source;
    const { settings, place } = this.state;
    this.#source = new ReplaySource(sourceOf(settings, this.#grid), place ?? undefined);
    return this.#source;
  }

  /**
   * Replays the rows that are due synchronously, if no other trader has orders and the rows have been read. Otherwise
   * `play` continues.
   */
  #playNow(): Promise<void> | undefined {
    const source = this.#source;
    const { sender, prompt } = this.#actingNow;
    if (source === undefined || prompt?.isAlone !== true || !sender.canFlushNow || !this.#isOpen()) return this.play();
    const nowMs = this.#ground.nowMs();
    let row = source.peek();
    for (; row !== undefined && this.#labMsOf(row.timeMs) <= nowMs; row = source.peek()) {
      if (!this.#playRowNow(source, prompt, row)) return this.play();
    }
    // Only the next row shows whether the instant is complete, so it must be read first.
    if (row === undefined) return this.play();
    prompt.endNow();
    prompt.restNow();
    if (!sender.flushNow()) return this.#flushed(source, row);
    this.#standBefore(source, row);
    return undefined;
  }

  async #flushed(source: ReplaySource, next: MarketRow): Promise<void> {
    try {
      await this.#actingNow.sender.flush();
      this.#standBefore(source, next);
    } catch (error) {
      if (!(error instanceof BadMarketFile)) throw error;
      await this.#failed(error);
    }
  }

  /** Replays one row synchronously. Returns false if `play` must continue with the row. */
  #playRowNow(source: ReplaySource, player: PromptPlayer, row: MarketRow): boolean {
    const { sender } = this.#actingNow;
    try {
      if (!player.goesOn(row)) {
        player.endNow();
        if (sender.queued >= REPLAY_LIMITS.maxCommandsAtATime) return false;
        sender.path = source.path;
        sender.line = row.line;
      }
      player.take(row);
    } catch (error) {
      throw source.bad(row, error);
    }
    this.#taken(source, row);
    return true;
  }

  async #play(source: ReplaySource, row: MarketRow): Promise<void> {
    const { sender, player } = this.#actingNow;
    try {
      if (!player.goesOn(row)) {
        await player.end();
        if (sender.queued >= REPLAY_LIMITS.maxCommandsAtATime) await sender.flush();
        sender.path = source.path;
        sender.line = row.line;
        await player.begin(source.place.file);
      }
      player.take(row);
    } catch (error) {
      throw source.bad(row, error);
    }
    this.#taken(source, row);
  }

  #taken(source: ReplaySource, row: MarketRow): void {
    const { state } = this;
    source.take();
    state.rows++;
    state.last = { fileMs: row.timeMs, labMs: this.#ground.nowMs() };
  }

  #standBefore(source: ReplaySource, row: MarketRow | undefined): void {
    const { state } = this;
    state.nextMs = row?.timeMs ?? state.nextMs;
    state.place = source.place;
  }

  async #endOfMoment(): Promise<void> {
    const { sender, player } = this.#actingNow;
    await player.end();
    await player.rest();
    await sender.flush();
  }

  /** Ends the replay and cancels its orders. Trades from rows before the invalid one are not undone. */
  async #failed(error: BadMarketFile): Promise<void> {
    this.#over("failed", error.message);
    if (this.#acting === undefined) return;
    await this.#actingNow.player.end().catch(() => {});
    await this.#actingNow.sender.flush().catch(() => {});
    await this.#clear();
  }

  async #clear(): Promise<void> {
    const { sender } = this.#actingNow;
    for (const job of JOBS) sender.cancelAll(job);
    await sender.flush();
  }

  #over(phase: "ended" | "failed", error: string | null): void {
    this.state.phase = phase;
    this.state.error = error;
  }

  #labMsOf(fileMs: number): number {
    const { anchor, speed } = this.state;
    return anchor.labMs + Math.ceil((fileMs - anchor.fileMs) / speed);
  }

  /** Makes the current file time the new anchor. */
  #anchorNow(): void {
    const { anchor, speed, nextMs, last } = this.state;
    const labMs = this.#ground.nowMs();
    const fileMs = Math.floor(anchor.fileMs + (labMs - anchor.labMs) * speed);
    this.state.anchor = { fileMs: Math.min(nextMs, Math.max(fileMs, last?.fileMs ?? fileMs)), labMs };
  }
}

function sourceOf({ files, layout, fromMs, toMs }: ReplaySettings, grid: SymbolGrid): SourceOptions {
  return { paths: files, layout, fromMs, toMs, grid };
}

const BAND = { levels: 5, spacingBps: 1, meanQuantities: 10 };

function bandOf(
  { band = {} }: ReplaySettings,
  grid: SymbolGrid,
  firstTicks: number,
  meanLots: number,
): ReplayState["band"] {
  const { tick, lot } = grid;
  const spacingTicks =
    band.spacing === undefined
      ? Math.max(tick, Math.round((firstTicks * BAND.spacingBps) / 10_000 / tick) * tick)
      : grid.ticksOf(band.spacing);
  const lots =
    band.size === undefined ? Math.max(lot, grid.wholeLots(meanLots * BAND.meanQuantities)) : grid.lotsOf(band.size);
  return { levels: band.levels ?? BAND.levels, spacingTicks, lots, tick };
}
