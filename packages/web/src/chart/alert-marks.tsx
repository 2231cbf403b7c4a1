/** Price alerts on the chart: a mark on the line of each, and the button that sets one at the crosshair. */
import type { Signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { grouped } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { ALERTS } from "../words/words.ts";
import { askToNotify } from "./alert-form.tsx";
import { addAlert, type PriceAlert, removeAlert } from "./alerts.ts";
import { BELL } from "./icons.ts";
import type { ChartView } from "./chart-view.ts";
import { nearestTick, type TickRule } from "./line-edit.ts";
import type { Look } from "./look.ts";
import type { DrawnLine } from "./order-lines.ts";

const keyOf = ({ id }: PriceAlert): string => `alert ${id}`;

/** The active alerts of a market. */
export function activeAlerts(alerts: readonly PriceAlert[], { symbol }: Market): readonly PriceAlert[] {
  return alerts.filter((alert) => alert.symbol === symbol && alert.reachedMs === null);
}

export function alertLines(alerts: readonly PriceAlert[], look: Look): readonly DrawnLine[] {
  return alerts.map((alert) => ({
    ...{ key: keyOf(alert), price: Number(alert.price), text: grouped(alert.price) },
    ...{ colour: look.accent, textColour: look.panel, form: "alert" },
  }));
}

function Bell() {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={BELL} />
    </svg>
  );
}

interface AlertMarksProps {
  readonly view: ChartView;
  readonly alerts: Signal<readonly PriceAlert[]>;
  readonly market: Market;
  readonly rule: TickRule;
  readonly lastPrice: () => string | undefined;
}

/** The button beside the axis that sets an alert at the price of the crosshair. The menu does the same by keyboard. */
function AlertTool({ view, alerts, market, rule, lastPrice }: AlertMarksProps) {
  const [isOver, setOver] = useState(false);
  const last = useRef<{ readonly y: number; readonly price: number } | null>(null);
  const now = view.crosshair.value;
  // The crosshair disappears when the pointer reaches the button.
  if (!isOver) last.current = now;
  if (last.current === null) return null;
  const { y, price: exact } = last.current;
  const price = nearestTick(exact, rule);
  return (
    <button
      type="button"
      class="chart-alert-tool"
      tabIndex={-1}
      title={ALERTS.setAt(grouped(price))}
      aria-label={ALERTS.setAt(grouped(price))}
      style={{
        right: `${view.layout.value.axisWidthPx}px`,
        transform: `translateY(${Math.round(y)}px) translateY(-50%)`,
      }}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onClick={() => {
        if (addAlert(alerts, market, price, lastPrice()) === null) askToNotify();
      }}
    >
      <Bell />
    </button>
  );
}

export function AlertMarks(props: AlertMarksProps) {
  const { view, alerts, market } = props;
  const { lines, paneHeightPx } = view.layout.value;
  return (
    <>
      <ul class="chart-alerts" aria-label={ALERTS.list}>
        {activeAlerts(alerts.value, market).map((alert) => {
          const y = lines.find(({ key }) => key === keyOf(alert))?.y ?? -1;
          if (y < 0 || y > paneHeightPx) return null;
          return (
            <li key={alert.id} style={{ transform: `translateY(${Math.round(y)}px) translateY(-50%)` }}>
              <Bell />
              <button
                type="button"
                aria-label={ALERTS.remove(alert.symbol, alert.price)}
                onClick={() => removeAlert(alerts, alert.id)}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          );
        })}
      </ul>
      <AlertTool {...props} />
    </>
  );
}
