/** All accounts by number, a page at a time. The box at the top finds one by whatever is known of it. */
import { useSignal } from "@preact/signals";
import type { Column } from "../../panels/data-table.tsx";
import { consoleAccounts, consoleSays } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link, toAccount } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { WordField } from "../draw/word-field.tsx";
import { plain } from "../../pages/columns.ts";
import { showMoment, timeText } from "../../pages/shown.ts";
import { PAGE_ROWS } from "../paged.ts";
import { goTo } from "../place.ts";
import type { PlainAccount } from "./account.ts";
import { InvitationList } from "./invitations.tsx";
import { Limits, limitsOf } from "./rights.tsx";

export function AccountsPage({ desk }: { desk: Desk }) {
  const after = Number(desk.place.value.asked["after"] ?? 0) || 0;
  const { value, denied } = useAsked<readonly PlainAccount[]>(desk, "/v1/accounts", {
    query: { after, limit: PAGE_ROWS },
  });
  const last = value?.at(-1)?.accountId;
  return (
    <div class="page">
      <h1>{consoleAccounts.title}</h1>
      <div class="row-of">
        <OpenByName />
        <Acts desk={desk} page="accounts" on="list" />
      </div>
      <List
        {...{ desk, denied }}
        title={consoleAccounts.title}
        name="accounts"
        columns={columnsOf(desk)}
        rows={value}
        keyOf={({ accountId }) => accountId}
        empty={consoleAccounts.none}
        whole={{ path: "/v1/accounts" }}
        more={
          <p class="more">
            {after > 0 && (
              <Link class="button" to={{ page: "accounts" }}>
                {consoleSays.firstPage}
              </Link>
            )}
            {value?.length === PAGE_ROWS && (
              <Link class="button" to={{ page: "accounts", asked: { after: String(last) } }}>
                {consoleSays.nextPage}
              </Link>
            )}
          </p>
        }
      />
      <InvitationList desk={desk} />
    </div>
  );
}

function OpenByName() {
  const account = useSignal("");
  return (
    <form
      class="by-name"
      onSubmit={(event) => {
        event.preventDefault();
        if (account.value.trim() !== "") goTo(toAccount(account.value.trim()));
      }}
    >
      <WordField
        label={consoleAccounts.byName}
        text={account.value}
        onText={(text) => {
          account.value = text;
        }}
      />
      <button type="submit" class="button">
        {consoleAccounts.go}
      </button>
    </form>
  );
}

function columnsOf(desk: Desk): Column<PlainAccount>[] {
  return [
    {
      label: consoleAccounts.number,
      isNumber: true,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <Link to={toAccount(accountId)}>{accountId}</Link>,
    },
    {
      label: consoleAccounts.email,
      text: ({ email }) => email,
      show: ({ accountId, email }) => <Link to={toAccount(accountId)}>{email}</Link>,
    },
    plain(consoleAccounts.name, ({ name }) => name),
    { label: consoleAccounts.limits, text: (row) => limitsOf(row).join(", "), show: (row) => <Limits account={row} /> },
    plain(consoleAccounts.rates, ({ makerBps, takerBps }) => `${makerBps} / ${takerBps}`, true),
    plain(consoleAccounts.totp, ({ hasTotp }) => (hasTotp ? consoleSays.yes : consoleSays.no)),
    {
      label: consoleAccounts.master,
      isNumber: true,
      text: ({ masterId }) => (masterId === null ? "" : String(masterId)),
      show: ({ masterId }) => masterId !== null && <Link to={toAccount(masterId)}>{masterId}</Link>,
    },
    {
      label: consoleAccounts.opened,
      text: ({ createdMs }) => timeText(createdMs),
      show: ({ createdMs }) => showMoment(desk, createdMs),
    },
  ];
}
