/** Routes of pending withdrawals and of operators' decisions on them. */
import {
  type EngineView,
  type Event,
  MAX_TEXT_LENGTH,
  OPEN_WITHDRAWAL_STATUSES,
  parseDecimal,
  type Right,
  WITHDRAWAL_STATUSES,
  type WithdrawalRecord,
} from "@pricetime/engine";
import { z } from "zod";
import type { Answer as HistoryAnswer } from "../../history/port.ts";
import { findAccount, findAsset, findNetwork, MAX_PAGE, newestSchema, pageSchema } from "./parse.ts";
import { type AdminNode, carryOut, fromHistory } from "./node.ts";
import { decimal, text } from "../../platform/config/listing-schema.ts";
import { carriedText } from "../../history/shapes/amounts.ts";
import { type Answer, ok } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import { manualControl } from "./deposit-routes.ts";
import { listRoute, newestPage } from "./list-route.ts";
import { type AdminRoute, type Asked, route } from "./router.ts";
import { anyWithdrawal, decidedWithdrawal, pastWithdrawalRow, withdrawalRow } from "./answers.ts";

/** Identifies the last withdrawal of a page, which may have been closed since. */
type Place = Pick<WithdrawalRecord, "applyTimeMs" | "withdrawalId">;
const PLACE = /^([0-9]{1,15})\.(.{1,64})$/;
const textOf = ({ applyTimeMs, withdrawalId }: Place): string => `${applyTimeMs}.${withdrawalId}`;

/** The filters of all lists of pending withdrawals. */
export const openWithdrawalsSchema = z.strictObject({
  status: z.enum(OPEN_WITHDRAWAL_STATUSES).exactOptional(),
  asset: z.string().exactOptional(),
  network: z.string().exactOptional(),
  account: z.string().exactOptional(),
  /** `applyTimeMs.withdrawalId` of the last row on the previous page. */
  after: z
    .string()
    .regex(PLACE, "applyTimeMs.withdrawalId of the last one seen")
    .transform((text): Place => {
      const [, applyTimeMs, withdrawalId = ""] = PLACE.exec(text) ?? [];
      return { applyTimeMs: Number(applyTimeMs), withdrawalId };
    })
    .exactOptional(),
});
type OpenWithdrawals = z.output<typeof openWithdrawalsSchema>;

interface Page {
  readonly withdrawals: readonly WithdrawalRecord[];
  /** The query parameter of the next page; undefined on the last page. */
  readonly next: { readonly after: string } | undefined;
}

/**
 * Returns a page of pending withdrawals. Throws `Rejection` 404 for an account, an asset or a network that does not
 * exist.
 */
export function pageOfOpenWithdrawals(
  node: Pick<AdminNode, "view" | "wallet">,
  { status, asset, network, account, after, limit }: OpenWithdrawals & { readonly limit: number },
): Page {
  const { view } = node;
  const assetId = asset === undefined ? undefined : findAsset(view, asset).assetId;
  if (network !== undefined) findNetwork(node, network);
  const wanted = openOf(view, account).filter(
    (one) =>
      (status === undefined || one.status === status) &&
      (assetId === undefined || one.assetId === assetId) &&
      (network === undefined || one.network === network) &&
      (after === undefined || comparePlaces(one, after) > 0),
  );
  const withdrawals = wanted.toSorted(comparePlaces).slice(0, limit);
  const last = withdrawals.at(-1);
  return { withdrawals, next: last && wanted.length > limit ? { after: textOf(last) } : undefined };
}

function openOf(view: EngineView, account: string | undefined): readonly WithdrawalRecord[] {
  if (account === undefined) return view.funds.openWithdrawals();
  return [...view.funds.openWithdrawalsOf(findAccount(view, account).accountId)];
}

function comparePlaces(a: Place, b: Place): number {
  if (a.applyTimeMs !== b.applyTimeMs) return a.applyTimeMs - b.applyTimeMs;
  return a.withdrawalId < b.withdrawalId ? -1 : a.withdrawalId > b.withdrawalId ? 1 : 0;
}

const listSchema = openWithdrawalsSchema.extend({ limit: pageSchema.shape.limit });
const whySchema = z.strictObject({ why: text });
const doneSchema = z.strictObject({ txId: text });
const approvedSchema = z.strictObject({
  amount: decimal.exactOptional(),
  fee: decimal.exactOptional(),
  address: text.exactOptional(),
  tag: z.string().max(MAX_TEXT_LENGTH).exactOptional(),
});

const step = <const Name extends string>(name: Name, needs: Right = "money") =>
  ({ endpoint: `POST /v1/withdrawals/:withdrawal/${name}`, needs, answer: decidedWithdrawal }) as const;

export function withdrawalRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/withdrawals",
      summary: "Lists pending withdrawals, oldest first, one page at a time.",
      answers: "A list of withdrawals. For the next page set `after` to `applyTimeMs.withdrawalId` of the last one.",
      query: listSchema,
      row: withdrawalRow,
      filePage: { limit: MAX_PAGE },
      page: ({ query }) => {
        const { withdrawals, next } = pageOfOpenWithdrawals(node, query);
        return { rows: withdrawals.map((withdrawal) => withdrawalBody(view, withdrawal)), next };
      },
    }),
    listRoute({
      pattern: "/v1/withdrawal-history",
      summary: "Lists withdrawals that are completed, failed, rejected or canceled, newest request first.",
      query: newestSchema,
      row: pastWithdrawalRow,
      filePage: { limit: MAX_PAGE },
      page: async ({ query: { before, limit } }) => {
        const question = { beforeSeq: before, limit };
        const rows = await fromHistory(node.history.query(view.seq, "closedWithdrawals", question));
        return newestPage(
          rows.map((row) => pastBody(view, row)),
          limit,
        );
      },
    }),
    route({
      endpoint: "GET /v1/withdrawals/:withdrawal",
      needs: "view",
      summary: "Returns a withdrawal.",
      answers: "The withdrawal: a pending one as in the list, a closed one as in its history.",
      answer: anyWithdrawal,
      handle: async (request) => {
        const { withdrawal: id } = request.path;
        const open = view.funds.withdrawal(id);
        if (open !== undefined) return ok(withdrawalBody(view, open));
        const past = await fromHistory(node.history.query(view.seq, "withdrawalById", id));
        if (past === undefined) throw rejectionOf("UNKNOWN_WITHDRAWAL");
        return ok(pastBody(view, past));
      },
    }),
    ...decisionRoutes(node),
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

/** Decisions about withdrawals that are not being paid yet. */
function decisionRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      ...step("approve"),
      summary: "Approves a withdrawal that awaits approval.",
      answers:
        "The withdrawal. Send the amount, fee, address and tag on which you decided: 409 `WITHDRAWAL_DIFFERS` if one of them is " +
        "not the withdrawal's. An approval request with these values is compared again when it is carried out.",
      body: approvedSchema,
      asSchema: (sent) => sent ?? {},
      handle: async ({ body: shown, ...request }) => {
        const { withdrawalId } = findWithdrawal(view, request);
        return answer(
          view,
          await carryOut(node, { type: "approveWithdrawal", withdrawalId, ...shown, by: request.by }),
        );
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
  ];
}

/**
 * Fails a withdrawal. The engine rejects this if the transaction is signed: it could still be mined after the customer
 * was refunded. The engine checks this because the node may be signing at the same time.
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

type Named = Pick<Asked<z.ZodType, "withdrawal">, "path" | "by">;

function findWithdrawal(view: EngineView, { path }: Named): WithdrawalRecord {
  const withdrawal = view.funds.withdrawal(path.withdrawal);
  if (withdrawal === undefined) throw rejectionOf("UNKNOWN_WITHDRAWAL");
  return withdrawal;
}

function answer(view: EngineView, events: readonly Event[]): Answer {
  const changed = events.find((event) => event.type === "withdrawalChanged");
  if (changed === undefined) return ok({});
  const { withdrawal, status, txId, why } = changed;
  return ok({ ...withdrawalBody(view, withdrawal), status, txId, ...(why === "" ? {} : { why }) });
}

type PastRow = HistoryAnswer<"closedWithdrawals">[number];

/** The withdrawal as history stores it, with the amount that left the account. */
function pastBody(
  view: EngineView,
  { assetId, status, ...row }: PastRow,
): { readonly seq: number; readonly [field: string]: unknown } {
  const { spec } = view.asset(assetId);
  const decimal = (units: bigint): string => carriedText(spec, "withdrawStep", units, row.network);
  const unitsOf = (text: string): bigint => parseDecimal(text, spec.precision) ?? 0n;
  const [arrives, fee] = [unitsOf(row.amount), unitsOf(row.fee)];
  const amounts = { amount: decimal(arrives + fee), fee: decimal(fee), arrives: decimal(arrives) };
  return { ...row, ...amounts, asset: spec.asset, status: WITHDRAWAL_STATUSES[status] ?? "" };
}

/** The withdrawal without its internal fields. */
function withdrawalBody(view: EngineView, withdrawal: WithdrawalRecord): object {
  const { assetId, amount, fee, approvalReasons = [], ...rest } = withdrawal;
  const { confirmationHash: _hash, signedTx: _tx, accountSum24h: _sum, ...record } = rest;
  const { spec } = view.asset(assetId);
  const { asset } = spec;
  const decimal = (units: bigint): string => carriedText(spec, "withdrawStep", units, record.network);
  const isSuspended = view.venue.stopsWithdrawing(asset, record.network, view.timeMs);
  const amounts = { amount: decimal(amount), fee: decimal(fee), arrives: decimal(amount - fee) };
  const needsDualApproval = record.status === "awaitingApproval" && view.venue.needsDualApproval(record.withdrawalId);
  return { ...record, approvalReasons, isSuspended, asset, ...amounts, needsDualApproval };
}
