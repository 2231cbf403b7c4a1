/** An act that is proposed, to be read: what it would change as things stand, or else all that it says. */
import { consoleForms, consoleProposals as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json, ProposedAct } from "../wire/document.ts";
import { Changes, SentValues } from "./changes.tsx";
import { differencesOf } from "./differences.ts";
import { concerns, nowIn, pathOfNow, thenOf } from "./now-of.ts";
import { saidIn } from "./proposal.ts";
import { PaymentShown } from "./payment-shown.tsx";

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
      <What desk={desk} act={act} now={now} told={value} />
      {path !== null && value === null && <p class="muted">{consoleForms.asking}</p>}
    </section>
  );
}

interface WhatProps {
  readonly desk: Desk;
  readonly act: ProposedAct;
  readonly now: Json | undefined;
  /** What the node tells of what the act is about; null: nothing, or not yet. */
  readonly told: Json;
}

function What({ desk, act, now, told }: WhatProps) {
  const { type, withdrawalId } = act;
  if (type === "approveWithdrawal" && typeof withdrawalId === "string" && told !== null) {
    return <PaymentShown desk={desk} withdrawal={withdrawalId} told={told} />;
  }
  if (now === undefined) return <SentValues body={saidIn(act)} />;
  return <Changes rows={differencesOf(now, thenOf(act))} />;
}
