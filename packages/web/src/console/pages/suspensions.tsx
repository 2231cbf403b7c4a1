/** Suspensions of the venue, of an asset or of a network, with the buttons that set and lift them. */
import type { Suspension } from "@pricetime/server/answers";
import { consoleButtons, consoleSays, consoleSuspensions } from "../../words/words.ts";
import type { Column } from "../../panels/data-table.tsx";
import { type Context, mayDo, OFTEN_MS, useFetched, type OpenForm } from "../context.ts";
import { List } from "../elements.tsx";
import { plain } from "../../pages/pane.tsx";
import { showAge, showMoment, timeText } from "../../pages/format.ts";

export const SET = "PUT /v1/suspensions/{scope}";
const LIFT = "DELETE /v1/suspensions/{scope}";

/** Scopes of the whole venue, each with its own button. */
const WHOLE_SCOPES = Object.keys(consoleSuspensions.suspend) as readonly (keyof typeof consoleSuspensions.suspend)[];

interface Named {
  readonly asset: string;
  readonly networks: readonly { readonly network: string }[];
}

export function SuspensionsPane({ context }: { context: Context }) {
  const { value, denied } = useFetched<readonly Suspension[]>(context, "/v1/suspensions", { everyMs: OFTEN_MS });
  const assets = useFetched<readonly Named[]>(context, "/v1/assets");
  const assetScopes = (assets.value ?? []).map(({ asset }) => `asset:${asset}`);
  const networks = new Set((assets.value ?? []).flatMap((one) => one.networks.map(({ network }) => network)));
  const scope = [...assetScopes, ...[...networks].map((network) => `network:${network}`)];
  const open = (openForm: OpenForm) => () => {
    context.openForm.value = openForm;
  };
  return (
    <List
      {...{ context, denied }}
      title={consoleSuspensions.title}
      name="suspensions"
      rows={value}
      columns={columnsOf(context)}
      keyOf={(stop) => stop.scope}
      empty={consoleSuspensions.none}
      whole={{ path: "/v1/suspensions" }}
      tools={
        mayDo(context, SET) && (
          <>
            {WHOLE_SCOPES.map((one) => (
              <button
                key={one}
                type="button"
                class="button grave"
                onClick={open({ key: SET, title: consoleSuspensions.suspend[one], given: { scope: one } })}
              >
                {consoleSuspensions.suspend[one]}
              </button>
            ))}
            <button
              type="button"
              class="button grave"
              data-route={SET}
              onClick={open({ key: SET, given: {}, choices: { scope } })}
            >
              {consoleButtons[SET]}
            </button>
          </>
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
    plain(consoleSuspensions.by, ({ by }) => by),
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
      label: consoleSays.action,
      isActions: true,
      show: ({ scope }) =>
        mayDo(context, LIFT) && (
          <button
            type="button"
            class="link"
            data-route={LIFT}
            aria-label={consoleSuspensions.liftOne(scope)}
            onClick={() => {
              context.openForm.value = { key: LIFT, given: { scope } };
            }}
          >
            {consoleSuspensions.lift}
          </button>
        ),
    },
  ];
}
