/** The confirmation of a decision about several withdrawals, and the outcome for each withdrawal. */
import { Entry, Field } from "../../pages/form.tsx";
import type { OpenWithdrawal, Risk } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { bind, Button, onSubmitOf, Window } from "../../panels/controls.tsx";
import { consoleForms, consoleWords, consoleWithdrawals as words, pagesWords } from "../../words/words.ts";
import type { Context } from "../context.ts";
import { DeniedText, Facts } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";
import { RequestApproval } from "../forms/request-approval.tsx";
import { decideAll, type Decided, sumsOf } from "./withdrawal-data.ts";

interface Props {
  readonly context: Context;
  readonly what: "approve" | "reject";
  readonly chosen: readonly OpenWithdrawal[];
  /** Risk indicators by withdrawal ID. */
  readonly risks: ReadonlyMap<string, Risk>;
  readonly onClose: () => void;
}

export function BulkWindow({ context, what, chosen: given, risks, onClose }: Props) {
  // The withdrawals selected when the dialog was opened. They stay the same when the queue behind the dialog changes.
  const [chosen] = useState(given);
  const why = useSignal("");
  const typed = useSignal("");
  const isBusy = useSignal(false);
  const decided = useSignal<readonly Decided[]>([]);
  const count = String(chosen.length);
  const title = words.bulk[what](chosen.length);
  const isOver = decided.value.length === chosen.length;
  const actions = decided.value.flatMap(({ denied }) => (denied?.action === undefined ? [] : [denied.action]));
  const isReady = typed.value.trim() === count && (what === "approve" || why.value.trim() !== "");
  const go = async (): Promise<void> => {
    isBusy.value = true;
    await decideAll(context.admin, chosen, what === "approve" ? { what } : { what, why: why.value.trim() }, (one) => {
      decided.value = [...decided.value, one];
    });
    isBusy.value = false;
    context.done.value++;
    if (decided.value.every(({ denied }) => denied === null)) {
      context.notify("good", consoleForms.done(title, ""));
      onClose();
    }
  };
  return (
    <Window title={title} class="act-window" onClose={onClose}>
      <form
        noValidate
        autocomplete="off"
        onSubmit={onSubmitOf(() => {
          if (isReady && !isBusy.value && !isOver) void go(); // The promise never rejects.
        })}
      >
        <div class="body">
          <Chosen {...{ context, chosen, risks }} decided={decided.value} />
          {isOver && actions.length > 0 && <RequestApproval context={context} actions={actions} onDone={onClose} />}
          {what === "reject" && (
            <Entry id="bulk-why" label={words.reason}>
              <input id="bulk-why" type="text" autocomplete="off" {...bind(why)} />
            </Entry>
          )}
          <Field id="bulk-count" label={words.typeCount(chosen.length)} value={typed} />
        </div>
        <div class="foot">
          <Button onClick={onClose}>{isOver ? consoleWords.close : consoleForms.cancel}</Button>
          <button
            type="submit"
            class={`button primary ${what === "reject" ? "grave" : ""}`}
            disabled={!isReady || isBusy.value || isOver}
          >
            {isBusy.value ? pagesWords.busy : title}
          </button>
        </div>
      </form>
    </Window>
  );
}

type ChosenProps = Pick<Props, "context" | "chosen" | "risks"> & { readonly decided: readonly Decided[] };

function Chosen({ context, chosen, risks, decided }: ChosenProps) {
  const sums = sumsOf(chosen).map(([asset, amount]) => [asset, showAmount(amount)] as const);
  const by = context.session.value?.operator ?? "";
  return (
    <>
      <Facts rows={{ ...Object.fromEntries(sums), [consoleForms.by]: by }} />
      <ul class="bulk">
        {chosen.map((one) => {
          const became = decided.find(({ withdrawalId }) => withdrawalId === one.withdrawalId);
          return (
            <li key={one.withdrawalId}>
              <One withdrawal={one} email={risks.get(one.withdrawalId)?.email ?? undefined} />{" "}
              {became?.denied === null && <span class="tag good">{words.completed}</span>}
              {one.needsDualApproval && became?.denied !== null && <span class="tag warn">{words.forTwo}</span>}
              {became !== undefined && became.denied !== null && became.denied.action === undefined && (
                <DeniedText denied={became.denied} />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function One({ withdrawal, email }: { withdrawal: OpenWithdrawal; email: string | undefined }) {
  const { amount, asset, fee, arrives, accountId, network, address, tag } = withdrawal;
  const money = words.ofWhich(showAmount(amount), showAmount(arrives), showAmount(fee), asset);
  return (
    <>
      <b>{money}</b> {words.fromTo(email ?? String(accountId), network)}{" "}
      <code>{tag === "" ? address : `${address} · ${tag}`}</code>
    </>
  );
}
