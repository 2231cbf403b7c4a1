/** What keeps the account from something, on every page: nothing where all is as usual. */
import { showMoment } from "../../pages/shown.ts";
import { customerSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";

export function Held({ desk }: { desk: Desk }) {
  const profile = desk.profile.value;
  if (profile === null) return null;
  const told = [
    ...(profile.heldUntilMs > desk.nowMs.value ? [words.held(showMoment(desk, profile.heldUntilMs))] : []),
    ...(profile.canTrade ? [] : [words.noTrading]),
    ...(profile.canWithdraw ? [] : [words.noWithdrawals]),
    ...(profile.canDeposit ? [] : [words.noDeposits]),
  ];
  return (
    <>
      {told.map((text) => (
        <p key={text} class="told warned" role="status">
          {text}
        </p>
      ))}
    </>
  );
}
