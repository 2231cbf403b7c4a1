/** One withdrawal: what it is, what is unusual about it, what was done about it, and what can be done. */
import { consoleSays, consoleWithdrawals as words, pagesSay } from "../../words/words.ts";
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
        <Link to={{ page: "withdrawals" }}>{words.title}</Link> / {withdrawal}
      </h1>
      {value !== null && (
        <Acts desk={desk} page="withdrawals" on="one" given={{ withdrawal }} hidden={hiddenFor(value, kind)} />
      )}
      <div class="two">
        <Pane title={words.withdrawal} denied={denied}>
          {value !== null && <WithdrawalFacts desk={desk} withdrawal={value} />}
        </Pane>
        <Pane title={words.risk} denied={risks.denied}>
          {risk !== undefined && <RiskFacts risk={risk} />}
        </Pane>
      </div>
      <Proposed desk={desk} withdrawal={withdrawal} />
      <ActList desk={desk} title={words.history} query={{ withdrawal }} />
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
        [words.status]: words.statuses[status] ?? status,
        [words.waitsFor]: waitsForText(withdrawal),
        [words.account]: <Link to={toAccount(accountId)}>{accountId}</Link>,
        [words.amount]: `${showAmount(amount)} ${asset}`,
        [words.fee]: `${showAmount(fee)} ${asset}`,
        [words.arrives]: `${showAmount(arrives)} ${asset}`,
        [words.network]: <Link to={{ page: "networks", subject: network }}>{network}</Link>,
        [words.address]: <code>{address}</code>,
        [words.tag]: tag === "" ? pagesSay.noFigure : tag,
        [words.name]: name === "" ? pagesSay.noFigure : name,
        [words.clientId]: withdrawal.withdrawOrderId === "" ? pagesSay.noFigure : withdrawal.withdrawOrderId,
        [words.requested]: `${showMoment(desk, applyTimeMs)} (${showAge(desk, applyTimeMs)})`,
        [words.needsApproval]: withdrawal.needsApproval ? consoleSays.yes : consoleSays.no,
        [words.by]: by === "" ? pagesSay.noFigure : by,
        [words.txId]: txId === "" ? pagesSay.noFigure : <code>{txId}</code>,
      }}
    />
  );
}

function RiskFacts({ risk }: { risk: Risk }) {
  const { email, marks, isOnAddressList, completedBefore, completedToAddress, newestDepositAgeMs, accountAgeMs } = risk;
  return (
    <>
      <div class="padded">{marks.length === 0 ? <p class="muted">{words.noMarks}</p> : <Marks marks={marks} />}</div>
      <Facts
        rows={{
          [words.email]: email,
          [words.accountAge]: showSpan(accountAgeMs),
          [words.newestDeposit]: newestDepositAgeMs === null ? words.never : words.ago(showSpan(newestDepositAgeMs)),
          [words.completedBefore]: String(completedBefore),
          [words.completedToAddress]: String(completedToAddress),
          [words.onList]: isOnAddressList ? consoleSays.yes : consoleSays.no,
        }}
      />
    </>
  );
}
