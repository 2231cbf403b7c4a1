/** The deposits of the Deposits page as objects of forms. */
import type { Deposit, UnattributedDeposit } from "@pricetime/server/answers";
import { consoleDeposits, consoleUnattributed } from "../../words/words.ts";
import { showAmount } from "../../pages/format.ts";
import type { OpenForm } from "../context.ts";

/** The deposit as part of a form that is opened for it. */
export const formOf = (row: UnattributedDeposit): Pick<OpenForm, "fixed" | "start" | "known"> => ({
  fixed: { network: row.network, txId: row.txId, output: row.output },
  start: { asset: row.asset, amount: row.amount },
  known: {
    [consoleUnattributed.amount]: `${showAmount(row.amount)} ${row.asset}`,
    [consoleUnattributed.network]: row.network,
    [consoleUnattributed.address]: row.tag === "" ? row.address : `${row.address} · ${row.tag}`,
    [consoleUnattributed.reason]: consoleUnattributed.reasons[row.reason] ?? row.reason,
    [consoleUnattributed.txId]: row.txId,
  },
});

/** The form for a pending deposit, whose contents must be repeated as they were recorded. */
export const formOfPending = ({
  network,
  asset,
  amount,
  address,
  tag,
  txId,
  output,
  accountId,
}: Deposit): OpenForm => ({
  key: "POST /v1/networks/{network}/deposits",
  given: { network },
  fixed: { asset, amount, address, tag, txId, output },
  known: {
    [consoleDeposits.amount]: `${showAmount(amount)} ${asset}`,
    [consoleDeposits.network]: network,
    [consoleDeposits.account]: String(accountId),
    [consoleDeposits.txId]: txId,
  },
});
