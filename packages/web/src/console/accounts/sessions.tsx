/** Where a customer is signed in. */
import { consoleAccounts as words } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Details } from "../draw/details.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { showMoment, timeText } from "../../pages/shown.ts";
import { accountPath } from "./account.ts";

interface CustomerSession {
  readonly sessionId: string;
  readonly openedMs: number;
  readonly renewedMs: number;
  readonly untilMs: number;
  readonly ip: string;
  readonly client: string;
}

export function SessionList({ desk, account }: { desk: Desk; account: string }) {
  const path = `${accountPath(account)}/sessions`;
  const { value, denied } = useAsked<readonly CustomerSession[]>(desk, path, { everyMs: SELDOM_MS });
  const moment = (label: string, of: (row: CustomerSession) => number) => ({
    label,
    text: (row: CustomerSession) => timeText(of(row)),
    show: (row: CustomerSession) => showMoment(desk, of(row)),
  });
  return (
    <List
      {...{ desk, denied }}
      title={words.sessions}
      name={`sessions-${account}`}
      rows={value}
      columns={[
        moment(words.opened, ({ openedMs }) => openedMs),
        plain<CustomerSession>(words.ip, ({ ip }) => ip),
        { label: words.client, text: ({ client }) => client, show: ({ client }) => <Details text={client} /> },
        moment(words.lastUsed, ({ renewedMs }) => renewedMs),
        moment(words.until, ({ untilMs }) => untilMs),
      ]}
      keyOf={({ sessionId }) => sessionId}
      empty={words.noSessions}
      whole={{ path }}
    />
  );
}
