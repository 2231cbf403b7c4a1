/** Who was invited and has not chosen a password yet. */
import { consoleInvitations, consoleSays } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { showMoment, timeText } from "../../pages/shown.ts";
import { mayDo } from "../rights.ts";

interface Invited {
  readonly invitationId: string;
  readonly email: string;
  /** Whose password is to be chosen; null: an account is opened. */
  readonly holder: string | null;
  readonly by: string;
  readonly createdMs: number;
  readonly untilMs: number;
}

const REVOKE = "DELETE /v1/invitations/{invitation}";

export function InvitationList({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<readonly Invited[]>(desk, "/v1/invitations", { everyMs: SELDOM_MS });
  const moment = (label: string, of: (row: Invited) => number) => ({
    label,
    text: (row: Invited) => timeText(of(row)),
    show: (row: Invited) => showMoment(desk, of(row)),
  });
  return (
    <List
      {...{ desk, denied }}
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
          isActs: true,
          show: ({ invitationId, email, holder, by }) =>
            mayDo(desk, REVOKE) && (
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
                  desk.wish.value = { key: REVOKE, given: { invitation: invitationId }, known };
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
