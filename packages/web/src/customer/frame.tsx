/**
 * The frame of all account pages. Without a session, it shows the sign-in page and other pages that need no session.
 */
import type { Context } from "./context.ts";
import { hashOf, isOutside, type OutsideName, type PageName, PAGES, type Place } from "./place.ts";
import { LanguageButton } from "./elements.tsx";
import { CancelRecovery, Invitation, LockAccount, Recovery } from "./email-links.tsx";
import { ForgotPassword, SignIn, SignUp } from "./sign-in.tsx";
import { AddressesPage } from "./pages/addresses.tsx";
import { DepositPage } from "./pages/deposits.tsx";
import { DustPage } from "./pages/dust.tsx";
import { FeesPage } from "./pages/fees.tsx";
import { HistoryPage } from "./pages/history.tsx";
import { KeysPage } from "./pages/keys.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { PortfolioPage } from "./pages/portfolio.tsx";
import { ProofPage } from "./pages/proof.tsx";
import { SecurityPage } from "./pages/security.tsx";
import { StatementsPage } from "./pages/statements.tsx";
import { SubAccountsPage } from "./pages/sub-accounts.tsx";
import { WithdrawPage } from "./pages/withdrawals.tsx";
import { showMoment } from "../pages/format.ts";
import { customerOutside, customerPages, customerWords as words } from "../words/words.ts";
import { useEffect } from "preact/hooks";
import { theVenue } from "../panels/brand.tsx";
import { PageFrame } from "../pages/frame.tsx";

type Page = (props: { readonly context: Context }) => preact.JSX.Element;

const OUTSIDE_PAGES_DRAWN: Readonly<Record<OutsideName, Page>> = {
  "sign-up": SignUp,
  invitation: Invitation,
  lost: ForgotPassword,
  recovery: Recovery,
  "cancel-recovery": CancelRecovery,
  "lock-account": LockAccount,
};

function OutsidePage({ context, page }: { context: Context; page: OutsideName }) {
  const Drawn = OUTSIDE_PAGES_DRAWN[page];
  return <Drawn key={page} context={context} />;
}

const PAGES_DRAWN: Readonly<Record<PageName, Page>> = {
  overview: OverviewPage,
  portfolio: PortfolioPage,
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

function PageOf({ context }: { context: Context }) {
  const { page } = context.place.value;
  const Drawn = isPage(page) ? PAGES_DRAWN[page] : OverviewPage;
  return <Drawn key={page} context={context} />;
}

// Restrictions of the account, shown on all pages.

function AccountRestrictions({ context }: { context: Context }) {
  const profile = context.profile.value;
  if (profile === null) return null;
  const restrictions = [
    ...(profile.heldUntilMs > context.nowMs.value ? [words.held(showMoment(context, profile.heldUntilMs))] : []),
    ...(profile.canTrade ? [] : [words.noTrading]),
    ...(profile.canWithdraw ? [] : [words.noWithdrawals]),
    ...(profile.canDeposit ? [] : [words.noDeposits]),
  ];
  return (
    <>
      {restrictions.map((text) => (
        <p key={text} class="told warned" role="status">
          {text}
        </p>
      ))}
    </>
  );
}

/** Pages without local times. */
const TIMELESS: readonly Place["page"][] = ["portfolio", "sub-accounts", "fees"];

export function Frame({ context }: { context: Context }) {
  const { page } = context.place.value;
  const session = context.session.value;
  useEffect(() => {
    const isSignIn = session === null && !isOutside(page);
    document.title = `${isSignIn ? customerOutside.signIn : customerPages[page]} · ${theVenue().name}`;
  }, [page, session]);
  if (isOutside(page)) return <OutsidePage context={context} page={page} />;
  if (session === undefined) return <main class="sign-in" aria-busy="true" />;
  if (session === null) return <SignIn context={context} />;
  return (
    <PageFrame
      board={context}
      home={hashOf("overview")}
      pages={PAGES.map((name) => ({ href: hashOf(name), label: customerPages[name], isHere: name === page }))}
      who={{ name: session.email, onSignOut: () => void context.leave() }}
      state={<LanguageButton context={context} />}
      bar={
        <a class="button" href="../">
          {words.terminal}
        </a>
      }
    >
      <div class="page">
        <h1>{customerPages[page]}</h1>
        <AccountRestrictions context={context} />
        <PageOf context={context} />
        {!TIMELESS.includes(page) && <p class="muted">{words.zone[context.preferences.timeZone.value]}</p>}
      </div>
    </PageFrame>
  );
}
