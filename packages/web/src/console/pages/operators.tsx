/** The operators of the venue: their roles, rights and sign-in. */
import type { Operator } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { consoleOperators as words, consoleWords } from "../../words/words.ts";
import { type Context, SELDOM_MS, useFetched } from "../context.ts";
import { ActionButtons, Heading, linked, List } from "../elements.tsx";
import { Facts, moment, Pane, plain } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/format.ts";

const useOperators = (context: Context) =>
  useFetched<readonly Operator[]>(context, "/v1/operators", { everyMs: SELDOM_MS });

export function OperatorsPage({ context }: { context: Context }) {
  const { value, denied } = useOperators(context);
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ActionButtons context={context} page="operators" on="list" />
      <List
        {...{ context, denied }}
        title={words.title}
        name="operators"
        rows={value}
        columns={columnsOf(context)}
        keyOf={({ name }) => name}
        empty={words.none}
        whole={{ path: "/v1/operators" }}
      />
      <Pane title={words.roles}>
        <Facts rows={words.roleHelp} />
      </Pane>
    </div>
  );
}

const State = ({ operator: { isEnabled } }: { operator: Operator }) => (
  <span class={`tag ${isEnabled ? "good" : "bad"}`}>{isEnabled ? words.enabled : words.disabled}</span>
);

function columnsOf(context: Context): Column<Operator>[] {
  return [
    linked("operators", words.name, ({ name }) => name),
    plain(words.email, ({ email }) => email),
    plain(words.role, ({ role }) => role),
    {
      label: words.status,
      text: ({ isEnabled }) => (isEnabled ? words.enabled : words.disabled),
      show: (operator) => <State operator={operator} />,
    },
    plain(words.password, ({ hasPassword }) => (hasPassword ? consoleWords.yes : consoleWords.no)),
    plain(words.totp, ({ hasTotp }) => (hasTotp ? consoleWords.yes : consoleWords.no)),
    plain(words.sessions, ({ sessions }) => String(sessions), true),
    moment(context, words.created, ({ createdMs }) => createdMs),
  ];
}

export function OperatorPage({ context }: { context: Context }) {
  const name = context.place.value.subject;
  const { value, denied } = useOperators(context);
  const operator = value?.find((one) => one.name === name);
  return (
    <div class="page">
      <Heading page="operators" title={words.title} of={name} />
      {operator !== undefined && (
        <ActionButtons
          context={context}
          page="operators"
          on="one"
          given={{ operator: name }}
          now={{ "PATCH /v1/operators/{operator}": operator }}
          hidden={operator.hasTotp ? [] : ["DELETE /v1/operators/{operator}/totp"]}
        />
      )}
      <Pane title={words.operator} denied={denied}>
        {value !== null && operator === undefined && <p class="nothing">{words.unknown}</p>}
        {operator !== undefined && (
          <Facts
            rows={{
              [words.email]: operator.email,
              [words.role]: operator.role,
              [words.status]: <State operator={operator} />,
              [words.password]: operator.hasPassword ? consoleWords.yes : consoleWords.no,
              [words.sessions]: String(operator.sessions),
              [words.totp]: operator.hasTotp ? consoleWords.yes : consoleWords.no,
              [words.created]: showMoment(context, operator.createdMs),
            }}
          />
        )}
      </Pane>
    </div>
  );
}
