/** Who was invited and has not chosen a password yet. */
import { consoleInvitations as words, consoleSays } from "../../words/words.ts";
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
      title={words.title}
      name="invitations"
      rows={value}
      columns={[
        plain<Invited>(words.email, ({ email }) => email),
        plain<Invited>(words.recipient, ({ holder }) => holder ?? words.newAccount),
        plain<Invited>(words.by, ({ by }) => by),
        moment(words.created, ({ createdMs }) => createdMs),
        moment(words.until, ({ untilMs }) => untilMs),
        {
          label: consoleSays.action,
          isActs: true,
          show: ({ invitationId, email, holder, by }) =>
            mayDo(desk, REVOKE) && (
              <button
                type="button"
                class="link grave"
                aria-label={words.revokeOne(email)}
                onClick={() => {
                  const known = {
                    [words.email]: email,
                    [words.recipient]: holder ?? words.newAccount,
                    [words.by]: by,
                  };
                  desk.wish.value = { key: REVOKE, given: { invitation: invitationId }, known };
                }}
              >
                {words.revoke}
              </button>
            ),
        },
      ]}
      keyOf={({ invitationId }) => invitationId}
      empty={words.none}
      whole={{ path: "/v1/invitations" }}
    />
  );
}
