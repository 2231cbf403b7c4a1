/** The settings of the terminal. Changes take effect at once. */
import type { Signal } from "@preact/signals";
import { type Decimal, formatDecimal } from "../exact/decimal.ts";
import { BLANK, showBrief } from "../exact/shown.ts";
import { FIRST_LAYOUT } from "../preferences.ts";
import { BOOK_PERCENT, PRICE_PERCENT } from "../rules/warnings.ts";
import { terminalWords } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { Button, Window } from "./controls.tsx";
import { NumberInput, NumberMeaning } from "./number-input.tsx";
import { firstValueOf, valueAssetOf } from "./order-warnings.ts";

interface ChoiceProps<Value extends string | boolean> {
  readonly label: string;
  readonly value: Signal<Value>;
  readonly options: readonly (readonly [Value, string])[];
}

function Choice<Value extends string | boolean>({ label, value, options }: ChoiceProps<Value>) {
  return (
    <div class="line" role="group" aria-label={label}>
      <span>{label}</span>
      <div class="choices">
        {options.map(([option, name]) => (
          <button key={name} type="button" aria-pressed={value.value === option} onClick={() => (value.value = option)}>
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

const wordsOf = <Name extends string>(words: Readonly<Record<Name, string>>): [Name, string][] =>
  Object.entries(words) as [Name, string][];

const ON_OFF = [
  [true, terminalWords.on],
  [false, terminalWords.off],
] as const;

interface LimitProps {
  readonly name: string;
  readonly label: string;
  readonly value: Signal<string>;
  /** The limit while none is entered. */
  readonly first: Decimal | null;
}

/** A limit of a warning. If it is empty, the default applies. */
function Limit({ name, label, value, first }: LimitProps) {
  return (
    <>
      <label class="line">
        <span>{label}</span>
        <span class="field short">
          <NumberInput
            name={name}
            value={value}
            placeholder={first === null ? BLANK : showBrief(formatDecimal(first), 8)}
          />
        </span>
      </label>
      <NumberMeaning value={value} />
    </>
  );
}

/** The limits above which orders are warned about. */
function Warnings({ terminal }: { terminal: TerminalContext }) {
  const { warnPrice, warnValue, warnBook } = terminal.preferences;
  const largeOrder = terminalWords.warnValue(valueAssetOf(terminal));
  return (
    <fieldset class="limits">
      <legend>{terminalWords.warnings}</legend>
      <Limit name="warnPrice" label={terminalWords.warnPrice} value={warnPrice} first={PRICE_PERCENT} />
      <Limit name="warnValue" label={largeOrder} value={warnValue} first={firstValueOf(terminal)} />
      <Limit name="warnBook" label={terminalWords.warnBook} value={warnBook} first={BOOK_PERCENT} />
      <p class="muted">{terminalWords.warnOff}</p>
    </fieldset>
  );
}

export function SettingsWindow({ terminal }: { terminal: TerminalContext }) {
  const { theme, colours, timeZone, numbers, sounds, confirms, layout } = terminal.preferences;
  return (
    <Window title={terminalWords.settings} class="settings" isRead onClose={() => (terminal.overlay.value = "none")}>
      <div class="body">
        <Choice label={terminalWords.theme} value={theme} options={wordsOf(terminalWords.themes)} />
        <Choice label={terminalWords.colours} value={colours} options={wordsOf(terminalWords.colourSets)} />
        <Choice label={terminalWords.timeZone} value={timeZone} options={wordsOf(terminalWords.zones)} />
        <Choice label={terminalWords.numbers} value={numbers} options={wordsOf(terminalWords.numberChoices)} />
        <Choice label={terminalWords.confirms} value={confirms} options={ON_OFF} />
        <Choice label={terminalWords.sounds} value={sounds} options={ON_OFF} />
        <Warnings terminal={terminal} />
        <div class="line">
          <Button onClick={() => (layout.value = FIRST_LAYOUT)}>{terminalWords.resetLayout}</Button>
          <a href={`${terminal.base}/start`}>{terminalWords.startPage}</a>
        </div>
        <p class="muted">{terminalWords.charts}</p>
      </div>
    </Window>
  );
}

export function KeyboardWindow({ terminal }: { terminal: TerminalContext }) {
  return (
    <Window title={terminalWords.keyboard} isRead onClose={() => (terminal.overlay.value = "none")}>
      <dl class="body facts keys">
        {terminalWords.keys.map(([key, what]) => (
          <div key={key} class="line">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Window>
  );
}
