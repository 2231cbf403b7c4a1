/** The restrictions of an account; nothing where there are none. */
import { consoleAccounts as words } from "../../words/words.ts";
import type { PlainAccount } from "./account.ts";

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
