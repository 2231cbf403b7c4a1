/** The strip with the lab's clock and running scenario. It is always visible if the node is a lab. */
import { Button, Select } from "./controls.tsx";
import type { ClockMode, ClockSetting, LabClock, LabScenario as Scenario } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { assertsByState, elapsedOf, nextPoints, showDateTime, showElapsed } from "./show.ts";
import { LabSeen } from "./lab-seen.tsx";

// The running scenario: elapsed time, next events, and assertions.

const SHOWN_POINTS = 5;

/** The elapsed time of the scenario, updated every second and each time the lab's clock was read. */
function elapsedNow({ nowMs, lab }: TerminalContext, scenario: Scenario): string {
  const isDrawn = nowMs.value > 0 && lab.clock.value !== null;
  const [now, end] = elapsedOf(scenario, isDrawn ? lab.nowMs() : scenario.startMs);
  return LAB.elapsed(now, end);
}

function failedOf({ asserts }: Scenario): number {
  return asserts.filter(({ state }) => state === "failed").length;
}

/** The running scenario in the strip. Renders nothing if no scenario is running. */
function ScenarioSummary({ terminal }: { terminal: TerminalContext }) {
  const seen = terminal.lab.seen("scenario");
  if (seen.state !== "known" || seen.value === null) return null;
  const failed = failedOf(seen.value);
  return (
    <span class="lab-scenario">
      <b>{seen.value.name}</b> {elapsedNow(terminal, seen.value)}
      {failed > 0 && <span class="lab-failed"> {LAB.failed(failed)}</span>}
    </span>
  );
}

function ScenarioDetails({ terminal, scenario }: { terminal: TerminalContext; scenario: Scenario }) {
  const { name, startMs, timeline, asserts } = scenario;
  const next = nextPoints(timeline, SHOWN_POINTS);
  const done = timeline.filter(({ isDone }) => isDone).length;
  return (
    <>
      <p>
        <b>{name}</b> {elapsedNow(terminal, scenario)}
      </p>
      <h3>{LAB.pointsDone(done, timeline.length)}</h3>
      {next.length === 0 && <p class="muted">{LAB.noPoints}</p>}
      <ul class="lab-list">
        {next.map(({ atMs, kind, text }, at) => (
          <li key={done + at}>
            <span class="muted lab-at">{showElapsed(atMs - startMs)}</span>
            <span class="grow">{text === "" ? kind : text}</span>
          </li>
        ))}
      </ul>
      <h3>{LAB.asserts}</h3>
      {asserts.length === 0 && <p class="muted">{LAB.noAsserts}</p>}
      <ul class="lab-list">
        {assertsByState(asserts).map(({ name: what, kind, state, text }, at) => (
          <li key={at}>
            <span class="grow">
              {kind}: {what}
              {text !== "" && text !== what && <small class="lab-more">{text}</small>}
            </span>
            <span class={state === "failed" ? "lab-failed" : "muted"}>{LAB.assertStates[state]}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function LabScenario({ terminal }: { terminal: TerminalContext }) {
  return (
    <LabSeen seen={terminal.lab.seen("scenario")} absent={LAB.noScenarioHere}>
      {(scenario) =>
        scenario === null ? (
          <p class="muted">{LAB.noScenario}</p>
        ) : (
          <ScenarioDetails terminal={terminal} scenario={scenario} />
        )
      }
    </LabSeen>
  );
}

// The lab's strip.

const STEPS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const SPEEDS: readonly number[] = [0.5, 2, 5, 10, 60, 600, 3600];
const FIRST_SPEED = 10;
/** A lab clock that differs from this machine's clock by at most this much counts as showing real time. */
const NEAR_MS = 2000;

const wordsOf = <Name extends string>(words: Readonly<Record<Name, string>>): readonly [Name, string][] =>
  Object.entries(words) as [Name, string][];

function setting(mode: ClockMode, { speed }: LabClock): ClockSetting {
  if (mode !== "scaled") return { mode };
  return { mode, speed: speed > 0 && speed !== 1 ? speed : FIRST_SPEED };
}

function Face({ terminal }: { terminal: TerminalContext }) {
  const { lab, preferences } = terminal;
  // Reads both signals, so that the strip is updated every second and each time the lab's clock was read.
  const isDrawn = terminal.nowMs.value > 0 && lab.clock.value !== null;
  const nowMs = isDrawn ? lab.nowMs() : 0;
  const isManual = lab.clock.value?.mode === "manual";
  return (
    <time class="lab-time" dateTime={new Date(nowMs).toISOString()} title={LAB.clock}>
      {showDateTime(nowMs, preferences.timeZone.value)}
      {isManual && <span class="muted">.{String(nowMs % 1000).padStart(3, "0")}</span>}
    </time>
  );
}

function Pace({ terminal, clock }: { terminal: TerminalContext; clock: LabClock }) {
  const { lab } = terminal;
  const isBusy = lab.isBusy.value;
  const speeds = SPEEDS.includes(clock.speed) ? SPEEDS : [clock.speed, ...SPEEDS];
  return (
    <>
      <div class="choices" role="group" aria-label={LAB.mode}>
        {wordsOf(LAB.modes).map(([mode, label]) => (
          <button
            key={mode}
            type="button"
            title={LAB.modeHints[mode]}
            aria-pressed={clock.mode === mode}
            disabled={isBusy}
            onClick={() => void lab.setClock(setting(mode, clock))}
          >
            {label}
          </button>
        ))}
      </div>
      {clock.mode === "scaled" && (
        <Select
          aria-label={LAB.speed}
          title={LAB.speed}
          value={clock.speed}
          disabled={isBusy}
          options={speeds.map((speed) => [speed, LAB.times(speed)])}
          onChoose={(speed) => void lab.setClock({ mode: "scaled", speed: Number(speed) })}
        />
      )}
    </>
  );
}

function Steps({ terminal }: { terminal: TerminalContext }) {
  const { lab } = terminal;
  return (
    <div class="lab-steps" role="group" aria-label={LAB.step}>
      {wordsOf(LAB.steps).map(([name, label]) => (
        <Button key={name} disabled={lab.isBusy.value} onClick={() => void lab.advance(STEPS[name])}>
          {label}
        </Button>
      ))}
    </div>
  );
}

export function LabStrip({ terminal }: { terminal: TerminalContext }) {
  const { lab } = terminal;
  const clock = lab.clock.value;
  if (clock === null) return null;
  const isManual = clock.mode === "manual";
  const isBusy = lab.isBusy.value;
  const refusal = lab.refusal.value;
  const isBehind = terminal.nowMs.value - lab.nowMs() > NEAR_MS;
  // Promises of lab commands never reject: errors are shown.
  return (
    <section class="lab-strip" aria-label={LAB.name}>
      <strong>{LAB.name}</strong>
      <Face terminal={terminal} />
      <Button disabled={isBusy} onClick={() => void (isManual ? lab.run() : lab.freeze())}>
        {isManual ? LAB.run : LAB.freeze}
      </Button>
      <Pace terminal={terminal} clock={clock} />
      {isManual && <Steps terminal={terminal} />}
      {isBehind && (
        <Button title={LAB.nowHint} disabled={isBusy} onClick={() => void lab.goTo(Date.now())}>
          {LAB.now}
        </Button>
      )}
      <Button aria-haspopup="dialog" aria-label={LAB.open} onClick={() => (terminal.overlay.value = "lab")}>
        <span class="label-wide">{LAB.open}</span>
        <span class="label-narrow" aria-hidden="true">
          {LAB.openShort}
        </span>
      </Button>
      <ScenarioSummary terminal={terminal} />
      <span class="lab-word" role="status">
        {isBusy ? LAB.busy : refusal !== null && <span class="refusal">{refusal}</span>}
      </span>
    </section>
  );
}
