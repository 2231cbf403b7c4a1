/**
 * Compares the chain with the log: each payment to a customer was credited once, and every withdrawal was paid once or
 * not at all. The chain is read from its own file, everything else from the model's course.
 */
import { DatabaseSync } from "node:sqlite";
import { amount, type ModelWithdrawal } from "@pricetime/testkit/models";
import { type AskedWithdrawal, payeeOf } from "../clients/payer.ts";
import type { Course } from "./course.ts";
import type { Findings } from "./findings.ts";

/** A transaction in a block of the chain. */
export interface MinedPayment {
  readonly txId: string;
  readonly address: string;
  readonly amount: string;
  /** The venue's nonce; null for an outsider's payment. */
  readonly nonce: number | null;
}

const KIND = "payments";
const MINED =
  "SELECT tx_id AS txId, address, amount, nonce FROM transactions WHERE height IS NOT NULL AND is_success = 1";

export function readChain(path: string): MinedPayment[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(MINED).all() as unknown as MinedPayment[];
  } finally {
    database.close();
  }
}

export interface Paid {
  readonly credited: number;
  readonly paid: number;
}

/** Must be called at the end, when no payment waits for a block. */
export function checkPayments(
  chain: readonly MinedPayment[],
  asked: readonly AskedWithdrawal[],
  { deposits, withdrawals }: Course["wallet"],
  findings: Findings,
): Paid {
  const say = (what: string): void => findings.add(KIND, what);
  const came = chain.filter(({ nonce }) => nonce === null);
  const byTxId = Object.groupBy(deposits, ({ coin }) => (JSON.parse(coin) as [network: string, txId: string])[1]);
  for (const { txId, amount: units } of came) {
    const found = byTxId[txId] ?? [];
    const [first] = found;
    if (found.length !== 1) say(`deposit ${txId} is credited ${found.length} times`);
    else if (first?.status !== "success") say(`deposit ${txId} is ${first?.status} at the end`);
    else if (first.amount !== amount(units)) say(`deposit ${txId} has ${units}, but another amount was credited`);
  }
  if (deposits.length > came.length) say(`${deposits.length} deposits for ${came.length} transactions`);
  const byOrderId = Object.groupBy(withdrawals, ({ withdrawOrderId }) => withdrawOrderId);
  const sent = Object.groupBy(chain, ({ nonce, address }) => (nonce === null ? "" : address));
  for (const { orderId, outcome } of asked) {
    const found = byOrderId[orderId] ?? [];
    const mustBe = { done: [1], refused: [0], notTaken: [0], unknown: [0, 1] }[outcome];
    if (!mustBe.includes(found.length))
      say(`${orderId} had the outcome ${outcome}, but is in the log ${found.length} times`);
    comparePaid(orderId, found[0], sent[payeeOf(orderId)] ?? [], say);
  }
  return { credited: came.length, paid: chain.length - came.length };
}

function comparePaid(
  orderId: string,
  withdrawal: ModelWithdrawal | undefined,
  paid: readonly MinedPayment[],
  say: (what: string) => void,
): void {
  const isDone = withdrawal?.status === "completed";
  if (paid.length !== Number(isDone)) say(`${orderId} is ${withdrawal?.status}, but was paid ${paid.length} times`);
  const [first] = paid;
  if (first === undefined || withdrawal === undefined) return;
  if (amount(first.amount) !== withdrawal.amount - withdrawal.fee) say(`${orderId} was paid as ${first.amount}`);
  if (!withdrawal.signed.some(({ txId }) => txId === first.txId)) say(`${orderId} was paid by ${first.txId}, unsigned`);
}
