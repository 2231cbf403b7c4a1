/** An act that is proposed, to be read: what it would change as things stand, or else all that it says. */
import { consoleForms, consoleProposals as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json, ProposedAct } from "../wire/document.ts";
import { Changes, SentValues } from "./changes.tsx";
import { differencesOf } from "./differences.ts";
import { concerns, nowIn, pathOfNow, thenOf } from "./now-of.ts";
import { saidIn } from "./proposal.ts";
import { Told } from "./told.tsx";

export function ActShown({ desk, act }: { desk: Desk; act: ProposedAct }) {
  const path = pathOfNow(act);
  const { value } = useAsked<Json>(desk, path);
  const now = value === null ? undefined : nowIn(act, value);
  const subject = concerns(act);
  return (
    <section class="act-shown" aria-label={words.act}>
      <p>
        <span class="tag">{act.type}</span> <b>{words.actName(act.type)}</b> {subject}
      </p>
      {now === undefined ? <SentValues body={saidIn(act)} /> : <Changes rows={differencesOf(now, thenOf(act))} />}
      {act.type === "approveWithdrawal" && value !== null && (
        <section aria-label={words.withdrawal}>
          <Told value={value} />
        </section>
      )}
      {path !== null && value === null && <p class="muted">{consoleForms.asking}</p>}
    </section>
  );
}
