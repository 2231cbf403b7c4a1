/** Deposits and deposit addresses. Interface 2.10, 4.5. */
import type { DepositAddress, EngineView } from "@pricetime/engine";
import {
  type CoinDeposit,
  type DepositRecord,
  invalidData,
  MAX_LIST_LIMIT,
  NO_DEPOSIT_ADDRESS,
} from "@pricetime/protocol";
import { NoSuchNetwork } from "../../funds/wallet/port.ts";
import { type Call, json } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { assetIdOf, assetName, assetNamed, defaultNetwork, MAX_DAYS, timesOf, timesWithin } from "../parameters.ts";
import { takesDeposits } from "./coins.ts";
import type { DepositRow, DepositStatusCode } from "../../history/port.ts";
import { writtenRows } from "../answers/long-list.ts";
import type { Body } from "../answers/long-text.ts";
import { exactNumber } from "../../history/shapes/amounts.ts";

// GET wapi depositAddress.html and sapi capital/deposit/address. Interface 4.5.

/** The account's deposit address. Rejects if a deposit would not be credited, so that clients do not send one. */
async function addressOf(call: Call, asset: string): Promise<DepositAddress> {
  const { engine, walletPorts } = call.venue;
  const { spec } = assetNamed(engine, asset);
  const name = call.optionalText("network");
  const network = name === undefined ? defaultNetwork(spec) : spec.networks.find((one) => one.network === name);
  if (network === undefined) throw new Refused(name === undefined ? NO_DEPOSIT_ADDRESS : invalidData("network"));
  const { accountId, canDeposit } = call.account();
  if (!takesDeposits(engine, asset, network, call.nowMs) || !canDeposit) throw new Refused(NO_DEPOSIT_ADDRESS);
  try {
    return await walletPorts.wallet.depositAddress(accountId, network.network);
  } catch (error) {
    throw error instanceof NoSuchNetwork ? new Refused(NO_DEPOSIT_ADDRESS) : error;
  }
}

export async function wapiDepositAddress(call: Call): Promise<string> {
  const asset = call.text("asset");
  const { address, tag } = await addressOf(call, asset);
  return json<"wapi.depositAddress">({ address, success: true, addressTag: tag, asset });
}

export async function coinDepositAddress(call: Call): Promise<string> {
  const coin = call.text("coin");
  const { address, tag } = await addressOf(call, coin);
  return json<"capital.depositAddress">({ address, coin, tag, url: "" });
}

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
  const rows = await history.query(engine.seq, "deposits", { accountId: call.accountId(), ...question });
  // Rows are listed oldest first: Interface 1.2.
  const reading = { rows: rows.reverse(), before: `{"depositList":[`, after: `],"success":true}` };
  return writtenRows(turns, reading, (row) => JSON.stringify(wapiShape(call.venue.engine, row)));
}

/**
 * Confirmations as recorded in the journal: the last threshold that was reached, not the current count on the chain.
 */
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
  const rows = await history.query(engine.seq, "deposits", { accountId: call.accountId(), ...question, status });
  return writtenRows(turns, { rows }, (row) => JSON.stringify(coinShape(call.venue.engine, row)));
}
