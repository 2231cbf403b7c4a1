/**
 * Price alerts of all markets, stored by the browser. An alert is reached once, when the last price arrives at its
 * price from the side on which it was when the alert was set.
 */
import { effect, type ReadonlySignal, type Signal, untracked } from "@preact/signals";
import { compare, cutTo, decimal, formatDecimal, isZero, parseDecimal } from "../exact/decimal.ts";
import type { Market, Ticker } from "../market/port.ts";
import { oneOf, type Preferences } from "../preferences.ts";

export interface PriceAlert {
  readonly id: string;
  readonly symbol: string;
  /** The price as a decimal string with the market's price digits. */
  readonly price: string;
  /** Whether the price must rise or fall to reach the alert. */
  readonly direction: "up" | "down";
  /** When the alert was reached, by this machine's clock; null if it is active. */
  readonly reachedMs: number | null;
}

/** The most alerts that the browser stores. */
export const ALERTS_MAX = 50;

const isDirection = oneOf("up", "down");

function isAlert(value: unknown): value is PriceAlert {
  if (typeof value !== "object" || value === null) return false;
  const { id, symbol, price, direction, reachedMs } = value as Record<string, unknown>;
  const areTexts = [id, symbol, price].every((text) => typeof text === "string" && text.length <= 64);
  const isReachedValid = reachedMs === null || typeof reachedMs === "number";
  return areTexts && parseDecimal(String(price)) !== null && isDirection(direction) && isReachedValid;
}

export function areAlerts(value: unknown): value is readonly PriceAlert[] {
  return Array.isArray(value) && value.length <= ALERTS_MAX && value.every(isAlert);
}

const alertsByPreferences = new WeakMap<Preferences, Signal<readonly PriceAlert[]>>();

/** The alerts. Returns the same signal for the same preferences each time. */
export function alertsOf(preferences: Preferences): Signal<readonly PriceAlert[]> {
  const alerts =
    alertsByPreferences.get(preferences) ??
    preferences.remember<readonly PriceAlert[]>("chart.alerts", [], areAlerts, { isShared: true });
  alertsByPreferences.set(preferences, alerts);
  return alerts;
}

/** The reasons for which an alert cannot be set. */
export type AlertFault = "price" | "ambiguous" | "unknown" | "equal" | "full";

/** Adds an alert at a price, written as the node does. Returns the reason if that is impossible. */
export function addAlert(
  alerts: Signal<readonly PriceAlert[]>,
  { symbol, priceDigits }: Pick<Market, "symbol" | "priceDigits">,
  wanted: string,
  lastPrice: string | undefined,
): AlertFault | null {
  const parsed = parseDecimal(wanted);
  const price = parsed === null ? null : cutTo(parsed, priceDigits);
  if (price === null || price.units < 0n || isZero(price)) return "price";
  const last = lastPrice === undefined ? null : parseDecimal(lastPrice);
  if (last === null || isZero(last)) return "unknown";
  const order = compare(price, last);
  if (order === 0) return "equal";
  if (alerts.peek().length >= ALERTS_MAX) return "full";
  const text = formatDecimal(price, priceDigits);
  const direction = order > 0 ? "up" : "down";
  const id = `${symbol} ${text} ${direction}`;
  const others = alerts.peek().filter((alert) => alert.id !== id);
  alerts.value = [...others, { id, symbol, price: text, direction, reachedMs: null }];
  return null;
}

export function removeAlert(alerts: Signal<readonly PriceAlert[]>, id: string): void {
  alerts.value = alerts.peek().filter((alert) => alert.id !== id);
}

function isReached({ price, direction }: PriceAlert, lastPrice: string | undefined): boolean {
  const last = lastPrice === undefined ? null : parseDecimal(lastPrice);
  if (last === null || isZero(last)) return false;
  const order = compare(last, decimal(price));
  return direction === "up" ? order >= 0 : order <= 0;
}

interface Watched {
  readonly alerts: Signal<readonly PriceAlert[]>;
  readonly tickers: ReadonlySignal<ReadonlyMap<string, Pick<Ticker, "lastPrice">>>;
  readonly nowMs: () => number;
  readonly onReached: (alert: PriceAlert) => void;
}

/** Marks alerts as reached when the last price arrives at them. The returned function stops it. */
export function watchAlerts({ alerts, tickers, nowMs, onReached }: Watched): () => void {
  return effect(() => {
    const active = alerts.value.filter(({ reachedMs }) => reachedMs === null);
    if (active.length === 0) return;
    const now = tickers.value;
    const reached = new Set(active.filter((alert) => isReached(alert, now.get(alert.symbol)?.lastPrice)));
    if (reached.size === 0) return;
    untracked(() => {
      const reachedMs = nowMs();
      alerts.value = alerts.peek().map((alert) => (reached.has(alert) ? { ...alert, reachedMs } : alert));
      for (const alert of reached) onReached(alert);
    });
  });
}
