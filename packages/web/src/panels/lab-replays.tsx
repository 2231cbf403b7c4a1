/** Replays of recorded markets in the lab: progress and controls. */
import { Button, Select } from "./controls.tsx";
import { BLANK } from "../exact/shown.ts";
import type { LabReplay } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { percentOf, showDateTime } from "./show.ts";
import { LabSeen } from "./lab-seen.tsx";

const SPEEDS: readonly number[] = [0.1, 1, 10, 60, 600, 3600];

interface RowProps {
  readonly terminal: TerminalContext;
  readonly replay: LabReplay;
}

function ReplayDetails({ terminal, replay }: RowProps) {
  const { symbol, layout, isAssumed, state, fileMs, rows, trades, skipped, bytes, totalBytes, checkedBytes } = replay;
  const percent = percentOf(checkedBytes ?? bytes, totalBytes);
  const what = LAB.replayOf(symbol, layout);
  return (
    <>
      <p>
        <b>{what}</b> <span class="muted">{isAssumed && `(${LAB.assumed})`}</span> {LAB.states[state]}
      </p>
      <p class="lab-progress">
        <progress max={100} value={percent} aria-label={LAB[state === "checking" ? "checked" : "played"](what)} />
        <span>{LAB.share(percent)}</span>
      </p>
      <p class="muted">
        {LAB.fileTime}: {fileMs === null ? BLANK : showDateTime(fileMs, terminal.preferences.timeZone.value)} ·{" "}
        {LAB.rows(rows, trades, skipped)}
      </p>
      {replay.doubts.map((doubt) => (
        <p class="muted" key={doubt}>
          {doubt}
        </p>
      ))}
      {replay.error !== undefined && <p class="refusal">{replay.error}</p>}
    </>
  );
}

function Hold({ terminal, replay }: RowProps) {
  const { lab, feed } = terminal;
  const { id, symbol, layout, state, speed } = replay;
  const what = LAB.replayOf(symbol, layout);
  const isBusy = lab.isBusy.value;
  const isPaused = state === "paused";
  const isOver = state === "ended" || state === "failed";
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [speed, ...SPEEDS];
  // These promises never reject.
  return (
    <div class="lab-row" role="group" aria-label={what}>
      <Button
        aria-label={isPaused ? LAB.playOf(what) : LAB.pauseOf(what)}
        disabled={isBusy || isOver || state === "waiting" || state === "checking"}
        onClick={() => void lab.changeReplay(id, { state: isPaused ? "playing" : "paused" })}
      >
        {isPaused ? LAB.play : LAB.pause}
      </Button>
      <Button aria-label={LAB.oneRowOf(what)} disabled={isBusy || !isPaused} onClick={() => void lab.stepReplay(id)}>
        {LAB.oneRow}
      </Button>
      <Select
        aria-label={LAB.speedOf(what)}
        value={speed}
        disabled={isBusy || isOver}
        options={speeds.map((one) => [one, LAB.times(one)])}
        onChoose={(one) => void lab.changeReplay(id, { speed: Number(one) })}
      />
      <Button
        aria-label={LAB.remove(what)}
        disabled={isBusy}
        onClick={() => void lab.removeReplay(id).then(() => feed.refresh())}
      >
        ✕
      </Button>
    </div>
  );
}

export function LabReplays({ terminal }: { terminal: TerminalContext }) {
  return (
    <LabSeen seen={terminal.lab.seen("replays")} absent={LAB.noReplaysHere}>
      {(replays) =>
        replays.length === 0 ? (
          <p class="muted">{LAB.noReplays}</p>
        ) : (
          replays.map((replay) => (
            <section key={replay.id} class="lab-replay">
              <ReplayDetails terminal={terminal} replay={replay} />
              <Hold terminal={terminal} replay={replay} />
            </section>
          ))
        )
      }
    </LabSeen>
  );
}
