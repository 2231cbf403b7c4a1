/** Requests approval for an action that needs dual approval, with a reason. */
import { useSignal } from "@preact/signals";
import { consoleApprovals as words } from "../../words/words.ts";
import type { Desk } from "../context.ts";
import { hashOf } from "../place.ts";
import { DeniedText } from "../../pages/pane.tsx";
import type { Json } from "../openapi.ts";
import { type Denied, deniedOf } from "../../pages/request.ts";
import type { Proposal } from "./approval-request.ts";

interface Props {
  readonly desk: Desk;
  /** The actions, as the node returned them in its rejections. */
  readonly acts: readonly Json[];
  /** Called when all of them have been requested. */
  readonly onDone: () => void;
}

/** Rendered inside the form of the action, so its contents are not a form of their own. */
export function RequestApproval({ desk, acts, onDone }: Props) {
  const why = useSignal("");
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  // The number of actions that were requested before another one was rejected.
  const count = useSignal(0);
  const isReady = why.value.trim() !== "" && !isBusy.value;
  const propose = async (): Promise<void> => {
    isBusy.value = true;
    denied.value = null;
    try {
      let last = "";
      for (const act of acts.slice(count.value)) {
        const told = await desk.admin.ask<Pick<Proposal, "requestId">>("POST", "/v1/approval-requests", {
          body: { action: act, why: why.value.trim() },
        });
        last = told.requestId;
        count.value++;
      }
      desk.say(
        "good",
        words.requested(acts.length),
        hashOf({
          page: "approvals",
          ...(acts.length === 1 && { subject: last }),
        }),
      );
      desk.done.value++;
      onDone();
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  if (desk.me.value?.isToken === true) {
    return <p class="warned">{words.tokenCannot}</p>;
  }
  return (
    <section class="propose" aria-label={words.requestApproval}>
      <p>{words.needsApproval(acts.length)}</p>
      <div class="entry">
        <label for="propose-why">{words.reasonForApprover}</label>
        <input
          id="propose-why"
          type="text"
          autocomplete="off"
          value={why.value}
          onInput={({ currentTarget }) => {
            why.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (isReady) void propose(); // Never rejects.
          }}
        />
      </div>
      {denied.value !== null && <DeniedText denied={denied.value} />}
      <button type="button" class="button primary" disabled={!isReady} onClick={() => void propose()}>
        {words.requestApproval}
      </button>
    </section>
  );
}
