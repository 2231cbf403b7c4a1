/** The page of the place that is looked at. */
import { AccountPage } from "../accounts/account-page.tsx";
import { AccountsPage } from "../accounts/accounts-page.tsx";
import { ActsPage } from "../acts/acts-page.tsx";
import { AssetPage, AssetsPage } from "../assets/assets-page.tsx";
import { DepositsPage } from "../deposits/deposits-page.tsx";
import type { Desk } from "../desk.ts";
import { JournalPage } from "../journal/journal-page.tsx";
import { LetterPage, MailPage } from "../mail/mail-page.tsx";
import { MarketPage } from "../markets/market-page.tsx";
import { MarketsPage } from "../markets/markets-page.tsx";
import { NetworkPage, NetworksPage } from "../networks/networks-page.tsx";
import { OverviewPage } from "../overview/overview-page.tsx";
import type { PageName } from "../routes.ts";
import { MePage } from "../me/me-page.tsx";
import { OperatorPage, OperatorsPage } from "../operators/operators-page.tsx";
import { ProposalPage } from "../proposals/proposal-page.tsx";
import { ProposalsPage } from "../proposals/proposals-page.tsx";
import { TreasuryPage } from "../treasury/treasury-page.tsx";
import { VenuePage } from "../venue/venue-page.tsx";
import { WithdrawalPage } from "../withdrawals/withdrawal-page.tsx";
import { WithdrawalsPage } from "../withdrawals/withdrawals-page.tsx";

type Page = (props: { readonly desk: Desk }) => preact.JSX.Element;

/** Each with the page of one thing alone, where there is one. */
const PAGES_DRAWN: Readonly<Record<PageName, readonly [list: Page, one?: Page]>> = {
  overview: [OverviewPage],
  markets: [MarketsPage, MarketPage],
  assets: [AssetsPage, AssetPage],
  accounts: [AccountsPage, AccountPage],
  deposits: [DepositsPage],
  withdrawals: [WithdrawalsPage, WithdrawalPage],
  networks: [NetworksPage, NetworkPage],
  treasury: [TreasuryPage],
  approvals: [ProposalsPage, ProposalPage],
  operators: [OperatorsPage, OperatorPage],
  emails: [MailPage, LetterPage],
  journal: [JournalPage],
  "audit-log": [ActsPage],
  settings: [VenuePage],
  profile: [MePage],
};

export function PageOf({ desk }: { desk: Desk }) {
  const { page, subject } = desk.place.value;
  const [List, One = List] = PAGES_DRAWN[page];
  return subject === "" ? <List key={page} desk={desk} /> : <One key={`${page} ${subject}`} desk={desk} />;
}
