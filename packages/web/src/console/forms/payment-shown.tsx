/** A withdrawal as whoever decides it reads it: amount, fee, what arrives, customer, address, what it waits for, risk. */
import { grouped } from "../../exact/shown.ts";
import { Facts } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/shown.ts";
import { consoleSubjects, consoleWithdrawals, pagesSay } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json } from "../wire/document.ts";
import { type Payment, waitsForText } from "./payment.ts";
import { partOf } from "./schema-shape.ts";

interface Risk {
  readonly withdrawalId: string;
  readonly marks: readonly string[];
}

export function PaymentShown({ desk, withdrawal, told }: { desk: Desk; withdrawal: string; told: Json }) {
  const risks = useAsked<readonly Risk[]>(desk, "/v1/withdrawal-risks", { query: { withdrawal } });
  const payment = told as unknown as Payment;
  const { accountId, asset, tag } = payment;
  const customer = useAsked<Json>(desk, `/v1/accounts/${accountId}`).value ?? undefined;
  const marks = risks.value
    ?.find(({ withdrawalId }) => withdrawalId === withdrawal)
    ?.marks.map((mark) => consoleWithdrawals.marks[mark] ?? mark);
  const of = (name: string): string => String(partOf(customer, name) ?? "");
  return (
    <section aria-label={consoleWithdrawals.withdrawal}>
      <Facts
        rows={{
          [consoleWithdrawals.amount]: <b>{`${grouped(payment.amount)} ${asset}`}</b>,
          [consoleWithdrawals.fee]: `${grouped(payment.fee)} ${asset}`,
          [consoleWithdrawals.arrives]: `${grouped(payment.arrives)} ${asset}`,
          [consoleWithdrawals.customer]: consoleSubjects.account(of("email"), of("name"), String(accountId)),
          [consoleWithdrawals.network]: payment.network,
          [consoleWithdrawals.address]: <code>{tag === "" ? payment.address : `${payment.address} · ${tag}`}</code>,
          ...(payment.name !== "" && { [consoleWithdrawals.name]: payment.name }),
          [consoleWithdrawals.requested]: showMoment(desk, payment.applyTimeMs),
          [consoleWithdrawals.waitsFor]: waitsForText(payment),
          // Until it was looked at, it is not known.
          [consoleWithdrawals.risk]:
            marks === undefined ? pagesSay.noFigure : marks.join(", ") || consoleWithdrawals.noMarks,
        }}
      />
    </section>
  );
}
