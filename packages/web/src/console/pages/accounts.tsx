/** The page of all accounts by number, and of pending invitations. */
import type { Invited, PlainAccount } from "@pricetime/server/answers";
import { consoleAccounts, consoleInvitations, consoleSays } from "../../words/words.ts";
import { type Context, mayDo, PAGE_ROWS, SELDOM_MS, useFetched } from "../context.ts";
import { ActionButtons, FilterField, Link, List, toAccount } from "../elements.tsx";
import { plain } from "../../pages/pane.tsx";
import { showMoment, timeText } from "../../pages/format.ts";
import { useSignal } from "@preact/signals";
import type { Column } from "../../panels/data-table.tsx";
import { goTo } from "../place.ts";
import { Limits, limitsOf } from "./account-data.tsx";

// Invitations that were not accepted yet.

const REVOKE = "DELETE /v1/invitations/{invitation}";

function InvitationList({ context }: { context: Context }) {
  const { value, denied } = useFetched<readonly Invited[]>(context, "/v1/invitations", { everyMs: SELDOM_MS });
  const moment = (label: string, of: (row: Invited) => number) => ({
    label,
    text: (row: Invited) => timeText(of(row)),
    show: (row: Invited) => showMoment(context, of(row)),
  });
  return (
    <List
      {...{ context, denied }}
      title={consoleInvitations.title}
      name="invitations"
      rows={value}
      columns={[
        plain<Invited>(consoleInvitations.email, ({ email }) => email),
        plain<Invited>(consoleInvitations.recipient, ({ holder }) => holder ?? consoleInvitations.newAccount),
        plain<Invited>(consoleInvitations.by, ({ by }) => by),
        moment(consoleInvitations.created, ({ createdMs }) => createdMs),
        moment(consoleInvitations.until, ({ untilMs }) => untilMs),
        {
          label: consoleSays.action,
          isActions: true,
          show: ({ invitationId, email, holder, by }) =>
            mayDo(context, REVOKE) && (
              <button
                type="button"
                class="link grave"
                aria-label={consoleInvitations.revokeOne(email)}
                onClick={() => {
                  const known = {
                    [consoleInvitations.email]: email,
                    [consoleInvitations.recipient]: holder ?? consoleInvitations.newAccount,
                    [consoleInvitations.by]: by,
                  };
                  context.openForm.value = { key: REVOKE, given: { invitation: invitationId }, known };
                }}
              >
                {consoleInvitations.revoke}
              </button>
            ),
        },
      ]}
      keyOf={({ invitationId }) => invitationId}
      empty={consoleInvitations.none}
      whole={{ path: "/v1/invitations" }}
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
        <ActionButtons context={context} page="accounts" on="list" />
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
                {consoleSays.firstPage}
              </Link>
            )}
            {value?.length === PAGE_ROWS && (
              <Link class="button" to={{ page: "accounts", params: { after: String(last) } }}>
                {consoleSays.nextPage}
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
      onSubmit={(event) => {
        event.preventDefault();
        if (account.value.trim() !== "") goTo(toAccount(account.value.trim()));
      }}
    >
      <FilterField
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

function columnsOf(context: Context): Column<PlainAccount>[] {
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
      show: ({ createdMs }) => showMoment(context, createdMs),
    },
  ];
}
