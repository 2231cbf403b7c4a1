/** Withdrawals: requesting one, and their history. Interface 2.10, 3.6, 4.5, 4.6 and 7.10. */
import type { EngineView } from "@pricetime/engine";
import { MAX_LIST_LIMIT } from "@pricetime/protocol";
import type { CoinWithdrawal, WithdrawRecord } from "@pricetime/protocol";
import type { WithdrawalRow } from "../../history/shapes/wallet-rows.ts";
import type { Call } from "../call.ts";
import { writtenRows } from "../answers/long-list.ts";
import type { Body } from "../answers/long-text.ts";
import { assetIdOf, assetName, timesOf, timesWithin, MAX_DAYS } from "./assets.ts";
import { exactNumber } from "../../history/shapes/exact-number.ts";

const COMPLETED = 6;

function wapiShape(engine: EngineView, row: WithdrawalRow): WithdrawRecord {
  return {
    id: row.withdrawalId,
    amount: exactNumber(row.amount),
    transactionFee: exactNumber(row.fee),
    address: row.address,
    ...(row.tag === "" ? {} : { addressTag: row.tag }),
    asset: assetName(engine, row.assetId),
    ...(row.txId === "" ? {} : { txId: row.txId }),
    applyTime: row.applyTimeMs,
    status: row.status,
  };
}

export async function withdrawHistory(call: Call): Promise<Body> {
  const question = {
    ...timesOf(call),
    assetId: assetIdOf(call, "asset"),
    status: call.integer("status"),
    limit: MAX_LIST_LIMIT,
  };
  const { history, engine, turns } = call.venue;
  const rows = await history.withdrawals(engine.seq, call.accountId(), question);
  // Oldest first: Interface 1.2.
  const reading = { rows: rows.reverse(), before: `{"withdrawList":[`, after: `],"success":true}` };
  return writtenRows(turns, reading, (row) => JSON.stringify(wapiShape(call.venue.engine, row)));
}

/** UTC in the form `2019-10-12 11:12:02`. */
function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace("T", " ");
}

function coinShape(engine: EngineView, row: WithdrawalRow): CoinWithdrawal {
  return {
    id: row.withdrawalId,
    amount: row.amount,
    transactionFee: row.fee,
    coin: assetName(engine, row.assetId),
    status: row.status,
    address: row.address,
    addressTag: row.tag,
    txId: row.txId,
    applyTime: timeText(row.applyTimeMs),
    network: row.network,
    transferType: 0,
    ...(row.withdrawOrderId === "" ? {} : { withdrawOrderId: row.withdrawOrderId }),
    info: row.why,
    walletType: 0,
    txKey: "",
    ...(row.status === COMPLETED ? { completeTime: timeText(row.updateTimeMs) } : {}),
  };
}

export async function coinWithdrawals(call: Call): Promise<Body> {
  const question = {
    ...timesWithin(call, MAX_DAYS),
    assetId: assetIdOf(call, "coin"),
    status: call.integer("status"),
    withdrawOrderId: call.optionalText("withdrawOrderId"),
    offset: call.integer("offset") ?? 0,
    limit: call.limit(),
  };
  const { history, engine, turns } = call.venue;
  const rows = await history.withdrawals(engine.seq, call.accountId(), question);
  return writtenRows(turns, { rows }, (row) => JSON.stringify(coinShape(call.venue.engine, row)));
}
