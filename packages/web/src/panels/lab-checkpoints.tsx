/** Checkpoints of the lab: kept by name, gone back to. */
import { useSignal } from "@preact/signals";
import type { LabCheckpoint } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { LabSeen } from "./lab-seen.tsx";
import { showDateTime } from "./show.ts";

/** As the node takes names. */
const NAME = "[A-Za-z0-9][A-Za-z0-9._:~\\-]{0,99}";

export function LabCheckpoints({ desk }: { desk: Desk }) {
  return (
    <LabSeen seen={desk.lab.seen("checkpoints")} absent={LAB.noCheckpointsHere}>
      {(checkpoints) => <Checkpoints desk={desk} checkpoints={checkpoints} />}
    </LabSeen>
  );
}

function Checkpoints({ desk, checkpoints }: { desk: Desk; checkpoints: readonly LabCheckpoint[] }) {
  const { lab, ask, preferences } = desk;
  const name = useSignal("");
  const isBusy = lab.isBusy.value;
  const take = async (): Promise<void> => {
    if (await lab.takeCheckpoint(name.value)) name.value = "";
  };
  const reset = async (): Promise<void> => {
    if (await ask.confirm({ title: LAB.resetTitle, facts: LAB.resetFacts, yes: LAB.reset })) await lab.reset();
  };
  // None of it ever rejects.
  return (
    <>
      <form
        class="lab-row"
        aria-label={LAB.checkpoints}
        onSubmit={(event) => {
          event.preventDefault();
          void take();
        }}
      >
        <label>
          {LAB.checkpointName}
          <input
            type="text"
            class="words"
            required
            pattern={NAME}
            autocomplete="off"
            spellcheck={false}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="button primary" disabled={isBusy}>
          {LAB.take}
        </button>
      </form>
      {checkpoints.length === 0 ? (
        <p class="muted">{LAB.noCheckpoints}</p>
      ) : (
        <ul class="lab-list">
          {checkpoints.map((one) => (
            <li key={one.name}>
              <span class="grow">{one.name}</span>
              <span class="muted">{showDateTime(one.nowMs, preferences.timeZone.value)}</span>
              <button
                type="button"
                class="button"
                aria-label={LAB.restoreTo(one.name)}
                disabled={isBusy}
                onClick={() => void lab.restore(one.name)}
              >
                {LAB.restore}
              </button>
              <button
                type="button"
                class="button"
                aria-label={LAB.delete(one.name)}
                disabled={isBusy}
                onClick={() => void lab.deleteCheckpoint(one.name)}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="lab-row">
        <button type="button" class="button" disabled={isBusy} onClick={() => void reset()}>
          {LAB.reset}
        </button>
      </div>
    </>
  );
}
