/** Which listeners are subscribed to which streams, and whether their messages are correct. */
import type { Command } from "@pricetime/engine";
import type { Auditor } from "../auditor.ts";
import type { AuditedEntry } from "../entry.ts";
import { AccountListener } from "./account.ts";
import { DepthListener } from "./depth.ts";
import { KlineListener, type TimedTrade, timedTrades } from "./klines.ts";
import type { Json, Listener } from "./listener.ts";
import { AggTradeListener, TradeListener } from "./trades.ts";

const MINUTE_MS = 60_000;
/** The length of a candle by the stream's name. */
const PERIODS_MS: Readonly<Record<string, number>> = { kline_1m: MINUTE_MS, kline_1h: 60 * MINUTE_MS };

export class StreamAudit {
  readonly #auditor: Auditor;
  readonly #listeners = new Set<Listener>();
  readonly #trades = new Map<string, TimedTrade[]>();
  /** The end of the synthetic history of each symbol that has one. */
  readonly #pastMs = new Map<string, number>();
  /** The number of compared messages. */
  messages = 0;

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  /** Called before the entry's messages arrive. */
  entry(entry: AuditedEntry): void {
    this.#notePast(entry.command);
    for (const timed of timedTrades(entry)) {
      const { symbol } = timed[1];
      const known = this.#trades.get(symbol);
      if (known === undefined) this.#trades.set(symbol, [timed]);
      else known.push(timed);
    }
    for (const listener of this.#listeners) listener.entry?.(entry);
  }

  #notePast(command: Command): void {
    if (command.type !== "importKlines" && command.type !== "addPast") return;
    const endMs = command.type === "addPast" ? command.endMs : (command.candles.at(-1)?.[0] ?? 0) + MINUTE_MS;
    this.#pastMs.set(command.symbol, Math.max(endMs, this.#pastMs.get(command.symbol) ?? 0));
  }

  /** All subscriptions have ended. */
  forgetAll(): void {
    this.#listeners.clear();
  }

  forget(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  message(listener: Listener, message: Json): void {
    this.messages++;
    listener.message(message);
  }

  quiet(): void {
    for (const listener of this.#listeners) listener.quiet();
  }

  /** The listener that checks the stream of this name; undefined if no listener supports it. */
  ofMarket(name: string): Listener | undefined {
    const [symbolName = "", kind = ""] = name.split("@");
    const market = this.#auditor.model.markets.find(({ spec }) => spec.symbol.toLowerCase() === symbolName);
    const fail = (what: string): void => this.#auditor.fail(what);
    if (market === undefined) return undefined;
    const { symbol } = market.spec;
    if (kind === "trade") return this.#added(new TradeListener(symbol, this.#auditor.model.interface === "2019", fail));
    if (kind === "aggTrade") return this.#added(new AggTradeListener(symbol, fail));
    if (kind === "depth") return this.#added(new DepthListener(market, fail));
    const periodMs = PERIODS_MS[kind];
    if (periodMs === undefined) return undefined;
    // A synthetic history may be imported while the stream is subscribed.
    const fromMs = (): number => Math.ceil((this.#pastMs.get(symbol) ?? 0) / periodMs) * periodMs;
    return this.#added(new KlineListener(symbol, fromMs, () => this.#trades.get(symbol) ?? [], fail));
  }

  ofAccount(accountId: number): AccountListener {
    const { model, ledger } = this.#auditor;
    return this.#added(new AccountListener(accountId, model, ledger, (what) => this.#auditor.fail(what)));
  }

  #added<L extends Listener>(listener: L): L {
    this.#listeners.add(listener);
    return listener;
  }
}
