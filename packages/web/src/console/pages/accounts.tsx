/** The page of accounts and pending invitations. */
import { useSignal } from "@preact/signals";
import { numberColumn } from "./account-lists.tsx";
import { onSubmitOf } from "../../panels/controls.tsx";
import type { Invited, PlainAccount } from "@pricetime/server/answers";
import { consoleAccounts, consoleInvitations, consoleWords } from "../../words/words.ts";
import { type Context, PAGE_ROWS, SELDOM_MS, useFetched } from "../context.ts";
import { ActionButtons, FetchedList, FilterField, FormButton, Link, List, toAccount } from "../elements.tsx";
import { moment, plain } from "../../pages/pane.tsx";
import { shownName } from "../forms/approval-request.ts";
import type { Column } from "../../panels/data-table.tsx";
import { goTo } from "../place.ts";
import { Limits, limitsOf } from "../account-data.tsx";

/** The route of the button in each row of the invitations. */
const REVOKE = "DELETE /v1/invitations/{invitation}";

// Invitations that have not been accepted yet.

function InvitationList({ context }: { context: Context }) {
  const recipientOf = ({ holder }: Invited): string => holder ?? consoleInvitations.newAccount;
  const columns: readonly Column<Invited>[] = [
    plain(consoleInvitations.email, ({ email }) => email),
    plain(consoleInvitations.recipient, recipientOf),
    plain(consoleInvitations.by, ({ by }) => shownName(by)),
    moment(context, consoleInvitations.created, ({ createdMs }) => createdMs),
    moment(context, consoleInvitations.until, ({ untilMs }) => untilMs),
    {
      label: consoleWords.action,
      isActions: true,
      show: (row) => {
        const known = {
          [consoleInvitations.email]: row.email,
          [consoleInvitations.recipient]: recipientOf(row),
          [consoleInvitations.by]: row.by,
        };
        return (
          <FormButton
            context={context}
            form={{ key: REVOKE, given: { invitation: row.invitationId }, known }}
            label={consoleInvitations.revokeOne(row.email)}
            class="link grave"
            data-route={REVOKE}
          >
            {consoleInvitations.revoke}
          </FormButton>
        );
      },
    },
  ];
  return (
    <FetchedList
      {...{ context, columns }}
      path="/v1/invitations"
      everyMs={SELDOM_MS}
      title={consoleInvitations.title}
      name="invitations"
      keyOf={({ invitationId }) => invitationId}
      empty={consoleInvitations.none}
    />
  );
}

export function AccountsPage({ context }: { context: Context }) {
  const after = Number(context.place.value.params["after"] ?? 0) || 0;
  const { value, denied } = useFetched<readonly PlainAccount[]>(context, "/v1/accounts", {
    query: { after, limit: PAGE_ROWS },
  });
  const last = value?.at(-1)?.accountId;
  return (
    <div class="page">
      <h1>{consoleAccounts.title}</h1>
      <div class="row-of">
        <OpenByName />
        <ActionButtons context={context} page="accounts" on="list" hidden={[REVOKE]} />
      </div>
      <List
        {...{ context, denied }}
        title={consoleAccounts.title}
        name="accounts"
        columns={columnsOf(context)}
        rows={value}
        keyOf={({ accountId }) => accountId}
        empty={consoleAccounts.none}
        whole={{ path: "/v1/accounts" }}
        more={
          <p class="more">
            {after > 0 && (
              <Link class="button" to={{ page: "accounts" }}>
                {consoleWords.firstPage}
              </Link>
            )}
            {value?.length === PAGE_ROWS && (
              <Link class="button" to={{ page: "accounts", params: { after: String(last) } }}>
                {consoleWords.nextPage}
              </Link>
            )}
          </p>
        }
      />
      <InvitationList context={context} />
    </div>
  );
}

function OpenByName() {
  const account = useSignal("");
  return (
    <form
      class="by-name"
      onSubmit={onSubmitOf(() => {
        if (account.value.trim() !== "") goTo(toAccount(account.value.trim()));
      })}
    >
      <FilterField label={consoleAccounts.byName} text={account.value} onText={(text) => (account.value = text)} />
      <button type="submit" class="button">
        {consoleAccounts.go}
      </button>
    </form>
  );
}

function columnsOf(context: Context): Column<PlainAccount>[] {
  return [
    numberColumn,
    {
      label: consoleAccounts.email,
      isHead: true,
      text: ({ email }) => email,
      show: ({ accountId, email }) => <Link to={toAccount(accountId)}>{email}</Link>,
    },
    plain(consoleAccounts.name, ({ name }) => name),
    { label: consoleAccounts.limits, text: (row) => limitsOf(row).join(", "), show: (row) => <Limits account={row} /> },
    plain(consoleAccounts.rates, ({ makerBps, takerBps }) => `${makerBps / 100} / ${takerBps / 100}`, true),
    plain(consoleAccounts.totp, ({ hasTotp }) => (hasTotp ? consoleWords.yes : consoleWords.no)),
    {
      label: consoleAccounts.master,
      text: ({ masterId }) => (masterId === null ? "" : String(masterId)),
      show: ({ masterId }) => masterId !== null && <Link to={toAccount(masterId)}>{masterId}</Link>,
    },
    moment(context, consoleAccounts.opened, ({ createdMs }) => createdMs),
  ];
}
