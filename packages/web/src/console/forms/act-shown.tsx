/** The action of an approval request: the changes it would make, or all its values where the current ones are unknown. */
import { consoleForms, consoleApprovals } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json, ProposedAct } from "../wire/document.ts";
import { Changes, SentValues } from "./changes.tsx";
import { differencesOf } from "./differences.ts";
import { concerns, nowIn, pathOfNow, thenOf } from "./now-of.ts";
import { saidIn } from "./proposal.ts";
import { subjectsOfCommand } from "./subjects.ts";
import { SubjectsShown } from "./subject-shown.tsx";

export function ActShown({ desk, act }: { desk: Desk; act: ProposedAct }) {
  const path = pathOfNow(act);
  const { value } = useAsked<Json>(desk, path);
  const now = value === null ? undefined : nowIn(act, value);
  const subjects = subjectsOfCommand(act, desk.operations.value);
  return (
    <section class="act-shown" aria-label={consoleApprovals.action}>
      <p>
        <b>{consoleApprovals.actionName(act.type)}</b> {subjects.length === 0 && concerns(act)}
      </p>
      <SubjectsShown desk={desk} subjects={subjects} />
      <What act={act} now={now} />
      {path !== null && value === null && <p class="muted">{consoleForms.loading}</p>}
    </section>
  );
}

interface WhatProps {
  readonly act: ProposedAct;
  readonly now: Json | undefined;
}

function What({ act, now }: WhatProps) {
  if (now === undefined) return <SentValues body={saidIn(act)} />;
  return <Changes rows={differencesOf(now, thenOf(act))} />;
}
