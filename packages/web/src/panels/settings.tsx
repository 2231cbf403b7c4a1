/** Settings of the page. A change takes effect at once. */
import type { Signal } from "@preact/signals";
import { FIRST_LAYOUT } from "../preferences.ts";
import { say } from "../words/words.ts";
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
  [true, say.on],
  [false, say.off],
] as const;

export function SettingsWindow({ terminal }: { terminal: TerminalContext }) {
  const { theme, colours, timeZone, sounds, confirms, layout } = terminal.preferences;
  return (
    <Window title={say.settings} class="settings" onClose={() => (terminal.overlay.value = "none")}>
      <div class="body">
        <Choice label={say.theme} value={theme} options={wordsOf(say.themes)} />
        <Choice label={say.colours} value={colours} options={wordsOf(say.colourSets)} />
        <Choice label={say.timeZone} value={timeZone} options={wordsOf(say.zones)} />
        <Choice label={say.confirms} value={confirms} options={ON_OFF} />
        <Choice label={say.sounds} value={sounds} options={ON_OFF} />
        <div class="line">
          <Button onClick={() => (layout.value = FIRST_LAYOUT)}>{say.resetLayout}</Button>
          <a href="start">{say.startPage}</a>
        </div>
        <p class="muted">{say.charts}</p>
      </div>
    </Window>
  );
}

export function KeyboardWindow({ terminal }: { terminal: TerminalContext }) {
  return (
    <Window title={say.keyboard} onClose={() => (terminal.overlay.value = "none")}>
      <dl class="body facts keys">
        {say.keys.map(([key, what]) => (
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
