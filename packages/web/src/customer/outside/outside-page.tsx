/** Pages that need no session: those that links in emails open, and opening an account. */
import type { Desk } from "../desk.ts";
import type { OutsideName } from "../place.ts";
import { Invitation } from "./invitation.tsx";
import { LockAccount } from "./lock-account.tsx";
import { Lost } from "./lost.tsx";
import { CancelRecovery, Recovery } from "./recovery.tsx";
import { SignUp } from "./sign-up.tsx";

type Page = (props: { readonly desk: Desk }) => preact.JSX.Element;

const PAGES_DRAWN: Readonly<Record<OutsideName, Page>> = {
  "sign-up": SignUp,
  invitation: Invitation,
  lost: Lost,
  recovery: Recovery,
  "cancel-recovery": CancelRecovery,
  "lock-account": LockAccount,
};

export function OutsidePage({ desk, page }: { desk: Desk; page: OutsideName }) {
  const Drawn = PAGES_DRAWN[page];
  return <Drawn key={page} desk={desk} />;
}
