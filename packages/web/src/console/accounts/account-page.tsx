/** One account: its rights and rates, what it has, its orders, keys, addresses, and all that happened to it. */
import { consoleAccounts as words, consoleSays, pagesSay } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link, toAccount } from "../draw/link.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/shown.ts";
import { accountPath, type ApiTrading, type WholeAccount } from "./account.ts";
import { AddressList, BalanceList, KeyList, OrderList, SubAccountList } from "./account-lists.tsx";
import { AdjustmentList } from "./adjustment-list.tsx";
import { NoteList } from "./notes.tsx";
import { SessionList } from "./sessions.tsx";
import { Limits } from "./rights.tsx";
import { TimeLine } from "./time-line.tsx";
import { AccountLimits } from "../draw/limit-list.tsx";

export function AccountPage({ desk }: { desk: Desk }) {
  const account = desk.place.value.subject;
  const { value, denied } = useAsked<WholeAccount>(desk, accountPath(account), { everyMs: SELDOM_MS });
  const found = value !== null;
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "accounts" }}>{words.title}</Link> / {value?.email ?? account}{" "}
        {value !== null && <Limits account={value} />}
      </h1>
      <Pane title={words.account} denied={denied}>
        {value !== null && <AccountFacts desk={desk} account={value} />}
        {found && <Acts desk={desk} page="accounts" on="one" given={{ account }} now={bodiesOf(value)} />}
      </Pane>
      {found && (
        <>
          <OrderList desk={desk} account={account} count={value.openOrders} />
          <div class="two">
            <BalanceList desk={desk} account={value} />
            <div class="column">
              <AddressList desk={desk} account={account} />
              <SubAccountList desk={desk} account={account} />
            </div>
          </div>
          <AccountLimits desk={desk} account={account} />
          <KeyList desk={desk} account={account} />
          <div class="two">
            <SessionList desk={desk} account={account} />
            <NoteList desk={desk} account={account} />
          </div>
          <AdjustmentList desk={desk} title={words.adjustments} query={{ account }} />
          <TimeLine desk={desk} account={account} />
        </>
      )}
    </div>
  );
}

/** What the forms of the account begin from. */
function bodiesOf(account: WholeAccount): Readonly<Record<string, unknown>> {
  const { makerBps, takerBps, isAddressListEnforced, statusMessage, statusObjs } = account;
  return {
    "PATCH /v1/accounts/{account}": account,
    "PUT /v1/accounts/{account}/status": { message: statusMessage, objs: statusObjs },
    "PUT /v1/accounts/{account}/addresses": { isEnforced: isAddressListEnforced },
    "PUT /v1/accounts/{account}/fees/{symbol}": { makerBps, takerBps },
  };
}

function AccountFacts({ desk, account }: { desk: Desk; account: WholeAccount }) {
  const yesNo = (value: boolean): string => (value ? consoleSays.yes : consoleSays.no);
  const right = (value: boolean) => <span class={value ? "" : "bad-text"}>{yesNo(value)}</span>;
  const trading = useAsked<ApiTrading>(desk, `${accountPath(String(account.accountId))}/api-trading`);
  const lock = trading.value;
  return (
    <div class="three">
      <Facts
        rows={{
          [words.number]: String(account.accountId),
          [words.email]: account.email,
          [words.name]: account.name,
          [words.opened]: showMoment(desk, account.createdMs),
          [words.changed]: showMoment(desk, account.updateTimeMs),
          [words.master]:
            account.masterId === null ? (
              words.isMaster
            ) : (
              <Link to={toAccount(account.masterId)}>{account.masterId}</Link>
            ),
        }}
      />
      <Facts
        rows={{
          [words.isEnabled]: right(account.isEnabled),
          [words.canTrade]: right(account.canTrade),
          [words.canWithdraw]: right(account.canWithdraw),
          [words.canDeposit]: right(account.canDeposit),
          [words.apiTrading]:
            lock === null ? (
              pagesSay.noFigure
            ) : lock.isLocked ? (
              <span class="bad-text">
                {words.lockedUntil(lock.untilMs === undefined ? "" : showMoment(desk, lock.untilMs))}
              </span>
            ) : (
              words.notLocked
            ),
          [words.confirmsByEmail]: yesNo(account.confirmsByEmail),
        }}
      />
      <Facts
        rows={{
          [words.makerRate]: words.bps(account.makerBps),
          [words.takerRate]: words.bps(account.takerBps),
          [words.totp]: yesNo(account.hasTotp),
          [words.allowlist]: yesNo(account.isAddressListEnforced),
          [words.openOrders]: String(account.openOrders),
          [words.statusMessage]: account.statusMessage === "" ? pagesSay.noFigure : account.statusMessage,
        }}
      />
    </div>
  );
}
