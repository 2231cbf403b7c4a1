/** Suspends trading or withdrawals until a time or until they are resumed, and resumes them. */
import type { Suspension } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleButtons, consoleForms, consoleSuspensions as words } from "../../words/words.ts";
import { type Context, hasRight, useFetched } from "../context.ts";
import { hashOf } from "../place.ts";
import { Facts } from "../../pages/pane.tsx";
import { Choice, Entry, Field } from "../../pages/form.tsx";
import { showAge, showLength, showMoment } from "../../pages/format.ts";
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

interface Named {
  readonly asset: string;
  readonly networks: readonly { readonly network: string }[];
}

/** The scopes that can be suspended: the whole venue, each asset and each network. */
function useScopes(context: Context): readonly string[] {
  const assets = useFetched<readonly Named[]>(context, "/v1/assets").value ?? [];
  const networks = new Set(assets.flatMap((one) => one.networks.map(({ network }) => network)));
  const ofParts = [...assets.map(({ asset }) => `asset:${asset}`), ...[...networks].map((one) => `network:${one}`)];
  return [...ofParts, ...Object.keys(words.suspend)];
}

/** The titles of suspensions of the whole venue, by scope. */
const OF_WHOLE_VENUE: Readonly<Record<string, string>> = words.suspend;

const END_CHOICES = [
  ["", words.untilLifted],
  ["at", words.untilTime],
] as const;

export function Suspend(props: TaskProps) {
  const { context, openForm } = props;
  const scopes = useScopes(context);
  const picked = useSignal(openForm.given["scope"] ?? "");
  const scope = picked.value === "" ? (scopes[0] ?? "") : picked.value;
  const why = useSignal("");
  const end = useSignal("");
  const untilMs = useSignal<number | undefined>(undefined);
  const zone = context.preferences.timeZone.value;
  const current = useCurrent(context, scope);
  const nowMs = context.nowMs.value;
  const isEnding = end.value === "at";
  const check = (): string => {
    if (why.value.trim() === "") return words.enterReason;
    return isEnding && (untilMs.value ?? 0) <= nowMs ? words.enterFuture : "";
  };
  return (
    <TaskWindow
      {...props}
      title={OF_WHOLE_VENUE[scope] ?? consoleButtons[openForm.key] ?? ""}
      check={check}
      request={() => ({
        path: { scope },
        body: { why: why.value.trim(), ...(isEnding && { untilMs: untilMs.value }) },
      })}
    >
      {openForm.given["scope"] === undefined && (
        <Choice
          id="task-scope"
          label={consoleForms.fieldName("scope")}
          value={scope}
          options={scopes.map((one) => [one, words.scopeName(one)])}
          onChoose={(value) => (picked.value = value)}
        />
      )}
      <p>
        {words.effect(scope)}{" "}
        {scope === "trading" && (
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
            untilMs.value !== undefined && untilMs.value > nowMs ? words.endsIn(showLength(untilMs.value - nowMs)) : ""
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
  const { value: all } = useFetched<readonly Suspension[]>(context, "/v1/suspensions");
  const picked = useSignal(openForm.given["scope"] ?? "");
  const current = all?.find((one) => one.scope === picked.value) ?? (picked.value === "" ? all?.[0] : undefined);
  const scope = current?.scope ?? picked.value;
  return (
    <TaskWindow
      {...props}
      title={scope === "" ? (consoleButtons[openForm.key] ?? "") : words.resume(scope)}
      isOff={current === undefined}
      request={() => ({ path: { scope } })}
    >
      {openForm.given["scope"] === undefined && all !== null && all.length > 1 && (
        <Choice
          id="task-scope"
          label={words.scope}
          value={scope}
          options={all.map((one) => [one.scope, words.scopeName(one.scope)])}
          onChoose={(value) => (picked.value = value)}
        />
      )}
      {all?.length === 0 && <p>{words.none}</p>}
      {current !== undefined && (
        <>
          <p>{words.resumeEffect(scope)}</p>
          <Current {...{ context, current }} />
        </>
      )}
    </TaskWindow>
  );
}
