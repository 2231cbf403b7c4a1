/**
 * The fields of the order form: prices, quantities, options, the type of an OCO's limit leg, and the slider for a share
 * of the balance.
 */
import { Button, Select, Tick } from "./controls.tsx";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { LIMIT_LEG_TYPES, PEG_PRICE_TYPES, type Problem, TIMES_IN_FORCE } from "../rules/draft.ts";
import { form as words, numbers, preventionWords, tables } from "../words/words.ts";
import { type Check, isFatal, placeOf } from "./form-check.ts";
import {
  isAlwaysGtc,
  isIcebergOf,
  isPostOnlyOf,
  mayBeIceberg,
  mayBePostOnly,
  preventedOf,
  stepped,
  type FieldName,
  type Ticket,
  timeInForceOf,
} from "./ticket.ts";
import type { Market } from "../market/port.ts";
import { grouped, showDecimal } from "../exact/shown.ts";
import { meaningsOf } from "../exact/typed.ts";
import { NumberInput, NumberMeaning } from "./number-input.tsx";
import type { TerminalContext } from "./page.ts";
import { type Around, fillShare, freeOf, shareOf } from "./order-amounts.ts";

// A field for a price or quantity. Typed text is never changed. Arrow keys change the value by one step, with Shift by
// ten.

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly value: Signal<string>;
  readonly step: string;
  readonly digits: number;
  readonly problems: readonly Problem[];
  readonly placeholder?: string;
  /** In place of the text of the label: what the field contains is chosen there. */
  readonly choice?: ComponentChildren;
  /** Called when the user has changed the field. */
  readonly onTouch: () => void;
}

function ProblemLine({ problem, value }: { problem: Problem; value: Signal<string> }) {
  return (
    <p class={`problem ${isFatal(problem) ? "" : "hint"}`}>
      <span>{problem.text}</span>
      {problem.nearest.map((nearest) => (
        <Button key={nearest} onClick={() => (value.value = nearest)}>
          {words.round(grouped(nearest))}
        </Button>
      ))}
    </p>
  );
}

export function NumberField(props: NumberFieldProps) {
  const { name, label, unit, value, step, digits, problems } = props;
  const id = `form-${name}`;
  const hasMeanings = meaningsOf(value.value) !== null;
  const isBad = hasMeanings || problems.some(isFatal);
  const isExplained = hasMeanings || problems.length > 0;

  function press(event: KeyboardEvent): void {
    const way = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    value.value = stepped(value.peek(), step, digits, way * (event.shiftKey ? 10 : 1));
    props.onTouch();
  }

  return (
    <div class="number-field">
      <div class={`field ${isBad ? "bad" : ""}`}>
        {props.choice ?? <label for={id}>{label}</label>}
        <NumberInput
          id={id}
          {...(props.choice !== undefined && { "aria-label": label })}
          name={name}
          placeholder={props.placeholder ?? ""}
          aria-invalid={isBad}
          aria-describedby={isExplained ? `${id}-problems` : undefined}
          value={value}
          onKeyDown={press}
          onTouch={props.onTouch}
        />
        <span class="unit">{unit}</span>
      </div>
      {isExplained && (
        <div id={`${id}-problems`}>
          <NumberMeaning value={value} onTouch={props.onTouch}>
            {problems.map((problem) => (
              <ProblemLine key={problem.text} problem={problem} value={value} />
            ))}
          </NumberMeaning>
        </div>
      )}
    </div>
  );
}

/** The unit of a field, and the step of its arrow keys. */
export function unitOf(name: FieldName, market: Market): { unit: string; step: string; digits: number } {
  switch (name) {
    case "quantity":
      return { unit: market.baseAsset, step: market.stepSize, digits: market.quantityDigits };
    case "quoteQuantity":
      return { unit: market.quoteAsset, step: "1", digits: 0 };
    case "trailingDelta":
      return { unit: "%", step: "0.1", digits: 0 };
    case "pegLevel":
      return { unit: words.levelsBehind, step: "1", digits: 0 };
    default:
      return { unit: market.quoteAsset, step: market.tickSize, digits: market.priceDigits };
  }
}

/** What parts of the form with fields receive. */
export interface FieldsProps {
  readonly ticket: Ticket;
  readonly market: Market;
  readonly problems: readonly Problem[];
  readonly onTouch: () => void;
}

// Options beside prices and quantity: time in force, post only, iceberg.

export function FormOptions({ ticket, market, problems, onTouch }: FieldsProps) {
  const kind = ticket.kind.value;
  if (kind === "market" || kind === "stop" || kind === "take-profit") return null;
  if (kind === "trailing-stop" && ticket.fields.stopLimitPrice.value.trim() === "") return null;
  const isPostOnly = isPostOnlyOf(ticket, market);
  const timeInForce = timeInForceOf(ticket, market);
  const hasIceberg = isIcebergOf(ticket, market);
  return (
    <>
      <div class="options">
        {mayBePostOnly(ticket, market) && (
          <Tick
            name="postOnly"
            title={words.postOnlyWhy}
            isOn={isPostOnly}
            onTick={(isOn) => (ticket.isPostOnly.value = isOn)}
          >
            {words.postOnly}
          </Tick>
        )}
        {mayBeIceberg(ticket, market) && (
          <Tick name="iceberg" isOn={hasIceberg} onTick={(isOn) => (ticket.isIceberg.value = isOn)}>
            {words.iceberg}
          </Tick>
        )}
        {!isPostOnly && (
          <label class="tif">
            <span class="unseen">{words.timeInForce}</span>
            <Select
              name="timeInForce"
              title={`${words.timeInForce}: ${words.times[timeInForce]}`}
              disabled={isAlwaysGtc(ticket, market)}
              value={timeInForce}
              options={TIMES_IN_FORCE.map((time) => [time, time])}
              onChoose={(chosen) =>
                (ticket.timeInForce.value = TIMES_IN_FORCE.find((time) => time === chosen) ?? "GTC")
              }
            />
          </label>
        )}
      </div>
      {hasIceberg && (
        <NumberField
          name="icebergQty"
          label={words.fields.icebergQty}
          unit={market.baseAsset}
          value={ticket.fields.icebergQty}
          step={market.stepSize}
          digits={market.quantityDigits}
          problems={problems.filter((problem) => placeOf(problem) === "icebergQty")}
          onTouch={onTouch}
        />
      )}
    </>
  );
}

// The price: typed, or taken from the book when the order enters it.

export function PriceChoice({ ticket }: { ticket: Ticket }) {
  const isBuy = ticket.side.value === "BUY";
  return (
    <Select
      class="name"
      name="pegPriceType"
      aria-label={words.priceFrom}
      value={ticket.pegPriceType.value ?? ""}
      options={[
        ["", words.fields.price],
        ...PEG_PRICE_TYPES.map((type) => [type, words.bestPrice((type === "PRIMARY_PEG") === isBuy)] as const),
      ]}
      onChoose={(chosen) => (ticket.pegPriceType.value = PEG_PRICE_TYPES.find((type) => type === chosen) ?? null)}
    />
  );
}

// A stop order: at a price, or following the price at a distance.

export function StopChoice({ ticket: { isTrailing }, label }: { ticket: Ticket; label: string }) {
  return (
    <Select
      class="name"
      name="stopKind"
      aria-label={words.stopBy}
      value={isTrailing.value ? "trailing" : "fixed"}
      options={[
        ["fixed", label],
        ["trailing", words.fields.trailingDelta],
      ]}
      onChoose={(chosen) => (isTrailing.value = chosen === "trailing")}
    />
  );
}

// The type of an OCO's limit leg: a maker order in the book, or a take-profit order that waits for its trigger price.

export function LimitLeg({ ticket, market }: { ticket: Ticket; market: Market }) {
  const types = LIMIT_LEG_TYPES.filter((type) => market.orderTypes.includes(type));
  return (
    <label class="tif leg">
      <span>{words.limitLeg}</span>
      <Select
        name="limitType"
        value={ticket.limitType.value}
        options={types.map((type) => [type, tables.types[type] ?? type])}
        onChoose={(chosen) => (ticket.limitType.value = types.find((type) => type === chosen) ?? "LIMIT_MAKER")}
      />
    </label>
  );
}

// The self-trade prevention. Few orders need another mode than the market's, so it is folded.

export function Advanced({ ticket, market }: Pick<FieldsProps, "ticket" | "market">) {
  const { defaultSelfTradePreventionMode: byDefault, allowedSelfTradePreventionModes: allowed } = market;
  const { selfTradePreventionMode: mode } = preventedOf(ticket, market);
  const others = allowed.filter((one) => one !== byDefault);
  if (others.length === 0) return null;
  return (
    <details class="advanced">
      <summary>{preventionWords.title(mode)}</summary>
      <label class="tif leg">
        <span>{preventionWords.label}</span>
        <Select
          name="selfTradePreventionMode"
          aria-describedby="form-prevention"
          value={mode ?? ""}
          options={[
            ["", preventionWords.byDefault(byDefault)],
            ...others.map((one) => [one, preventionWords.mode(one)] as const),
          ]}
          onChoose={(chosen) => (ticket.prevention.value = others.find((one) => one === chosen) ?? null)}
        />
      </label>
      <p id="form-prevention" class="muted">
        {preventionWords.effects[mode ?? byDefault]}
      </p>
    </details>
  );
}

// A slider for the share of the available balance, and buttons for quarters.

const QUARTERS = [25, 50, 75, 100];

interface ShareProps {
  readonly terminal: TerminalContext;
  readonly check: Check;
  /** The last share selected by slider or button; null if an amount was typed since. */
  readonly slid: Signal<number | null>;
}

export function FormShare({ terminal, check: { market, book, lastPrice }, slid }: ShareProps) {
  const { ticket, account } = terminal;
  const around: Around = { market, book, lastPrice, free: freeOf(market, account.balances.value) };
  const share = shareOf(ticket, around, slid.value);
  const isBuy = ticket.side.value === "BUY";
  const asset = isBuy ? market.quoteAsset : market.baseAsset;
  const free = account.session.value === null ? undefined : (account.balances.value.get(asset)?.free ?? "0");
  const set = (percent: number): void => {
    slid.value = percent;
    fillShare(ticket, around, percent);
  };
  return (
    <div class="slider">
      <p class="available">
        <span>{words.available}</span>
        <span>
          <b>{showDecimal(free, isBuy ? Math.max(2, market.priceDigits) : market.quantityDigits)}</b> {asset}
        </span>
      </p>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={share}
        aria-label={words.share}
        aria-valuetext={numbers.percent(share)}
        ref={(slider) => slider?.style.setProperty("--share", `${share}%`)}
        onInput={(event) => {
          set(Number(event.currentTarget.value));
          // If there is no free balance, the slider returns to zero, even if no value has changed.
          event.currentTarget.value = String(shareOf(ticket, around, slid.peek()));
        }}
      />
      <div class="shares">
        {QUARTERS.map((percent) => (
          <button key={percent} type="button" onClick={() => set(percent)}>
            {numbers.percent(percent)}
          </button>
        ))}
      </div>
    </div>
  );
}
