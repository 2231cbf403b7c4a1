/** Suspends trading or withdrawals until a time or until they are resumed, and resumes them. */
import type { Suspension } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleForms, consoleSuspensions as words } from "../../words/words.ts";
import { type Context, hasRight, useFetched } from "../context.ts";
import { hashOf } from "../place.ts";
import { Facts } from "../../pages/pane.tsx";
import { Choice, Entry, Field } from "../../pages/form.tsx";
import { showAge, showMoment } from "../../pages/format.ts";
import { showSpan } from "../../panels/show.ts";
import { ZonedTime } from "../forms/zoned-time.tsx";
import { type TaskProps, TaskWindow } from "./task-window.tsx";

/** The suspension of the scope in force; undefined if there is none. */
function useCurrent(context: Context, scope: string): Suspension | undefined {
  return useFetched<readonly Suspension[]>(context, "/v1/suspensions").value?.find((one) => one.scope === scope);
}

function Current({ context, current }: { context: Context; current: Suspension }) {
  const { why, by, sinceMs, untilMs } = current;
  return (
    <Facts
      rows={{
        [words.scope]: words.scopeName(current.scope),
        [words.reason]: why,
        [words.by]: by,
        [words.since]: `${showMoment(context, sinceMs)} (${words.ago(showAge(context, sinceMs))})`,
        [words.until]: untilMs === null ? words.untilLifted : showMoment(context, untilMs),
      }}
    />
  );
}

const END_CHOICES = [
  ["", words.untilLifted],
  ["at", words.untilTime],
] as const;

export function Suspend(props: TaskProps) {
  const { context, openForm } = props;
  const scopes = openForm.choices?.["scope"] ?? [];
  const scope = useSignal(openForm.given["scope"] ?? scopes[0] ?? "");
  const why = useSignal("");
  const end = useSignal("");
  const untilMs = useSignal<number | undefined>(undefined);
  const zone = context.preferences.timeZone.value;
  const current = useCurrent(context, scope.value);
  const nowMs = context.nowMs.value;
  const isEnding = end.value === "at";
  const check = (): string => {
    if (why.value.trim() === "") return words.enterReason;
    return isEnding && (untilMs.value ?? 0) <= nowMs ? words.enterFuture : "";
  };
  return (
    <TaskWindow
      {...props}
      check={check}
      request={() => ({
        path: { scope: scope.value },
        body: { why: why.value.trim(), ...(isEnding && { untilMs: untilMs.value }) },
      })}
    >
      {openForm.given["scope"] === undefined && (
        <Choice
          id="task-scope"
          label={consoleForms.fieldName("scope")}
          value={scope.value}
          options={scopes.map((one) => [one, words.scopeName(one)])}
          onChoose={(value) => (scope.value = value)}
        />
      )}
      <p>
        {words.effect(scope.value)}{" "}
        {scope.value === "trading" && (
          <a href={hashOf({ page: "markets" })} onClick={() => (context.openForm.value = null)}>
            {words.oneMarket}
          </a>
        )}
      </p>
      {current !== undefined && (
        <section class="task-part" aria-label={words.replaces}>
          <h3>{words.replaces}</h3>
          <Current {...{ context, current }} />
        </section>
      )}
      <Field id="task-why" label={words.reason} value={why} help={words.reasonHelp} isFirst />
      <Choice
        id="task-end"
        label={words.until}
        value={end.value}
        options={END_CHOICES}
        onChoose={(value) => (end.value = value)}
      />
      {isEnding && (
        <Entry
          id="task-until"
          label={words.untilField}
          help={
            untilMs.value !== undefined && untilMs.value > nowMs ? words.endsIn(showSpan(untilMs.value - nowMs)) : ""
          }
        >
          <ZonedTime id="task-until" zone={zone} timeMs={untilMs.value} onTime={(timeMs) => (untilMs.value = timeMs)} />
        </Entry>
      )}
    </TaskWindow>
  );
}

/** The right that lifting a suspension needs: markets open again only by an operator with the right `venue`. */
export const mayResume = (context: Context, scope: string): boolean =>
  hasRight(context, scope === "trading" || scope === "placing" ? "venue" : "money");

export function Resume(props: TaskProps) {
  const { context, openForm } = props;
  const scope = openForm.given["scope"] ?? "";
  const current = useCurrent(context, scope);
  return (
    <TaskWindow {...props} title={words.resume(scope)} request={() => ({})}>
      <p>{words.resumeEffect(scope)}</p>
      {current !== undefined && <Current {...{ context, current }} />}
    </TaskWindow>
  );
}
