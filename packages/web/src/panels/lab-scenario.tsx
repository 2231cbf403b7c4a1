/** The scenario that is played on the lab: its time, what happens next, and what must hold. */
import type { LabScenario as Scenario } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { assertsByState, elapsedOf, nextPoints, showElapsed } from "./lab-figures.ts";
import { LabSeen } from "./lab-seen.tsx";

const SHOWN_POINTS = 5;

/** Drawn anew each second, and whenever the clock was looked at. */
function elapsedNow({ nowMs, lab }: Desk, scenario: Scenario): string {
  const isDrawn = nowMs.value > 0 && lab.clock.value !== null;
  const [now, end] = elapsedOf(scenario, isDrawn ? lab.nowMs() : scenario.startMs);
  return LAB.elapsed(now, end);
}

function failedOf({ asserts }: Scenario): number {
  return asserts.filter(({ state }) => state === "failed").length;
}

/** In the strip. Nothing while none is played. */
export function ScenarioWord({ desk }: { desk: Desk }) {
  const seen = desk.lab.seen("scenario");
  if (seen.state !== "known" || seen.value === null) return null;
  const failed = failedOf(seen.value);
  return (
    <span class="lab-scenario">
      <b>{seen.value.name}</b> {elapsedNow(desk, seen.value)}
      {failed > 0 && <span class="lab-failed"> {LAB.failed(failed)}</span>}
    </span>
  );
}

function Told({ desk, scenario }: { desk: Desk; scenario: Scenario }) {
  const { name, startMs, timeline, asserts } = scenario;
  const next = nextPoints(timeline, SHOWN_POINTS);
  const done = timeline.filter(({ isDone }) => isDone).length;
  return (
    <>
      <p>
        <b>{name}</b> {elapsedNow(desk, scenario)}
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

export function LabScenario({ desk }: { desk: Desk }) {
  return (
    <LabSeen seen={desk.lab.seen("scenario")} absent={LAB.noScenarioHere}>
      {(scenario) =>
        scenario === null ? <p class="muted">{LAB.noScenario}</p> : <Told desk={desk} scenario={scenario} />
      }
    </LabSeen>
  );
}
