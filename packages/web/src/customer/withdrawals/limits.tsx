/** How much the account may still withdraw of a coin before withdrawals wait for approval. */
import { compare, parseDecimal } from "../../exact/decimal.ts";
import { Facts } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/shown.ts";
import { customerWithdrawals as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { WithdrawalLimitRow } from "../wire/account.ts";

interface Props {
  readonly desk: Desk;
  readonly coin: string;
  /** As typed. */
  readonly amount: string;
}

export function WithdrawalLimits({ desk, coin, amount }: Props) {
  const { value } = useAsked(desk, "withdrawal-limits", (wire) =>
    wire.account<readonly WithdrawalLimitRow[]>("GET", "withdrawal-limits"),
  );
  const row = value?.find(({ asset }) => asset === coin);
  if (row === undefined) return null;
  const windows = windowsOf(row);
  return (
    <>
      <Facts
        rows={Object.fromEntries(
          windows.map(({ hours, limit, withdrawn, left }) => [
            words.limitOver(hours),
            words.used(showAmount(withdrawn), showAmount(limit), showAmount(left), coin),
          ]),
        )}
      />
      <p class={isAbove(amount, windows) ? "warned" : "muted"} role="status">
        {isAbove(amount, windows) ? words.willWait : words.limitHelp}
      </p>
    </>
  );
}

interface Window {
  readonly hours: number;
  readonly limit: string;
  readonly withdrawn: string;
  readonly left: string;
}

/** The windows that have a limit. */
function windowsOf(row: WithdrawalLimitRow): Window[] {
  const { limit24h, withdrawn24h, left24h, limit72h, withdrawn72h, left72h } = row;
  return [
    { hours: 24, limit: limit24h, withdrawn: withdrawn24h, left: left24h },
    { hours: 72, limit: limit72h, withdrawn: withdrawn72h, left: left72h },
  ].flatMap(({ limit, left, ...rest }) => (limit === null || left === null ? [] : [{ ...rest, limit, left }]));
}

function isAbove(amount: string, windows: readonly Window[]): boolean {
  const value = parseDecimal(amount);
  if (value === null) return false;
  return windows.some(({ left }) => compare(value, parseDecimal(left) ?? value) > 0);
}
