/** The page of the place that is looked at. */
import { AddressesPage } from "../addresses/addresses-page.tsx";
import { DepositPage } from "../deposits/deposit-page.tsx";
import type { Desk } from "../desk.ts";
import { DustPage } from "../dust/dust-page.tsx";
import { FeesPage } from "../fees/fees-page.tsx";
import { HistoryPage } from "../histories/history-page.tsx";
import { KeysPage } from "../keys/keys-page.tsx";
import { OverviewPage } from "../overview/overview-page.tsx";
import type { PageName, Place } from "../place.ts";
import { ProofPage } from "../proof/proof-page.tsx";
import { SecurityPage } from "../security/security-page.tsx";
import { StatementsPage } from "../statements/statements-page.tsx";
import { SubAccountsPage } from "../sub-accounts/sub-accounts-page.tsx";
import { WithdrawPage } from "../withdrawals/withdraw-page.tsx";

type Page = (props: { readonly desk: Desk }) => preact.JSX.Element;

const PAGES_DRAWN: Readonly<Record<PageName, Page>> = {
  overview: OverviewPage,
  deposit: DepositPage,
  withdraw: WithdrawPage,
  addresses: AddressesPage,
  history: HistoryPage,
  "sub-accounts": SubAccountsPage,
  dust: DustPage,
  fees: FeesPage,
  keys: KeysPage,
  security: SecurityPage,
  statements: StatementsPage,
  proof: ProofPage,
};

const isPage = (page: Place["page"]): page is PageName => page in PAGES_DRAWN;

export function PageOf({ desk }: { desk: Desk }) {
  const { page } = desk.place.value;
  const Drawn = isPage(page) ? PAGES_DRAWN[page] : OverviewPage;
  return <Drawn key={page} desk={desk} />;
}
