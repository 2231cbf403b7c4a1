/** Suspensions of the whole venue, an asset or a network, with buttons that set and lift them. */
import { FetchedList, FormButton } from "../elements.tsx";
import type { Suspension } from "@pricetime/server/answers";
import { consoleButtons, consoleWords, consoleSuspensions } from "../../words/words.ts";
import type { Column } from "../../panels/data-table.tsx";
import { Menu } from "../action-menu.tsx";
import { type Context, mayDo, OFTEN_MS } from "../context.ts";
import { plain } from "../../pages/pane.tsx";
import { shownName } from "../forms/approval-request.ts";
import { mayResume } from "../tasks/suspend.tsx";
import { showAge, showMoment, timeText } from "../../pages/format.ts";

export const SET = "PUT /v1/suspensions/{scope}";
export const LIFT = "DELETE /v1/suspensions/{scope}";

/** Suspension scopes of the whole venue, which have an entry of the menu each. */
const WHOLE_SCOPES = Object.keys(consoleSuspensions.suspend) as readonly (keyof typeof consoleSuspensions.suspend)[];

export function SuspensionsPane({ context }: { context: Context }) {
  return (
    <FetchedList
      context={context}
      path="/v1/suspensions"
      everyMs={OFTEN_MS}
      title={consoleSuspensions.title}
      name="suspensions"
      columns={columnsOf(context)}
      keyOf={(stop) => stop.scope}
      empty={consoleSuspensions.none}
      tools={
        mayDo(context, SET) && (
          <Menu label={consoleSuspensions.menu} button="grave" class="narrow">
            {WHOLE_SCOPES.map((one) => (
              <FormButton
                key={one}
                context={context}
                form={{ key: SET, title: consoleSuspensions.suspend[one], given: { scope: one } }}
                class="item"
              >
                {consoleSuspensions.suspend[one]}
              </FormButton>
            ))}
            <FormButton context={context} form={{ key: SET, given: {} }} class="item" data-route={SET}>
              {consoleButtons[SET]}
            </FormButton>
          </Menu>
        )
      }
    />
  );
}

function columnsOf(context: Context): Column<Suspension>[] {
  return [
    {
      label: consoleSuspensions.scope,
      text: ({ scope }) => scope,
      show: ({ scope }) => <span class="tag bad">{consoleSuspensions.scopeName(scope)}</span>,
    },
    plain(consoleSuspensions.reason, ({ why }) => why),
    plain(consoleSuspensions.by, ({ by }) => shownName(by)),
    {
      label: consoleSuspensions.since,
      text: ({ sinceMs }) => timeText(sinceMs),
      show: ({ sinceMs }) => `${showMoment(context, sinceMs)} (${showAge(context, sinceMs)})`,
    },
    {
      label: consoleSuspensions.until,
      text: ({ untilMs }) => timeText(untilMs ?? 0),
      show: ({ untilMs }) => (untilMs === null ? consoleSuspensions.untilLifted : showMoment(context, untilMs)),
    },
    {
      label: consoleWords.action,
      isActions: true,
      show: ({ scope }) =>
        mayResume(context, scope) && (
          <FormButton
            context={context}
            form={{ key: LIFT, given: { scope } }}
            label={consoleSuspensions.resume(scope)}
            data-route={LIFT}
          >
            {consoleSuspensions.resumeOne}
          </FormButton>
        ),
    },
  ];
}
