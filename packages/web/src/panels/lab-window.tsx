/** The lab's window: its market, agents, faults, replays, scenario and checkpoints. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LabPartName } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { LabAgents } from "./lab-agents.tsx";
import { LabCheckpoints } from "./lab-checkpoints.tsx";
import { LabFaults } from "./lab-faults.tsx";
import { LabMarket } from "./lab-market.tsx";
import { LabReplays } from "./lab-replays.tsx";
import { LabScenario } from "./lab-scenario.tsx";
import { Tabs } from "./tabs.tsx";
import { Window } from "./window.tsx";

// The window itself.

type Shown = LabPartName | "clock";
const BODY = "lab-body";

function GoTo({ desk: { lab } }: { desk: Desk }) {
  const text = useSignal("");
  const problem = useSignal("");
  const go = async (): Promise<void> => {
    const timeMs = Date.parse(`${text.value}Z`);
    problem.value = Number.isNaN(timeMs) ? LAB.notATime : "";
    if (problem.value === "") await lab.goTo(timeMs);
  };
  return (
    <form
      class="lab-row"
      onSubmit={(event) => {
        event.preventDefault();
        void go(); // Never rejects: the strip and the window show a refusal.
      }}
    >
      <label>
        {LAB.goTo}
        <input
          type="datetime-local"
          step="1"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="button" disabled={lab.isBusy.value}>
        {LAB.go}
      </button>
      {lab.clock.value?.mode === "manual" && (
        <button
          type="button"
          class="button"
          disabled={lab.isBusy.value}
          onClick={() => void lab.advanceUntilIdle()} // It never rejects.
        >
          {LAB.untilIdle}
        </button>
      )}
      {problem.value !== "" && <p class="refusal">{problem}</p>}
    </form>
  );
}

export function LabWindow({ desk }: { desk: Desk }) {
  const { lab } = desk;
  const scenario = lab.seen("scenario");
  const isPlayed = scenario.state === "known" && scenario.value !== null;
  const shown = useSignal<Shown>(isPlayed ? "scenario" : "markets");
  const name = shown.value;
  useEffect(() => lab.watch(name === "clock" ? undefined : name), [lab, name]);
  const counted = (part: "agents" | "replays" | "faults" | "checkpoints") => {
    const seen = lab.seen(part);
    return { name: part, label: LAB[part], count: seen.state === "known" ? seen.value.length : 0 };
  };
  const refusal = lab.refusal.value;
  return (
    <Window
      title={LAB.name}
      class="lab-window"
      onClose={() => {
        desk.overlay.value = "none";
      }}
    >
      <Tabs<Shown>
        label={LAB.name}
        chosen={name}
        controls={BODY}
        tabs={[
          { name: "markets", label: LAB.marketShort },
          counted("agents"),
          counted("replays"),
          { name: "scenario", label: LAB.scenario },
          counted("faults"),
          counted("checkpoints"),
          { name: "clock", label: LAB.clockShort },
        ]}
        onChoose={(chosen) => {
          shown.value = chosen;
        }}
      />
      <div class="body" id={BODY} role="tabpanel" aria-label={LAB.name}>
        {name === "markets" && <LabMarket desk={desk} />}
        {name === "agents" && <LabAgents desk={desk} />}
        {name === "replays" && <LabReplays desk={desk} />}
        {name === "scenario" && <LabScenario desk={desk} />}
        {name === "faults" && <LabFaults desk={desk} />}
        {name === "checkpoints" && <LabCheckpoints desk={desk} />}
        {name === "clock" && <GoTo desk={desk} />}
        <p class="lab-word" role="status">
          {lab.isBusy.value ? LAB.busy : refusal !== null && <span class="refusal">{refusal}</span>}
        </p>
      </div>
    </Window>
  );
}
