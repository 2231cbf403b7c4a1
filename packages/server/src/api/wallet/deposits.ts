/** Deposits and their addresses. Interface 2.10, 4.5. */
import type { EngineView } from "@pricetime/engine";
import { MAX_LIST_LIMIT } from "@pricetime/protocol";
import type { CoinDeposit, DepositRecord } from "@pricetime/protocol";
import type { DepositRow, DepositStatusCode } from "../../history/shapes/wallet-rows.ts";
import type { Call } from "../call.ts";
import { writtenRows } from "../answers/long-list.ts";
import type { Body } from "../answers/long-text.ts";
import { assetIdOf, assetName, timesOf, timesWithin, MAX_DAYS } from "./assets.ts";
import { exactNumber } from "../../history/shapes/exact-number.ts";

const STATUSES: readonly number[] = [0, 6, 1];

function isOurs(status: number | undefined): status is DepositStatusCode | undefined {
  return status === undefined || STATUSES.includes(status);
}

function wapiShape(engine: EngineView, row: DepositRow): DepositRecord {
  return {
    insertTime: row.insertTimeMs,
    amount: exactNumber(row.amount),
    asset: assetName(engine, row.assetId),
    address: row.address,
    ...(row.tag === "" ? {} : { addressTag: row.tag }),
    txId: row.txId,
    status: row.status,
  };
}

export async function depositHistory(call: Call): Promise<Body> {
  const status = call.integer("status");
  const question = {
    ...timesOf(call),
    assetId: assetIdOf(call, "asset"),
    ...(isOurs(status) ? { status } : {}),
    limit: MAX_LIST_LIMIT,
  };
  const { history, engine, turns } = call.venue;
  const rows = await history.deposits(engine.seq, call.accountId(), question);
  // Oldest first: Interface 1.2.
  const reading = { rows: rows.reverse(), before: `{"depositList":[`, after: `],"success":true}` };
  return writtenRows(turns, reading, (row) => JSON.stringify(wapiShape(call.venue.engine, row)));
}

/** Confirmations as the journal knows them: the last threshold reached, not the chain's present count. */
function confirmations(engine: EngineView, { assetId, network, status }: DepositRow): [reached: number, all: number] {
  const spec = engine.asset(assetId).spec.networks.find((one) => one.network === network);
  const credit = spec?.creditConfirmations ?? 1;
  const all = spec?.finalConfirmations ?? credit;
  return [{ 0: 0, 6: credit, 1: all }[status], all];
}

function coinShape(engine: EngineView, row: DepositRow): CoinDeposit {
  const [reached, all] = confirmations(engine, row);
  return {
    id: String(row.depositId),
    amount: row.amount,
    coin: assetName(engine, row.assetId),
    network: row.network,
    status: row.status,
    address: row.address,
    addressTag: row.tag,
    txId: row.txId,
    insertTime: row.insertTimeMs,
    transferType: 0,
    confirmTimes: `${reached}/${all}`,
    unlockConfirm: all,
    walletType: 0,
  };
}

export async function coinDeposits(call: Call): Promise<Body> {
  const status = call.integer("status");
  const question = {
    ...timesWithin(call, MAX_DAYS),
    assetId: assetIdOf(call, "coin"),
    txId: call.optionalText("txId"),
    offset: call.integer("offset") ?? 0,
    limit: call.limit(),
  };
  if (!isOurs(status)) return "[]";
  const { history, engine, turns } = call.venue;
  const rows = await history.deposits(engine.seq, call.accountId(), { ...question, status });
  return writtenRows(turns, { rows }, (row) => JSON.stringify(coinShape(call.venue.engine, row)));
}
