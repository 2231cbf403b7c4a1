/** The settings of the terminal. Changes take effect at once. */
import type { Signal } from "@preact/signals";
import { FIRST_LAYOUT } from "../preferences.ts";
import { terminalWords } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { Button, Window } from "./controls.tsx";

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

export function SettingsWindow({ terminal }: { terminal: TerminalContext }) {
  const { theme, colours, timeZone, numbers, sounds, confirms, layout } = terminal.preferences;
  return (
    <Window title={terminalWords.settings} class="settings" onClose={() => (terminal.overlay.value = "none")}>
      <div class="body">
        <Choice label={terminalWords.theme} value={theme} options={wordsOf(terminalWords.themes)} />
        <Choice label={terminalWords.colours} value={colours} options={wordsOf(terminalWords.colourSets)} />
        <Choice label={terminalWords.timeZone} value={timeZone} options={wordsOf(terminalWords.zones)} />
        <Choice label={terminalWords.numbers} value={numbers} options={wordsOf(terminalWords.numberChoices)} />
        <Choice label={terminalWords.confirms} value={confirms} options={ON_OFF} />
        <Choice label={terminalWords.sounds} value={sounds} options={ON_OFF} />
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
    <Window title={terminalWords.keyboard} onClose={() => (terminal.overlay.value = "none")}>
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
