/** Reports price alerts that are reached: a message in the page, a sound, and a notification of the browser. */
import { alertsOf, type PriceAlert, watchAlerts } from "../chart/alerts.ts";
import { grouped } from "../exact/shown.ts";
import { ALERTS } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { playTone } from "./tone.ts";

const PITCH_HZ = 988;

/** Shows a notification if the user has permitted it. Several open pages show one for the same alert. */
function notify({ id, symbol }: PriceAlert, text: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(symbol, { body: text, tag: id });
    notification.addEventListener("click", () => window.focus());
  } catch {
    // Browsers of phones allow notifications only to service workers, which the page has none of.
  }
}

export function keepAlerts({ feed, account, preferences }: TerminalContext): () => void {
  return watchAlerts({
    alerts: alertsOf(preferences),
    tickers: feed.tickers,
    nowMs: () => Date.now(),
    onReached(alert) {
      const text = ALERTS.reached(alert.symbol, grouped(alert.price));
      account.notify("good", text);
      playTone(PITCH_HZ);
      notify(alert, text);
    },
  });
}
