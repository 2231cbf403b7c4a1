/** An account as the admin API returns it, and its restrictions. Amounts are decimal strings. */
import type { PlainAccount } from "@pricetime/server/answers";
import { consoleAccounts as words } from "../words/words.ts";

/** The API path of an account. `account` is a number or an email address. */
export const accountPath = (account: string): string => `/v1/accounts/${encodeURIComponent(account)}`;

export function limitsOf({ isEnabled, canTrade, canWithdraw, canDeposit }: PlainAccount): string[] {
  return [
    ...(isEnabled ? [] : [words.disabled]),
    ...(canTrade ? [] : [words.noTrading]),
    ...(canWithdraw ? [] : [words.noWithdrawals]),
    ...(canDeposit ? [] : [words.noDeposits]),
  ];
}

export function Limits({ account }: { account: PlainAccount }) {
  return (
    <>
      {limitsOf(account).map((limit) => (
        <span key={limit} class="tag bad">
          {limit}
        </span>
      ))}
    </>
  );
}
