/** Withdrawal requests and withdrawal history. Interface 2.10, 3.6, 4.5, 4.6 and 7.10. */
import { type Command, type AssetNetwork, type AssetSpec, type EngineView, formatDecimal } from "@pricetime/engine";
import {
  amountFault,
  type Answer,
  BAD_ADDRESS,
  BAD_ADDRESS_TAG,
  type CoinWithdrawal,
  MAX_LIST_LIMIT,
  VERIFICATION_FAILED,
  type WithdrawalBounds,
  withdrawalError,
  type WithdrawRecord,
} from "@pricetime/protocol";
import { type Call, type DEFERRED, submit } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { assetIdOf, assetName, assetNamed, MAX_DAYS, networkOf, timesOf, timesWithin } from "../parameters.ts";
import { exactNumber, shortDecimal } from "../../history/shapes/amounts.ts";
import type { WithdrawalRow } from "../../history/port.ts";
import { writtenRows } from "../answers/long-list.ts";
import type { Body } from "../answers/long-text.ts";

// POST wapi withdraw.html and sapi capital/withdraw/apply. Interface 4.5, 4.6, 3.6 and 7.10.

export function wapiWithdraw(call: Call): typeof DEFERRED {
  return requestWithdrawal(call, "asset", (id): Answer<"wapi.withdraw"> => ({ msg: "success", success: true, id }));
}

export function withdrawApply(call: Call): typeof DEFERRED {
  return requestWithdrawal(call, "coin", (id): Answer<"capital.withdraw"> => ({ id }));
}

/** `answer` builds the response from the withdrawal id. */
function requestWithdrawal(call: Call, assetParameter: string, answer: (id: string) => object): typeof DEFERRED {
  const { spec } = assetNamed(call.venue.engine, call.text(assetParameter));
  const network = networkOf(call, spec);
  const fault = amountFault("amount", call.text("amount"), spec.precision);
  if (fault !== null) throw new Refused(fault);
  checkAddress(call, network);
  const withdrawalId = call.venue.ids.withdrawalId();
  const { confirmations } = call.venue.walletPorts;
  const command: Command<"requestWithdrawal"> = {
    type: "requestWithdrawal",
    withdrawalId,
    accountId: call.accountId(),
    asset: spec.asset,
    network: network.network,
    address: call.text("address"),
    tag: call.text("addressTag"),
    amount: shortDecimal(call.text("amount")),
    name: call.text("name"),
    withdrawOrderId: call.text("withdrawOrderId"),
    ...totpOf(call),
    ...(call.isBySession && { isBySession: true as const }),
    confirmationHash: confirmations.hashOf(confirmations.secretOf(withdrawalId)),
  };
  return submit(call, command, {
    refusal: (reason) => withdrawalError(reason, boundsOf(spec, network)),
    body: () => JSON.stringify(answer(withdrawalId)),
  });
}

/** Checks the address. Also rejects a tag on a network without tags. */
function checkAddress(call: Call, { network, isTagged }: AssetNetwork): void {
  const { wallet } = call.venue.walletPorts;
  const [address, tag] = [call.text("address"), call.text("addressTag")];
  if (tag !== "" && isTagged !== true) throw new Refused(BAD_ADDRESS_TAG);
  if (wallet.isAddress(network, address, tag)) return;
  throw new Refused(tag !== "" && wallet.isAddress(network, address, "") ? BAD_ADDRESS_TAG : BAD_ADDRESS);
}

/**
 * The code's time step and the secret against which it was checked. The secret is included because the account's secret
 * may change before the command is applied.
 */
function totpOf(call: Call): Pick<Command<"requestWithdrawal">, "totpStep" | "totpSecret"> {
  const { accountId, sealedTotp } = call.account();
  const code = call.optionalText("code");
  // No code was sent, or the account does not require one.
  if (code === undefined || sealedTotp === null) return { totpStep: null };
  // Uses the wall clock, as authenticator apps do.
  const from = call.isBySession ? "a session" : call.apiKey().apiKey;
  const step = call.venue.walletPorts.checkTotp(accountId, sealedTotp, code, call.wallMs, from);
  if (step === null) throw new Refused(VERIFICATION_FAILED);
  return { totpStep: step, totpSecret: sealedTotp };
}

function boundsOf({ precision }: AssetSpec, { withdrawMin, withdrawStep }: AssetNetwork): WithdrawalBounds {
  return { min: shortDecimal(withdrawMin), step: shortDecimal(withdrawStep ?? formatDecimal(1n, precision)) };
}

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
  const rows = await history.query(engine.seq, "withdrawals", { accountId: call.accountId(), ...question });
  // Rows are listed oldest first: Interface 1.2.
  const reading = { rows: rows.reverse(), before: `{"withdrawList":[`, after: `],"success":true}` };
  return writtenRows(turns, reading, (row) => JSON.stringify(wapiShape(call.venue.engine, row)));
}

/** Formats a time in UTC as `2019-10-12 11:12:02`. */
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
  const rows = await history.query(engine.seq, "withdrawals", { accountId: call.accountId(), ...question });
  return writtenRows(turns, { rows }, (row) => JSON.stringify(coinShape(call.venue.engine, row)));
}
