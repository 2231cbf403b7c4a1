/** One withdrawal: what it is, what is unusual about it, what was done about it, and what can be done. */
import { consoleSays, consoleWithdrawals, pagesSay } from "../../words/words.ts";
import { ActList } from "../acts/act-list.tsx";
import { OFTEN_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link, toAccount } from "../draw/link.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge, showAmount, showMoment } from "../../pages/shown.ts";
import { showSpan } from "../../panels/show.ts";
import { Marks } from "./marks.tsx";
import { Proposed } from "./proposed.tsx";
import { useNetworkKind } from "../network.ts";
import { waitsForText } from "../forms/payment.ts";
import { AWAITS, type OpenWithdrawal, type Risk } from "./withdrawal.ts";

export function WithdrawalPage({ desk }: { desk: Desk }) {
  const withdrawal = desk.place.value.subject;
  const path = `/v1/withdrawals/${encodeURIComponent(withdrawal)}`;
  const { value, denied } = useAsked<OpenWithdrawal>(desk, path, { everyMs: OFTEN_MS });
  const risks = useAsked<readonly Risk[]>(desk, "/v1/withdrawal-risks", { query: { withdrawal } });
  const risk = risks.value?.find((one) => one.withdrawalId === withdrawal);
  const kind = useNetworkKind(desk, value?.network);
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "withdrawals" }}>{consoleWithdrawals.title}</Link> / {withdrawal}
      </h1>
      {value !== null && (
        <Acts desk={desk} page="withdrawals" on="one" given={{ withdrawal }} hidden={hiddenFor(value, kind)} />
      )}
      <div class="two">
        <Pane title={consoleWithdrawals.withdrawal} denied={denied}>
          {value !== null && <WithdrawalFacts desk={desk} withdrawal={value} />}
        </Pane>
        <Pane title={consoleWithdrawals.risk} denied={risks.denied}>
          {risk !== undefined && <RiskFacts risk={risk} />}
        </Pane>
      </div>
      <Proposed desk={desk} withdrawal={withdrawal} />
      <ActList desk={desk} title={consoleWithdrawals.history} query={{ withdrawal }} />
    </div>
  );
}

/** What the withdrawal's status, or its network, rules out. */
function hiddenFor({ status }: OpenWithdrawal, kind: string | undefined): string[] {
  const key = (step: string): string => `POST /v1/withdrawals/{withdrawal}/${step}`;
  const isProcessing = status === "processing";
  return [
    ...(status === AWAITS ? [] : [key("approve"), key("reject")]),
    ...(isProcessing ? [key("cancel")] : [key("fail")]),
    ...(isProcessing && kind === "manual" ? [] : [key("complete")]),
    ...(isProcessing && kind === "evm" ? [] : [key("raise-fee")]),
  ];
}

function WithdrawalFacts({ desk, withdrawal }: { desk: Desk; withdrawal: OpenWithdrawal }) {
  const { accountId, asset, amount, fee, arrives, network, address, tag, name, status, applyTimeMs, txId } = withdrawal;
  const { by = "" } = withdrawal;
  return (
    <Facts
      rows={{
        [consoleWithdrawals.status]: consoleWithdrawals.statuses[status] ?? status,
        [consoleWithdrawals.waitsFor]: waitsForText(withdrawal),
        [consoleWithdrawals.account]: <Link to={toAccount(accountId)}>{accountId}</Link>,
        [consoleWithdrawals.amount]: `${showAmount(amount)} ${asset}`,
        [consoleWithdrawals.fee]: `${showAmount(fee)} ${asset}`,
        [consoleWithdrawals.arrives]: `${showAmount(arrives)} ${asset}`,
        [consoleWithdrawals.network]: <Link to={{ page: "networks", subject: network }}>{network}</Link>,
        [consoleWithdrawals.address]: <code>{address}</code>,
        [consoleWithdrawals.tag]: tag === "" ? pagesSay.noFigure : tag,
        [consoleWithdrawals.name]: name === "" ? pagesSay.noFigure : name,
        [consoleWithdrawals.clientId]:
          withdrawal.withdrawOrderId === "" ? pagesSay.noFigure : withdrawal.withdrawOrderId,
        [consoleWithdrawals.requested]: `${showMoment(desk, applyTimeMs)} (${showAge(desk, applyTimeMs)})`,
        [consoleWithdrawals.needsApproval]: withdrawal.needsApproval ? consoleSays.yes : consoleSays.no,
        [consoleWithdrawals.by]: by === "" ? pagesSay.noFigure : by,
        [consoleWithdrawals.txId]: txId === "" ? pagesSay.noFigure : <code>{txId}</code>,
      }}
    />
  );
}

function RiskFacts({ risk }: { risk: Risk }) {
  const { email, marks, isOnAddressList, completedBefore, completedToAddress, newestDepositAgeMs, accountAgeMs } = risk;
  return (
    <>
      <div class="padded">
        {marks.length === 0 ? <p class="muted">{consoleWithdrawals.noMarks}</p> : <Marks marks={marks} />}
      </div>
      <Facts
        rows={{
          [consoleWithdrawals.email]: email,
          [consoleWithdrawals.accountAge]: showSpan(accountAgeMs),
          [consoleWithdrawals.newestDeposit]:
            newestDepositAgeMs === null
              ? consoleWithdrawals.never
              : consoleWithdrawals.ago(showSpan(newestDepositAgeMs)),
          [consoleWithdrawals.completedBefore]: String(completedBefore),
          [consoleWithdrawals.completedToAddress]: String(completedToAddress),
          [consoleWithdrawals.onList]: isOnAddressList ? consoleSays.yes : consoleSays.no,
        }}
      />
    </>
  );
}
