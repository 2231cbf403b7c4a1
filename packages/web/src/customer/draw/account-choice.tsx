/** Which of the customer's accounts a page is about: this one, or a sub-account. The place says it. */
import type { Desk } from "../desk.ts";
import { goTo, type PageName } from "../place.ts";
import { Choice } from "../../pages/form.tsx";

interface Props {
  readonly desk: Desk;
  readonly page: PageName;
  readonly words: { readonly account: string; readonly own: string };
}

/** The number of the account that the place names. */
export function chosenAccount(desk: Desk): number {
  return Number(desk.place.value.asked["account"] ?? desk.session.value?.accountId ?? 0);
}

/** Nothing where there are no sub-accounts. */
export function AccountChoice({ desk, page, words }: Props) {
  const subs = desk.profile.value?.subAccounts ?? [];
  if (subs.length === 0) return null;
  const own = String(desk.session.value?.accountId ?? 0);
  return (
    <div class="fields">
      <Choice
        id="account-choice"
        label={words.account}
        value={String(chosenAccount(desk))}
        options={[[own, words.own], ...subs.map((one) => [String(one.accountId), one.email] as const)]}
        onChoose={(id) => goTo(page, { account: id })}
      />
    </div>
  );
}
