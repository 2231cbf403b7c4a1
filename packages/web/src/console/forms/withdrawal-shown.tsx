/**
 * A withdrawal as operators decide on it, in a dialog and in an approval request: the payment, the customer with
 * balance and restrictions, the history of the address, the limits, and risk indicators with their evidence.
 */
import type {
  AccountLimitRow,
  AnyWithdrawal,
  OpenWithdrawal,
  Risk,
  SearchResult,
  Timeline,
  WholeAccount,
} from "@pricetime/server/answers";
import type { ComponentChildren } from "preact";
import {
  consoleAccounts,
  consoleForms,
  consoleSubjects,
  consoleWithdrawals as words,
  consoleWords,
  pagesWords,
} from "../../words/words.ts";
import { Facts } from "../../pages/pane.tsx";
import { showAge, showAmount, showLength, showMoment } from "../../pages/format.ts";
import { type Context, useFetched } from "../context.ts";
import { hashOf } from "../place.ts";
import { waitsForText } from "./subjects.ts";
import { isPending } from "./withdrawal-approval.ts";

/** A change of access within this time before now is a risk indicator. */
const RECENT_MS = 72 * 3_600_000;

/** Actions in a timeline that change the password, and those that change two-factor authentication. */
const PASSWORD_ACTIONS = ["setPassword", "recover", "acceptInvitation"];
const TOTP_ACTIONS = ["setTotp"];

/** How often the address of a withdrawal is used by other customers: their accounts. */
function othersOf(
  found: SearchResult | null,
  { accountId }: OpenWithdrawal,
): readonly [accountId: number, email: string][] {
  const others = (found?.hits ?? []).flatMap(({ accountId: other, email }): [number, string][] =>
    other === null || other === accountId || other <= 0 ? [] : [[other, email ?? String(other)]],
  );
  return [...new Map(others)];
}

/** The times of successful actions of these types, newest first. */
const timesOf = ({ rows }: Timeline, types: readonly string[]): readonly number[] =>
  rows.filter(({ what, ...row }) => types.includes(what) && row["outcome"] === "done").map(({ timeMs }) => timeMs);

/** The time of the newest change of the password. The first one, which the customer chose, is not a change. */
function passwordChangedMs(access: Timeline): number | undefined {
  const times = timesOf(access, PASSWORD_ACTIONS);
  return times.length > 1 || access.before !== null ? times[0] : undefined;
}

interface Known {
  readonly risk: Risk | undefined;
  readonly account: WholeAccount | null;
  readonly limit: AccountLimitRow | undefined;
  readonly found: SearchResult | null;
  readonly access: Timeline | null;
  readonly keys: Timeline | null;
}

/** All that the admin API has about the withdrawal's customer, address and limits. Absent until it is loaded. */
function useKnown(context: Context, withdrawal: OpenWithdrawal): Known {
  const { withdrawalId, accountId, address, asset } = withdrawal;
  const path = `/v1/accounts/${accountId}`;
  const risks = useFetched<readonly Risk[]>(context, "/v1/withdrawal-risks", { query: { withdrawal: withdrawalId } });
  const limits = useFetched<readonly AccountLimitRow[]>(context, `${path}/withdrawal-limits`);
  return {
    risk: risks.value?.find((one) => one.withdrawalId === withdrawalId),
    account: useFetched<WholeAccount>(context, path).value,
    limit: limits.value?.find((one) => one.asset === asset),
    found: useFetched<SearchResult>(context, "/v1/search", { query: { text: address, limit: 100 } }).value,
    access: useFetched<Timeline>(context, `${path}/timeline`, { query: { kind: "access" } }).value,
    keys: useFetched<Timeline>(context, `${path}/timeline`, { query: { kind: "key" } }).value,
  };
}

/** The risk indicators in words; null until they are loaded. */
function warningsOf(context: Context, withdrawal: OpenWithdrawal, known: Known): readonly string[] | null {
  const { risk, account, found, access, keys } = known;
  if (risk === undefined || account === null || access === null || keys === null) return null;
  const nowMs = context.nowMs.value;
  const recently = (timeMs: number | undefined, text: (span: string) => string): string[] =>
    timeMs === undefined || nowMs - timeMs > RECENT_MS ? [] : [text(showLength(nowMs - timeMs))];
  const others = othersOf(found, withdrawal).length;
  return [
    ...risk.marks.map((mark) => words.markHelp[mark] ?? words.marks[mark] ?? mark),
    ...(account.canWithdraw && account.isEnabled ? [] : [words.lockedAccount]),
    ...recently(passwordChangedMs(access), words.passwordChanged),
    ...recently(timesOf(keys, TOTP_ACTIONS)[0], words.totpChanged),
    ...(others === 0 ? [] : [words.sharedAddress(others)]),
  ];
}

export function WithdrawalShown({ context, withdrawal }: { context: Context; withdrawal: AnyWithdrawal }) {
  const { asset, amount, fee, arrives, network, address, tag, name, applyTimeMs, status } = withdrawal;
  const isOpen = isPending(withdrawal);
  return (
    <section class="withdrawal-shown" aria-label={words.withdrawal}>
      <Facts
        rows={{
          [words.amount]: `${showAmount(amount)} ${asset}`,
          [words.fee]: `${showAmount(fee)} ${asset}`,
          [words.arrives]: <b>{`${showAmount(arrives)} ${asset}`}</b>,
          [words.network]: network,
          [words.address]: <code>{tag === "" ? address : `${address} · ${tag}`}</code>,
          ...(name !== "" && { [words.name]: name }),
          [words.requested]: `${showMoment(context, applyTimeMs)} (${words.ago(showAge(context, applyTimeMs))})`,
          ...(isOpen
            ? { [words.waitsFor]: waitsForText(withdrawal) }
            : { [words.status]: words.statuses[status] ?? status }),
        }}
      />
      {isOpen && <WithdrawalChecks context={context} withdrawal={withdrawal} />}
    </section>
  );
}

/** The evidence for a decision: risk indicators, customer, history of the address, and limits. */
export function WithdrawalChecks({ context, withdrawal }: { context: Context; withdrawal: OpenWithdrawal }) {
  const known = useKnown(context, withdrawal);
  return (
    <>
      <Warnings warnings={warningsOf(context, withdrawal, known)} />
      <Facts
        rows={{
          ...customerFacts(context, withdrawal, known),
          ...addressFacts(context, withdrawal, known),
          ...limitFacts(withdrawal, known.limit),
        }}
      />
    </>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] | null }) {
  return (
    <div
      class={`checks ${warnings === null || warnings.length === 0 ? "" : "warned"}`}
      role="group"
      aria-label={words.risk}
    >
      <h3>{words.risk}</h3>
      {warnings === null ? (
        <p class="muted">{consoleForms.loading}</p>
      ) : warnings.length === 0 ? (
        <p>{words.noMarks}</p>
      ) : (
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Rows = Readonly<Record<string, ComponentChildren>>;

function limitFacts({ asset }: OpenWithdrawal, limit: AccountLimitRow | undefined): Rows {
  if (limit === undefined) return { [words.limits]: words.noLimits };
  const used = (sum: string, most: string | null): string =>
    most === null
      ? words.withdrawn(showAmount(sum), asset)
      : words.withdrawnOf(showAmount(sum), showAmount(most), asset);
  return {
    [words.limit24h]: used(limit.withdrawn24h, limit.limit24h),
    [words.limit72h]: used(limit.withdrawn72h, limit.limit72h),
  };
}

function customerFacts(context: Context, { accountId, asset }: OpenWithdrawal, { account, risk }: Known): Rows {
  if (account === null) return { [words.customer]: String(accountId) };
  const { free = "0", locked = "0" } = account.balances.find((one) => one.asset === asset) ?? {};
  const limits = [
    ...(account.isEnabled ? [] : [consoleAccounts.disabled]),
    ...(account.canTrade ? [] : [consoleAccounts.noTrading]),
    ...(account.canWithdraw ? [] : [consoleAccounts.noWithdrawals]),
  ];
  return {
    [words.customer]: (
      <>
        <AccountLink context={context} accountId={accountId}>
          {consoleSubjects.account(account.email, account.name, String(accountId))}
        </AccountLink>{" "}
        {limits.map((limit) => (
          <span key={limit} class="tag bad">
            {limit}
          </span>
        ))}
      </>
    ),
    [words.balance]: words.balanceOf(showAmount(free), showAmount(locked), asset),
    [words.accountAge]: risk === undefined ? pagesWords.noFigure : showLength(risk.accountAgeMs),
    [words.newestDeposit]:
      risk === undefined
        ? pagesWords.noFigure
        : risk.newestDepositAgeMs === null
          ? words.never
          : words.ago(showLength(risk.newestDepositAgeMs)),
  };
}

function addressFacts(context: Context, withdrawal: OpenWithdrawal, { risk, found }: Known): Rows {
  const others = othersOf(found, withdrawal);
  return {
    [words.addressHistory]:
      risk === undefined ? pagesWords.noFigure : words.usedBefore(risk.completedToAddress, risk.completedBefore),
    [words.otherCustomers]:
      found === null
        ? pagesWords.noFigure
        : others.length === 0
          ? words.noOthers
          : others.map(([accountId, email]) => (
              <span key={accountId} class="listed">
                <AccountLink context={context} accountId={accountId}>
                  {email}
                </AccountLink>{" "}
              </span>
            )),
    [words.onList]:
      risk === undefined ? pagesWords.noFigure : risk.isOnAddressList ? consoleWords.yes : consoleWords.no,
  };
}

/** A link that closes the open dialog. */
function AccountLink({ context, accountId, children }: LinkProps) {
  return (
    <a href={hashOf({ page: "accounts", subject: String(accountId) })} onClick={() => (context.openForm.value = null)}>
      {children}
    </a>
  );
}

interface LinkProps {
  readonly context: Context;
  readonly accountId: number;
  readonly children: ComponentChildren;
}
