/** What operators noted about an account, newest first. Customers never see it. */
import { consoleAccounts as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Details } from "../draw/details.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { MoreRows } from "../../pages/more-rows.tsx";
import { showMoment, timeText } from "../../pages/shown.ts";
import { bySeq, PAGE_ROWS, usePaged } from "../paged.ts";
import { accountPath } from "./account.ts";

interface Note {
  readonly seq: number;
  readonly timeMs: number;
  readonly text: string;
  readonly by: string;
}

const read = bySeq<Note>;

export function NoteList({ desk, account }: { desk: Desk; account: string }) {
  const path = `${accountPath(account)}/notes`;
  const { rows, denied, next, more } = usePaged(desk, { path, query: { limit: PAGE_ROWS }, read });
  return (
    <List
      {...{ desk, rows, denied }}
      title={words.notes}
      name={`notes-${account}`}
      columns={[
        { label: words.time, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(desk, timeMs) },
        plain<Note>(words.by, ({ by }) => by),
        { label: words.note, text: ({ text }) => text, show: ({ text }) => <Details text={text} /> },
      ]}
      keyOf={({ seq }) => seq}
      empty={words.noNotes}
      whole={{ path }}
      more={<MoreRows next={next} more={more} />}
    />
  );
}
