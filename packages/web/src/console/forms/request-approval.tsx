/** The form that requests approval, with a reason, for actions that need dual approval. */
import { Entry } from "../../pages/form.tsx";
import { bind, Button } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { consoleApprovals as words } from "../../words/words.ts";
import type { Context } from "../context.ts";
import { hashOf } from "../place.ts";
import { DeniedText } from "../../pages/pane.tsx";
import type { Json } from "../openapi.ts";
import { type Denied, deniedOf } from "../../pages/request.ts";
import type { ApprovalRequest } from "./approval-request.ts";

interface Props {
  readonly context: Context;
  /** The actions to request, as returned by the node when it rejected them. */
  readonly actions: readonly Json[];
  /** Called when all actions have been requested. */
  readonly onDone: () => void;
}

/** Not a `form` element, because it is rendered inside the form of the action. */
export function RequestApproval({ context, actions, onDone }: Props) {
  const why = useSignal("");
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  // The number of actions already requested, if a later one was rejected.
  const count = useSignal(0);
  const isReady = why.value.trim() !== "" && !isBusy.value;
  const propose = async (): Promise<void> => {
    isBusy.value = true;
    denied.value = null;
    try {
      let last = "";
      for (const action of actions.slice(count.value)) {
        const created = await context.admin.ask<Pick<ApprovalRequest, "requestId">>("POST", "/v1/approval-requests", {
          body: { action, why: why.value.trim() },
        });
        last = created.requestId;
        count.value++;
      }
      context.notify(
        "good",
        words.requested(actions.length),
        hashOf({
          page: "approvals",
          ...(actions.length === 1 && { subject: last }),
        }),
      );
      context.done.value++;
      onDone();
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  if (context.me.value?.isToken === true) {
    return <p class="warned">{words.tokenCannot}</p>;
  }
  return (
    <section class="propose" aria-label={words.requestApproval}>
      <p>{words.needsApproval(actions.length)}</p>
      <Entry id="propose-why" label={words.reasonForApprover}>
        <input
          id="propose-why"
          type="text"
          autocomplete="off"
          {...bind(why)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (isReady) void propose(); // The promise never rejects.
          }}
        />
      </Entry>
      {denied.value !== null && <DeniedText denied={denied.value} />}
      <Button class="button primary" disabled={!isReady} onClick={() => void propose()}>
        {words.requestApproval}
      </Button>
    </section>
  );
}
