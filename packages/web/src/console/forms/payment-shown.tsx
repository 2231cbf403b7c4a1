/** A withdrawal as whoever decides it reads it: amount, fee, what arrives, customer, address, what it waits for, risk. */
import { compare, decimal } from "../../exact/decimal.ts";
import { grouped } from "../../exact/shown.ts";
import { Facts } from "../../pages/pane.tsx";
import { consoleSubjects, consoleWithdrawals as words, pagesSay } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Json } from "../wire/document.ts";
import { partOf } from "./schema-shape.ts";

export interface Payment {
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
  readonly marks: readonly string[];
}

export function PaymentShown({ desk, withdrawal, told }: { desk: Desk; withdrawal: string; told: Json }) {
  const risks = useAsked<readonly Risk[]>(desk, "/v1/withdrawal-risks", { query: { withdrawal } });
  const payment = told as unknown as Payment;
  const { accountId, asset, tag } = payment;
  const customer = useAsked<Json>(desk, `/v1/accounts/${accountId}`).value ?? undefined;
  const waitsFor = useWaitsFor(desk, payment);
  const marks = risks.value
    ?.find(({ withdrawalId }) => withdrawalId === withdrawal)
    ?.marks.map((mark) => words.marks[mark] ?? mark);
  const of = (name: string): string => String(partOf(customer, name) ?? "");
  return (
    <section aria-label={words.withdrawal}>
      <Facts
        rows={{
          [words.amount]: <b>{`${grouped(payment.amount)} ${asset}`}</b>,
          [words.fee]: `${grouped(payment.fee)} ${asset}`,
          [words.arrives]: `${grouped(payment.arrives)} ${asset}`,
          [words.customer]: consoleSubjects.account(of("email"), of("name"), String(accountId)),
          [words.network]: payment.network,
          [words.address]: <code>{tag === "" ? payment.address : `${payment.address} · ${tag}`}</code>,
          ...(payment.name !== "" && { [words.name]: payment.name }),
          [words.asked]: new Date(payment.applyTimeMs).toISOString(),
          [words.waitsFor]: waitsFor,
          // Until it was looked at, it is not known.
          [words.risk]: marks === undefined ? pagesSay.noFigure : marks.join(", ") || words.noMarks,
        }}
      />
    </section>
  );
}

interface AssetNetwork {
  readonly network: string;
  readonly approvalAbove?: string;
}

/** What a withdrawal waits for, and why: the threshold of its network, where its amount is above that. */
export function useWaitsFor(desk: Desk, payment: Payment | null): string {
  const path = payment === null ? null : `/v1/assets/${encodeURIComponent(payment.asset)}`;
  const { value } = useAsked<{ readonly networks: readonly AssetNetwork[] }>(desk, path);
  if (payment === null) return "";
  const { status, amount, asset, network, isStopped } = payment;
  const threshold = value?.networks.find((one) => one.network === network)?.approvalAbove;
  const isAbove = threshold !== undefined && compare(decimal(amount), decimal(threshold)) > 0;
  const text =
    status === "awaitingApproval" && isAbove
      ? words.aboveThreshold(`${grouped(threshold)} ${asset}`, network)
      : (words.waits[status] ?? words.statuses[status] ?? status);
  return isStopped ? `${text}${words.stopped}` : text;
}
