/** A withdrawal that would be approved: what leaves, where to, whose it is, and what is unusual about it. */
import { grouped } from "../../exact/shown.ts";
import { consoleWithdrawals as words, pagesSay } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json } from "../wire/document.ts";
import { SentValues } from "./changes.tsx";

interface Payment {
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly fee: string;
  readonly arrives: string;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  readonly applyTimeMs: number;
  readonly status: string;
  readonly isStopped: boolean;
}

interface Risk {
  readonly withdrawalId: string;
  readonly email: string;
  readonly marks: readonly string[];
}

export function PaymentShown({ desk, withdrawal, told }: { desk: Desk; withdrawal: string; told: Json }) {
  const risks = useAsked<readonly Risk[]>(desk, "/v1/withdrawal-risks", { query: { withdrawal } });
  const risk = risks.value?.find(({ withdrawalId }) => withdrawalId === withdrawal);
  const payment = told as unknown as Payment;
  const { asset, tag, status, isStopped } = payment;
  const marks = risk?.marks.map((mark) => words.marks[mark] ?? mark);
  return (
    <section aria-label={words.withdrawal}>
      <SentValues
        body={{
          [words.amount]: `${grouped(payment.amount)} ${asset}`,
          [words.fee]: `${grouped(payment.fee)} ${asset}`,
          [words.arrives]: `${grouped(payment.arrives)} ${asset}`,
          [words.account]: risk === undefined ? String(payment.accountId) : `${risk.email} (${payment.accountId})`,
          [words.network]: payment.network,
          [words.address]: tag === "" ? payment.address : `${payment.address} · ${tag}`,
          [words.name]: payment.name,
          [words.asked]: new Date(payment.applyTimeMs).toISOString(),
          [words.status]: `${words.statuses[status] ?? status}${isStopped ? words.stopped : ""}`,
          // Until it was looked at, it is not known.
          [words.risk]: marks === undefined ? pagesSay.noFigure : marks.join(", ") || words.noMarks,
        }}
      />
    </section>
  );
}
