/**
 * Transfers between a master account and its sub-accounts, requested with the master account's keys. Interface 4.5,
 * 3.9.
 */
import type { EngineView } from "@pricetime/engine";
import { amountFault, transferError } from "@pricetime/protocol";
import type { Answer } from "@pricetime/protocol";
import type { TransferPage, TransferRow } from "../../history/port.ts";
import type { Outcome } from "../../journal/sequencer/port.ts";
import { type Call, type DEFERRED, submit, json } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { shortDecimal } from "../../history/shapes/amounts.ts";
import { assetName, assetNamed, pageOf, timesOf } from "../parameters.ts";
import { masterOf, relative } from "./sub-accounts.ts";

/** The time range of transfer lists in days if the request has no times. Interface 4.5. */
const TRANSFER_DAYS = 100;

/** Transfers between two accounts. An undefined email means the master account. */
function transfer(
  call: Call,
  fromEmail: string | undefined,
  toEmail: string | undefined,
  answer: (tranId: number) => object,
  clientTranId?: string,
): typeof DEFERRED {
  const master = masterOf(call);
  const { spec } = assetNamed(call.venue.engine, call.text("asset"));
  const amount = call.text("amount");
  const fault = amountFault("amount", amount, spec.precision);
  if (fault !== null) throw new Refused(fault);
  const partner = (email: string | undefined): number =>
    (email === undefined ? master : relative(call, email)).accountId;
  const command = {
    type: "transfer",
    accountId: master.accountId,
    fromAccountId: partner(fromEmail),
    toAccountId: partner(toEmail),
    asset: spec.asset,
    amount: shortDecimal(amount),
    ...(clientTranId !== undefined && { clientTranId }),
  } as const;
  return submit(call, command, {
    refusal: transferError,
    body: (outcome) => JSON.stringify(answer(tranIdIn(outcome))),
    ...(clientTranId !== undefined && {
      repeated: () => JSON.stringify(answer(call.venue.engine.funds.transferOf(master.accountId, clientTranId) ?? 0)),
    }),
  });
}

function tranIdIn({ events }: Outcome): number {
  const moved = events.find((event) => event.type === "transferred");
  if (moved === undefined) throw new TypeError("a transfer that was made tells of itself");
  return moved.tranId;
}

export function wapiTransfer(call: Call): typeof DEFERRED {
  return transfer(call, call.text("fromEmail"), call.text("toEmail"), (tranId): Answer<"wapi.subAccountTransfer"> => {
    return { success: true, txnId: String(tranId) };
  });
}

export function universalTransfer(call: Call): typeof DEFERRED {
  const [fromEmail, toEmail] = [call.optionalText("fromEmail"), call.optionalText("toEmail")];
  const clientTranId = call.optionalText("clientTranId");
  const answer = (tranId: number): Answer<"subAccount.transfer"> => ({
    tranId,
    ...(clientTranId !== undefined && { clientTranId }),
  });
  return transfer(call, fromEmail, toEmail, answer, clientTranId);
}

interface NamedTransfer {
  readonly from: string;
  readonly to: string;
  readonly asset: string;
  readonly qty: string;
  readonly time: number;
}

function named(engine: EngineView, row: TransferRow): NamedTransfer {
  const emailOf = (accountId: number): string => engine.account(accountId)?.email ?? "";
  return {
    from: emailOf(row.fromAccountId),
    to: emailOf(row.toAccountId),
    asset: assetName(engine, row.assetId),
    qty: row.amount,
    time: row.timeMs,
  };
}

export async function wapiTransfers(call: Call): Promise<string> {
  const { accountId } = relative(call, call.text("email"));
  const { history, engine } = call.venue;
  const page = { ...timesOf(call, TRANSFER_DAYS), ...pageOf(call) };
  const rows = await history.query(engine.seq, "transfersOfAccount", { accountId, ...page });
  const transfers = rows.map((row) => named(call.venue.engine, row));
  return json<"wapi.subAccountTransfers">({ success: true, transfers });
}

/**
 * Selects transfers from `fromEmail` or to `toEmail`; without either, those of the master account and all its
 * sub-accounts.
 */
interface TransferAsk {
  readonly masterId: number;
  readonly accountId: number | undefined;
  readonly page: TransferPage;
}

function transferAsk(call: Call): TransferAsk {
  const masterId = masterOf(call).accountId;
  const [from, to] = [call.optionalText("fromEmail"), call.optionalText("toEmail")];
  const email = from ?? to;
  const accountId = email === undefined ? undefined : relative(call, email).accountId;
  const side = from === undefined ? "to" : "from";
  return { masterId, accountId, page: { ...timesOf(call, TRANSFER_DAYS), ...pageOf(call), side } };
}

function transfersAsked(call: Call, { masterId, accountId, page }: TransferAsk): Promise<TransferRow[]> {
  const { history, engine } = call.venue;
  return accountId === undefined
    ? history.query(engine.seq, "transfersOfMaster", { masterId, ...page })
    : history.query(engine.seq, "transfersOfAccount", { accountId, ...page });
}

export async function subAccountTransfers(call: Call): Promise<string> {
  const rows = await transfersAsked(call, transferAsk(call));
  return json<"subAccount.transfers">(
    rows.map((row) => ({
      ...named(call.venue.engine, row),
      status: "SUCCESS",
      tranId: row.tranId,
    })),
  );
}

export async function universalTransfers(call: Call): Promise<string> {
  const { history, engine } = call.venue;
  const ask = transferAsk(call);
  const { masterId, accountId, page } = ask;
  const rows = await transfersAsked(call, ask);
  const totalCount =
    accountId === undefined
      ? await history.query(engine.seq, "countTransfersOfMaster", { masterId, ...page })
      : await history.query(engine.seq, "countTransfersOfAccount", { accountId, ...page });
  const shape: Answer<"subAccount.universalTransfers"> = {
    result: rows.map((row) => {
      const { from, to, asset, qty, time } = named(call.venue.engine, row);
      return {
        tranId: row.tranId,
        fromEmail: from,
        toEmail: to,
        asset,
        amount: qty,
        createTimeStamp: time,
        fromAccountType: "SPOT",
        toAccountType: "SPOT",
        status: "SUCCESS",
        clientTranId: row.clientTranId,
      };
    }),
    totalCount,
  };
  return JSON.stringify(shape);
}
