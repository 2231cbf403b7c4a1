/** Routes of open withdrawals, and of operators' decisions about them. */
import type { EngineView, Event, Right, WithdrawalRecord } from "@pricetime/engine";
import { z } from "zod";
import { text } from "../../platform/config/listing-schema.ts";
import { carriedText } from "../../history/shapes/amounts.ts";
import { type Answer, ok, refusalOf } from "./answer.ts";
import { manualControl } from "./deposit-routes.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { openWithdrawalsSchema, pageOfOpenWithdrawals } from "./open-withdrawals.ts";
import { MAX_PAGE, pageSchema } from "./parse.ts";
import { type AdminRequest, type Route, route } from "./router.ts";

const WITHDRAWAL_COLUMNS = [
  ...["withdrawalId", "accountId", "asset", "network", "address", "tag", "amount", "fee", "arrives", "name"],
  ...[
    "withdrawOrderId",
    "applyTimeMs",
    "needsApproval",
    "approvalReasons",
    "isSuspended",
    "status",
    "updateTimeMs",
    "txId",
    "nonce",
    "txIds",
    "by",
  ],
] as const;

const listSchema = openWithdrawalsSchema.extend({ limit: pageSchema.shape.limit });
const whySchema = z.strictObject({ why: text });
const doneSchema = z.strictObject({ txId: text });

export function withdrawalRoutes(node: AdminNode): Route[] {
  const { view } = node;
  const step = (name: string, needs: Right = "money"): Pick<Route, "method" | "pattern" | "needs"> => ({
    method: "POST",
    pattern: `/v1/withdrawals/:withdrawal/${name}`,
    needs,
  });
  return [
    listRoute({
      pattern: "/v1/withdrawals",
      summary: "Lists pending withdrawals, oldest first, one page at a time.",
      answers: "A list of withdrawals. For the next page set `after` to `applyTimeMs.withdrawalId` of the last one.",
      query: listSchema,
      columns: WITHDRAWAL_COLUMNS,
      filePage: { limit: MAX_PAGE },
      page: ({ asked }) => {
        const { withdrawals, next } = pageOfOpenWithdrawals(node, asked);
        return { rows: withdrawals.map((withdrawal) => withdrawalBody(view, withdrawal)), next };
      },
    }),
    route({
      method: "GET",
      pattern: "/v1/withdrawals/:withdrawal",
      needs: "view",
      summary: "Returns a pending withdrawal.",
      handle: (request) => ok(withdrawalBody(view, findWithdrawal(view, request))),
    }),
    route({
      ...step("approve"),
      summary: "Approves a withdrawal that awaits approval.",
      handle: async (request) => {
        const { withdrawalId } = findWithdrawal(view, request);
        return answer(view, await carryOut(node, { type: "approveWithdrawal", withdrawalId, by: request.by }));
      },
    }),
    route({
      ...step("reject"),
      summary: "Rejects a withdrawal that awaits approval. The amount is returned to the customer's free balance.",
      body: whySchema,
      handle: async ({ body: { why }, ...request }) => {
        const { withdrawalId } = findWithdrawal(view, request);
        return answer(view, await carryOut(node, { type: "rejectWithdrawal", withdrawalId, why, by: request.by }));
      },
    }),
    route({
      ...step("cancel", "customers"),
      summary: "Cancels a withdrawal on behalf of the customer.",
      handle: async (request) => {
        const { withdrawalId, accountId } = findWithdrawal(view, request);
        return answer(
          view,
          await carryOut(node, { type: "cancelWithdrawal", withdrawalId, accountId, by: request.by }),
        );
      },
    }),
    route({
      ...step("raise-fee"),
      summary: "Raises the network fee: signs a stuck payment again with a higher fee.",
      handle: async (request) => {
        const withdrawal = findWithdrawal(view, request);
        const { withdrawalId, network } = withdrawal;
        await node.controls.raiseFee(network, withdrawalId, request.by);
        return ok(withdrawalBody(view, view.funds.withdrawal(withdrawalId) ?? withdrawal));
      },
    }),
    route({
      ...step("fail"),
      summary: "Marks a withdrawal as failed. The amount is returned to the customer's free balance.",
      body: whySchema,
      handle: (request) => fail(node, request, request.body.why),
    }),
    route({
      ...step("complete"),
      summary: "Marks a withdrawal on a manual network as paid, with the ID of its transaction.",
      body: doneSchema,
      handle: (request) => complete(node, request, request.body.txId),
    }),
  ];
}

/**
 * A transaction that was signed may still be mined: then the coins would leave and the customer would keep them too.
 * The engine refuses this when it applies the command, because the node may be signing at this moment.
 */
async function fail(node: AdminNode, request: Named, why: string): Promise<Answer> {
  const { withdrawalId, network } = findWithdrawal(node.view, request);
  const control = node.controls.manual(network);
  const { by } = request;
  const events =
    control === undefined
      ? await carryOut(node, { type: "failWithdrawal", withdrawalId, why, by })
      : await control.failWithdrawal(withdrawalId, why, by);
  return answer(node.view, events);
}

/** Records that an operator has paid the withdrawal. */
async function complete(node: AdminNode, request: Named, txId: string): Promise<Answer> {
  const { withdrawalId, network } = findWithdrawal(node.view, request);
  const events = await manualControl(node, network).completeWithdrawal(withdrawalId, txId, request.by);
  return answer(node.view, events);
}

type Named = Pick<AdminRequest, "path" | "by">;

function findWithdrawal(view: EngineView, { path }: Named): WithdrawalRecord {
  const withdrawal = view.funds.withdrawal(path["withdrawal"] ?? "");
  if (withdrawal === undefined) throw refusalOf("UNKNOWN_WITHDRAWAL");
  return withdrawal;
}

function answer(view: EngineView, events: readonly Event[]): Answer {
  const changed = events.find((event) => event.type === "withdrawalChanged");
  if (changed === undefined) return ok({});
  const { withdrawal, status, txId, why } = changed;
  return ok({ ...withdrawalBody(view, withdrawal), status, txId, ...(why === "" ? {} : { why }) });
}

/** The withdrawal without the fields that only the chain, the link and the approval need. */
function withdrawalBody(view: EngineView, withdrawal: WithdrawalRecord): object {
  const { assetId, amount, fee, approvalReasons = [], ...rest } = withdrawal;
  const { confirmationHash: _hash, signedTx: _tx, accountSum24h: _sum, ...record } = rest;
  const { spec } = view.asset(assetId);
  const { asset } = spec;
  const decimal = (units: bigint): string => carriedText(spec, "withdrawStep", units, record.network);
  const isSuspended = view.venue.stopsWithdrawing(asset, record.network, view.timeMs);
  const amounts = { amount: decimal(amount), fee: decimal(fee), arrives: decimal(amount - fee) };
  return { ...record, approvalReasons, isSuspended, asset, ...amounts };
}
