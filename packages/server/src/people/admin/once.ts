/**
 * Idempotent requests: a repeat with equal contents returns the recorded result; a repeat with different contents is
 * rejected with the recorded result.
 */
import {
  type CoinId,
  type Command,
  type DepositRecord,
  type EngineView,
  type Event,
  type RejectReason,
} from "@pricetime/engine";
import { HistoryBehind } from "../../history/port.ts";
import { carriedText } from "../../history/shapes/amounts.ts";
import { Rejection } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import { type AdminNode, carryOut } from "./node.ts";

/** A record as sent in an answer. */
export type Booked = Readonly<{ [field: string]: unknown }> | null;

/** Whether the ID was used before with different contents, or with contents that were not stored. */
export function isDifferentRepeat(reason: string): reason is RejectReason {
  return reason === "REPEAT_DIFFERS" || reason === "CONTENTS_NOT_KEPT";
}

/**
 * Runs the command and returns its events, or null if an equal command was run before. Throws `Rejection`; for a repeat
 * with different contents, it contains the record from `booked`.
 */
export async function carryOutOnce(
  node: AdminNode,
  command: Command,
  booked: () => Promise<Booked>,
): Promise<readonly Event[] | null> {
  try {
    return await carryOut(node, command);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    // Before rules version 4, the engine does not compare contents.
    if (error.code === "ALREADY_EXISTS" && node.view.edition >= 4) return null;
    throw isDifferentRepeat(error.code) ? await withRecord(error.code, booked) : error;
  }
}

/** The rejection of a repeat with different contents. Contains the existing record if history has reached it. */
export async function withRecord(reason: RejectReason, booked: () => Promise<Booked>): Promise<Rejection> {
  const { status, code, message } = rejectionOf(reason);
  const record = await orNothing(booked);
  const seen = record === null ? "" : ` Recorded: ${describeBooked(record)}.`;
  return new Rejection(status, code, `${message}${seen}`, { record });
}

async function orNothing(booked: () => Promise<Booked>): Promise<Booked> {
  try {
    return await booked();
  } catch (error) {
    if (error instanceof HistoryBehind) return null;
    throw error;
  }
}

function describeBooked(record: NonNullable<Booked>): string {
  const words = Object.entries(record).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : [],
  );
  return words.join(", ");
}

/** Reads the operator action of a journal entry from history. */
export async function bookedAct({ view, history }: AdminNode, seq: number | undefined): Promise<Booked> {
  if (seq === undefined) return null;
  const [act] = await history.query(view.seq, "acts", { beforeSeq: seq + 1, limit: 1 });
  return act?.seq === seq ? { ...act.details, by: act.by, seq, timeMs: act.timeMs } : null;
}

/** Finds the adjustment, deposit or debit with this reference. */
export async function bookedMove(node: AdminNode, reference: string): Promise<Booked> {
  const { view, history } = node;
  const seq = view.funds.entryOfReference(reference);
  if (seq === undefined) return null;
  const [adjustment] = await history.query(view.seq, "adjustments", { beforeSeq: seq + 1, limit: 1 });
  return adjustment?.seq === seq ? { ...adjustment } : bookedAct(node, seq);
}

/**
 * Whether an equal command was run before. Throws `Rejection` with the record if the ID was used with different
 * contents. Called before dual approval, so that a repeat creates no approval request.
 */
export async function isBooked(
  { view }: AdminNode,
  command: Command<"adjust"> | Command<"settleUnknownDeposit">,
  booked: () => Promise<Booked>,
): Promise<boolean> {
  const repeat = view.venue.repeatOf(command);
  if (repeat !== null && isDifferentRepeat(repeat)) throw await withRecord(repeat, booked);
  return repeat !== null;
}

/** The deposit with this transaction output: pending, final or unattributed. Null if there is none. */
export async function bookedDeposit({ view, history }: AdminNode, coin: CoinId): Promise<Booked> {
  const open = view.funds.openDeposit(coin);
  if (open !== undefined) return depositBody(view, open);
  const { network } = coin;
  const depositId = view.funds.finalDepositId(coin);
  const final = await history.query(view.seq, "bookedDeposit", { coin, depositId });
  if (final !== undefined) {
    const spec = view.assets().find((one) => one.spec.asset === final.asset)?.spec;
    return { ...final, ...(spec && { amount: carriedText(spec, "depositStep", final.amount, network) }) };
  }
  const unknown = await history.query(view.seq, "unknownDeposit", coin);
  if (unknown === undefined) return null;
  const { coin: asset, ...deposit } = unknown;
  return { ...deposit, asset };
}

export function depositBody(
  view: EngineView,
  { assetId, amount, owed, ...record }: DepositRecord,
): NonNullable<Booked> {
  const { spec } = view.asset(assetId);
  const decimal = (units: bigint): string => carriedText(spec, "depositStep", units, record.network);
  return { ...record, asset: spec.asset, amount: decimal(amount), owedToTreasury: decimal(owed) };
}
