/**
 * Locks API trading of accounts that break the trading rules. Twice a minute, it checks the last ten minutes of
 * history. The lock is a journaled command, so it applies on every node. Interface 3.8, 4.5.
 */
import assert from "node:assert/strict";
import { type EngineView, TRADING_RULES } from "@pricetime/engine";
import { z } from "zod";
import { CONDUCT_WINDOW_MS, type ConductRow, type History, HistoryBehind } from "../history/port.ts";
import { NotAccepted, OutcomeUnknown, type Sequencer } from "../journal/sequencer/port.ts";
import type { Cancel, Saves, Timers } from "../platform/world/port.ts";
import { savedCount } from "../platform/world/saved-state.ts";

/**
 * UFR: the unfilled fraction of the value of all orders. IFER: the fraction of IOC and FOK orders that expired without
 * a fill. GCR: the fraction of GTC orders that ended without a fill within 2.5 s.
 */
type Indicator = "UFR" | "IFER" | "GCR";

export interface IndicatorValue {
  readonly indicator: Indicator;
  /** The number of orders counted. */
  readonly count: number;
  /** The value, from 0 to 1. */
  readonly value: number;
  /** The rule is broken at or above this value, if enough orders were counted. */
  readonly trigger: number;
}

interface ApiTradingStatus {
  readonly isLocked: boolean;
  /** When the lock ends; 0 if not locked. */
  readonly plannedRecoverTimeMs: number;
  /** The indicator that caused the lock; null if not locked. */
  readonly lockedBy: Indicator | null;
  /** For each indicator, the minimum number of orders for its rule to apply. */
  readonly triggerCondition: Readonly<Record<Indicator, number>>;
  /**
   * UFR, IFER and GCR of each symbol, by symbol id. Only symbols on which the account placed orders within the rules'
   * window.
   */
  readonly indicators: ReadonlyMap<number, readonly IndicatorValue[]>;
  /** When the indicators were computed. */
  readonly updateTimeMs: number;
}

export interface TradingRulesStatus {
  /** Rejects with `HistoryBehind`. The keys of `indicators` are symbol ids. */
  status(accountId: number, nowMs: number): Promise<ApiTradingStatus>;
}

/** The rule for one indicator. */
export interface Rule {
  /** The rule is broken if the indicator reaches this fraction. */
  readonly trigger: number;
  /** Minimum number of orders for the rule to apply. */
  readonly orders: number;
}
export interface Rules {
  readonly ufr: Rule;
  readonly ifer: Rule;
  readonly gcr: Rule;
}

/** Returns UFR, IFER and GCR, in this order; each is 0 if no order was counted. */
export function indicatorsOf(row: ConductRow, rules: Rules): readonly IndicatorValue[] {
  const { submitted, filled } = row;
  return [
    value("UFR", row.orders, ratio(submitted - filled, submitted), rules.ufr),
    value("IFER", row.immediate, ratio(row.immediateExpired, row.immediate), rules.ifer),
    value("GCR", row.goodTillCancel, ratio(row.goodTillCancelQuick, row.goodTillCancel), rules.gcr),
  ];
}

/** The first indicator that breaks its rule; undefined if none does. */
export function breachOf(row: ConductRow, rules: Rules): Indicator | undefined {
  const condition = triggerCondition(rules);
  const isBreach = ({ indicator, count, value, trigger }: IndicatorValue): boolean =>
    count >= condition[indicator] && value >= trigger;
  return indicatorsOf(row, rules).find(isBreach)?.indicator;
}

/** For each indicator, the minimum number of orders for its rule to apply. */
export function triggerCondition({ ufr, ifer, gcr }: Rules): Readonly<Record<Indicator, number>> {
  return { UFR: ufr.orders, IFER: ifer.orders, GCR: gcr.orders };
}

function value(indicator: Indicator, count: number, of: number, { trigger }: Rule): IndicatorValue {
  return { indicator, count, value: of, trigger };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(Math.max(part / whole, 0), 1);
}

/** Maximum number of accounts whose conduct is cached until the next check. */
const MAX_ACCOUNTS_TOLD = 10_000;

export interface TradingRulesSettings extends Rules {
  /**
   * If false, no account is locked, and existing locks are removed at the next start. The indicators are still
   * computed.
   */
  readonly enabled: boolean;
  /** The interval between checks. */
  readonly everyMs: number;
  /** Accounts that are never locked, by email address. `@name` exempts all addresses that end with it. */
  readonly exempt: readonly string[];
}

export interface TradingRulesOptions {
  readonly settings: TradingRulesSettings;
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly world: Timers & Saves;
  readonly log: { warn(fields: object, message: string): void };
  /** Called when the rules cannot be checked. */
  readonly onFatal: (error: Error) => void;
}

const SAVED_ROW: z.ZodType<ConductRow> = z.strictObject({
  accountId: savedCount,
  symbolId: savedCount,
  orders: savedCount,
  submitted: z.number(),
  filled: z.number(),
  immediate: savedCount,
  immediateExpired: savedCount,
  goodTillCancel: savedCount,
  goodTillCancelQuick: savedCount,
});
const SAVED = z.array(z.strictObject({ accountId: savedCount, atMs: savedCount, rows: z.array(SAVED_ROW) }));

/** The rules' names in the configuration. */
const RULE_NAMES = { UFR: "ufr", IFER: "ifer", GCR: "gcr" } as const;

interface TradingRulesPart {
  readonly role: string;
  start(sequencer: Sequencer): void;
  stop(): Promise<void>;
}

interface Told {
  readonly rows: readonly ConductRow[];
  readonly atMs: number;
}

export class TradingRules implements TradingRulesStatus {
  readonly #options: TradingRulesOptions;
  /** Conduct already returned to accounts, cached until the next check. */
  readonly #told = new Map<number, Told>();
  #stopTimer: Cancel = () => {};
  #looking: Promise<void> | undefined;

  constructor(options: TradingRulesOptions) {
    this.#options = options;
    const restored = options.world.saved.restore("tradingRules", SAVED, () => {
      assert(this.#looking === undefined, "the rules are being looked at");
      return [...this.#told].map(([accountId, { atMs, rows }]) => {
        return { accountId, atMs, rows: rows.map((row) => ({ ...row })) };
      });
    });
    for (const { accountId, ...told } of restored ?? []) this.#told.set(accountId, told);
  }

  /**
   * Unlocks accounts that would not be locked under the current settings; called before serving. Resolves to their
   * number.
   */
  async release(sequencer: Sequencer = this.#options.sequencer): Promise<number> {
    const { settings, view, log } = this.#options;
    const nowMs = sequencer.nowMs();
    let released = 0;
    for (const { accountId } of view.accounts()) {
      if (view.apiTradingLock(accountId, nowMs) === undefined) continue;
      if (settings.enabled && !this.#isExempt(accountId)) continue;
      const { events } = await sequencer.run({ type: "unlockApiTrading", accountId, by: TRADING_RULES });
      // A rejection here means that the lock has already ended.
      if (events[0]?.type !== "rejected") released++;
    }
    if (released > 0)
      log.warn({ accounts: released }, "API trading unlocked: the rules no longer apply to these accounts");
    return released;
  }

  /** Starts periodic checks until `stop`. `sequencer` receives the commands. */
  start(sequencer: Sequencer = this.#options.sequencer): void {
    const { enabled, everyMs } = this.#options.settings;
    if (!enabled) return;
    this.#stopTimer = this.#options.world.every(everyMs, () => this.#tick(() => this.look(sequencer)), "trading rules");
  }

  /** Locking and unlocking, which one node at a time performs. Every node computes conduct. */
  get part(): TradingRulesPart {
    return {
      role: "tradingRules",
      start: (sequencer) => {
        this.#tick(() => this.release(sequencer));
        this.start(sequencer);
      },
      stop: () => this.stop(),
    };
  }

  /** Resolves when the current check has ended. May be started again. */
  async stop(): Promise<void> {
    this.#stopTimer();
    await this.#looking;
  }

  /**
   * Locks every account that breaks a rule; resolves to the number of locked accounts. Rejects with `HistoryBehind`.
   */
  async look(sequencer: Sequencer = this.#options.sequencer): Promise<number> {
    const { settings, history, view } = this.#options;
    const { ufr, ifer, gcr } = settings;
    const least = { orders: ufr.orders, immediate: ifer.orders, goodTillCancel: gcr.orders };
    const sinceMs = sequencer.nowMs() - CONDUCT_WINDOW_MS;
    const rows = await history.query(view.seq, "conductOfAll", { sinceMs, ...least });
    let locked = 0;
    for (const row of rows) if (await this.#judge(row, sequencer)) locked++;
    return locked;
  }

  async status(accountId: number, nowMs: number): Promise<ApiTradingStatus> {
    const { view, settings } = this.#options;
    const { rows, atMs } = await this.#conduct(accountId, nowMs);
    const lock = view.apiTradingLock(accountId, nowMs);
    return {
      isLocked: lock !== undefined,
      plannedRecoverTimeMs: lock?.untilMs ?? 0,
      lockedBy: lock?.indicator ?? null,
      triggerCondition: triggerCondition(settings),
      indicators: new Map(rows.map((row) => [row.symbolId, indicatorsOf(row, settings)])),
      updateTimeMs: atMs,
    };
  }

  /** The account's conduct as of the last check. */
  async #conduct(accountId: number, nowMs: number): Promise<Told> {
    const { history, view, settings } = this.#options;
    const told = this.#told.get(accountId);
    if (told !== undefined && nowMs - told.atMs < settings.everyMs) return told;
    const rows = await history.query(view.seq, "conduct", { accountId, sinceMs: nowMs - CONDUCT_WINDOW_MS });
    if (this.#told.size >= MAX_ACCOUNTS_TOLD) this.#told.clear();
    const fresh = { rows, atMs: nowMs };
    this.#told.set(accountId, fresh);
    return fresh;
  }

  async #judge(row: ConductRow, sequencer: Sequencer): Promise<boolean> {
    const { settings, view, log } = this.#options;
    const { accountId, symbolId } = row;
    const indicator = breachOf(row, settings);
    if (indicator === undefined || this.#isExempt(accountId)) return false;
    if (view.apiTradingLock(accountId, sequencer.nowMs()) !== undefined) return false;
    const { symbol } = view.market(symbolId).spec;
    const { events } = await sequencer.run({ type: "lockApiTrading", accountId, symbol, indicator });
    const done = events.find((event) => event.type === "apiTradingLocked");
    if (done === undefined) return false;
    // Drops the cached conduct, so that the account's status shows the reason for the lock.
    this.#told.delete(accountId);
    const { untilMs } = done;
    const until = new Date(untilMs).toISOString();
    const what = `account ${accountId} may not trade by API until ${until}: ${indicator} on ${symbol}`;
    log.warn({ accountId, symbol, indicator, untilMs }, `${what} (tradingRules.${RULE_NAMES[indicator]})`);
    return true;
  }

  #isExempt(accountId: number): boolean {
    const email = this.#options.view.account(accountId)?.email ?? "";
    return this.#options.settings.exempt.some((one) => (one.startsWith("@") ? email.endsWith(one) : email === one));
  }

  #tick(act: () => Promise<unknown>): void {
    if (this.#looking !== undefined) return;
    this.#looking = act()
      .then(
        () => {},
        (error: Error) => {
          if (!isPassing(error)) this.#options.onFatal(error);
          else
            this.#options.log.warn({ err: error }, "check of the trading rules failed, retrying at the next interval");
        },
      )
      .finally(() => {
        this.#looking = undefined;
      });
  }
}

/** Whether the error is temporary (the node is busy or stopping), so that the next check suffices. */
function isPassing(error: Error): boolean {
  return error instanceof HistoryBehind || error instanceof NotAccepted || error instanceof OutcomeUnknown;
}
