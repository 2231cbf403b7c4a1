/** Withdrawals that are open, and what an operator decides about them. */
import { type EngineView, type Event, formatDecimal, type WithdrawalRecord } from "@pricetime/engine";
import { z } from "zod";
import { text } from "../config/listing-schema.ts";
import { type Answer, ok, refusalOf } from "./answer.ts";
import { manualControl } from "./deposit-routes.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { parseWith } from "./parse.ts";
import type { AdminRequest, Route } from "./router.ts";

const whySchema = z.strictObject({ why: text });
const doneSchema = z.strictObject({ txId: text });

export function withdrawalRoutes(node: AdminNode): Route[] {
  const { view } = node;
  const step = (name: string, handle: Route["handle"]): Route => ({
    method: "POST",
    pattern: `/v1/withdrawals/:withdrawal/${name}`,
    handle,
  });
  return [
    {
      method: "GET",
      pattern: "/v1/withdrawals",
      handle: () => ok(view.openWithdrawals().map((withdrawal) => withdrawalBody(view, withdrawal))),
    },
    {
      method: "GET",
      pattern: "/v1/withdrawals/:withdrawal",
      handle: (request) => ok(withdrawalBody(view, findWithdrawal(view, request))),
    },
    step("approve", async (request) => {
      const { withdrawalId } = findWithdrawal(view, request);
      return answer(view, await carryOut(node, { type: "approveWithdrawal", withdrawalId, by: request.by }));
    }),
    step("reject", async (request) => {
      const { withdrawalId } = findWithdrawal(view, request);
      const { why } = parseWith(whySchema, request.body);
      return answer(view, await carryOut(node, { type: "rejectWithdrawal", withdrawalId, why, by: request.by }));
    }),
    step("cancel", async (request) => {
      const { withdrawalId, accountId } = findWithdrawal(view, request);
      return answer(view, await carryOut(node, { type: "cancelWithdrawal", withdrawalId, accountId, by: request.by }));
    }),
    step("raise-fee", async (request) => {
      const withdrawal = findWithdrawal(view, request);
      const { withdrawalId, network } = withdrawal;
      await node.controls.raiseFee(network, withdrawalId, request.by);
      return ok(withdrawalBody(view, withdrawal));
    }),
    step("fail", (request) => fail(node, request)),
    step("done", (request) => complete(node, request)),
  ];
}

/**
 * A transaction that was signed may still be mined: then the coins would leave and the customer keep them too. The
 * exchange refuses that in the entry itself, for the node may be signing at this moment.
 */
async function fail(node: AdminNode, request: AdminRequest): Promise<Answer> {
  const withdrawal = findWithdrawal(node.view, request);
  const { withdrawalId, network } = withdrawal;
  const { why } = parseWith(whySchema, request.body);
  const control = node.controls.manual(network);
  const { by } = request;
  if (control === undefined) await carryOut(node, { type: "failWithdrawal", withdrawalId, why, by });
  else await control.failWithdrawal(withdrawalId, why, by);
  return ok({ ...withdrawalBody(node.view, withdrawal), status: "failed", why });
}

/** An operator has paid it. */
async function complete(node: AdminNode, request: AdminRequest): Promise<Answer> {
  const withdrawal = findWithdrawal(node.view, request);
  const { txId } = parseWith(doneSchema, request.body);
  await manualControl(node, withdrawal.network).completeWithdrawal(withdrawal.withdrawalId, txId, request.by);
  return ok({ ...withdrawalBody(node.view, withdrawal), status: "completed", txId });
}

function findWithdrawal(view: EngineView, { path }: AdminRequest): Readonly<WithdrawalRecord> {
  const withdrawal = view.withdrawal(path["withdrawal"] ?? "");
  if (withdrawal === undefined) throw refusalOf("UNKNOWN_WITHDRAWAL");
  return withdrawal;
}

function answer(view: EngineView, events: readonly Event[]): Answer {
  const changed = events.find((event) => event.type === "withdrawalChanged");
  if (changed === undefined) return ok({});
  const { withdrawal, status, txId, why } = changed;
  return ok({ ...withdrawalBody(view, withdrawal), status, txId, ...(why === "" ? {} : { why }) });
}

/** Without what only the chain and the link need. */
function withdrawalBody(view: EngineView, withdrawal: Readonly<WithdrawalRecord>): object {
  const { assetId, amount, fee, confirmationHash: _hash, signedTx: _tx, ...record } = withdrawal;
  const { asset, precision } = view.asset(assetId).spec;
  const decimal = (units: bigint): string => formatDecimal(units, precision);
  return { ...record, asset, amount: decimal(amount), fee: decimal(fee), arrives: decimal(amount - fee) };
}
