/** The menu of price alerts: sets alerts in the selected market, and lists and deletes those of all markets. */
import type { Signal } from "@preact/signals";
import { useId, useState } from "preact/hooks";
import { grouped } from "../exact/shown.ts";
import { readingsOf } from "../exact/typed.ts";
import type { Market } from "../market/port.ts";
import type { TimeZone } from "../preferences.ts";
import { ALERTS } from "../words/words.ts";
import { addAlert, type AlertFault, type PriceAlert, removeAlert } from "./alerts.ts";
import { timeWords } from "./time-scale.ts";

/** Asks for the permission to show notifications. It is asked only when an alert is set. */
export function askToNotify(): void {
  if (typeof Notification === "undefined" || Notification.permission !== "default") return;
  // The answer is shown in the menu, and without the permission the sound and the message remain.
  void Notification.requestPermission().catch(() => {});
}

const isBlocked = (): boolean => typeof Notification === "undefined" || Notification.permission === "denied";

interface AlertRowProps {
  readonly alert: PriceAlert;
  readonly zone: TimeZone;
  readonly onRemove: () => void;
}

function AlertRow({ alert, zone, onRemove }: AlertRowProps) {
  const { symbol, price, direction, reachedMs } = alert;
  return (
    <li class="chart-saved">
      <span class="chart-alert-words">
        <b>
          {symbol} {ALERTS.directions[direction]} {grouped(price)}
        </b>
        <span>{reachedMs === null ? ALERTS.active : ALERTS.reachedAt(timeWords(reachedMs, true, zone))}</span>
      </span>
      <button type="button" class="chart-tool" aria-label={ALERTS.remove(symbol, price)} onClick={onRemove}>
        <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

interface AlertFormProps {
  readonly alerts: Signal<readonly PriceAlert[]>;
  readonly market: Market;
  /** The market's last price; undefined if it is unknown. */
  readonly lastPrice: () => string | undefined;
  readonly zone: TimeZone;
}

export function AlertForm({ alerts, market, lastPrice, zone }: AlertFormProps) {
  const [price, setPrice] = useState("");
  const [fault, setFault] = useState<AlertFault | null>(null);
  const id = useId();
  const all = alerts.value.toSorted((one, other) => Number(one.reachedMs !== null) - Number(other.reachedMs !== null));
  return (
    <div class="chart-view-form">
      <form
        class="chart-entry"
        onSubmit={(event) => {
          event.preventDefault();
          const [reading = "", other] = readingsOf(price);
          const found = other === undefined ? addAlert(alerts, market, reading, lastPrice()) : "ambiguous";
          setFault(found);
          if (found !== null) return;
          setPrice("");
          askToNotify();
        }}
      >
        <input
          class="chart-text"
          inputMode="decimal"
          aria-label={ALERTS.price(market.symbol)}
          aria-describedby={fault === null ? undefined : id}
          placeholder={ALERTS.price(market.symbol)}
          value={price}
          onInput={(event) => {
            setPrice(event.currentTarget.value);
            setFault(null);
          }}
        />
        <button type="submit" class="chart-yes">
          {ALERTS.set}
        </button>
      </form>
      {fault === null ? null : (
        <p id={id} class="chart-fault" role="alert">
          {ALERTS.faults[fault]}
        </p>
      )}
      <p class="chart-hint">{ALERTS.hint}</p>
      {isBlocked() ? <p class="chart-hint">{ALERTS.blocked}</p> : null}
      {all.length === 0 ? null : (
        <ul class="chart-list" aria-label={ALERTS.list}>
          {all.map((alert) => (
            <AlertRow key={alert.id} alert={alert} zone={zone} onRemove={() => removeAlert(alerts, alert.id)} />
          ))}
        </ul>
      )}
    </div>
  );
}
