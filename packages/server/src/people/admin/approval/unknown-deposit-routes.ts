/** Routes of unattributed deposits: deposits without an owner, and how operators resolve them. */
import { type Event, type SettleUnknownDeposit, UNKNOWN_DEPOSIT_REASONS } from "@pricetime/engine";
import { z } from "zod";
import { assetName, decimal, text } from "../../../platform/config/listing-schema.ts";
import { UNKNOWN_DEPOSIT_STATUSES } from "../../../history/port.ts";
import { AdminRefusal, type Answer, created, ok, refusalOf } from "../answer.ts";
import { MAX_OUTPUT } from "../deposit-routes.ts";
import { fromHistory } from "../from-history.ts";
import { asAsset, unknownName } from "../known-names.ts";
import { listRoute } from "../list-route.ts";
import type { AdminNode } from "../node.ts";
import { type Booked, bookedDeposit, carryOutOnce, isBooked } from "../once.ts";
import { accountName, findAccount, findAsset, MAX_PAGE, newestSchema, sentence } from "../parse.ts";
import { propose } from "./propose.ts";
import { type Asked, type Route, route } from "../router.ts";

const COLUMNS = [
  ...["seq", "seenMs", "network", "txId", "output", "address", "tag", "asset", "amount", "reason", "status"],
  ...["accountId", "why", "updateTimeMs"],
] as const;

const coinSchema = z.strictObject({ txId: text, output: z.int().min(0).max(MAX_OUTPUT).default(0) });
const noteSchema = coinSchema.extend({
  address: text,
  tag: z.union([z.literal(""), text]).default(""),
  /** An asset, or the contract of a token that is not listed. */
  asset: text,
  /** A decimal for a listed asset; whole units for any other. */
  amount: text,
  reason: z.enum(UNKNOWN_DEPOSIT_REASONS).default("other"),
});
const settleSchema = coinSchema.extend({
  network: text,
  /** credit: to an account; keep: to the treasury; dismiss: nothing is booked. */
  how: z.enum(["credit", "keep", "dismiss"]),
  /** For `credit`. */
  toAccount: accountName.exactOptional(),
  /** For `credit` and `keep`: the asset and the amount to be booked. */
  asset: assetName.exactOptional(),
  amount: decimal.exactOptional(),
  why: sentence,
});

export function unknownDepositRoutes(node: AdminNode): Route[] {
  const { view, history } = node;
  return [
    listRoute({
      pattern: "/v1/unattributed-deposits",
      summary:
        "Lists unattributed deposits, newest first: the unresolved ones (`seen`), those of another status, or all.",
      query: newestSchema.extend({ status: z.enum([...UNKNOWN_DEPOSIT_STATUSES, "all"]).default("seen") }),
      columns: COLUMNS,
      filePage: { limit: MAX_PAGE },
      page: async ({ asked: { status, before, limit } }) => {
        const wanted = status === "all" ? undefined : status;
        const question = { status: wanted, beforeSeq: before, limit };
        const rows = await fromHistory(history.unknownDeposits(view.seq, question));
        const last = rows.at(-1);
        return { rows: rows.map(depositBody), next: last && rows.length === limit ? { before: last.seq } : undefined };
      },
    }),
    route({
      method: "POST",
      pattern: "/v1/networks/:network/unattributed-deposits",
      needs: "money",
      summary: "Records an unattributed deposit that the node cannot see, for example on a manual network.",
      answers: "The deposit as recorded. 409 `REPEAT_DIFFERS` with `record`: it is recorded with different contents.",
      status: 201,
      body: noteSchema,
      handle: ({ path, body, by }) => note(node, path["network"] ?? "", body, by),
    }),
    route({
      method: "POST",
      pattern: "/v1/unattributed-deposits/resolve",
      needs: "any",
      summary:
        "Resolves an unattributed deposit: credits it to an account, keeps it in the treasury, or dismisses it. Crediting and keeping create an approval request.",
      answers:
        "`request`: the approval request. For a dismissed deposit, or one that was already resolved in the same way, with status " +
        "200: the deposit. 409 `REPEAT_DIFFERS` with `record`: it was resolved differently.",
      status: 202,
      body: settleSchema,
      handle: (request) => settle(node, request),
    }),
  ];
}

async function note(node: AdminNode, network: string, body: z.output<typeof noteSchema>, by: string): Promise<Answer> {
  const { view, wallet } = node;
  const listed = view.assets().flatMap(({ spec }) => spec.networks.map((one) => one.network));
  const known = [...new Set([...listed, ...wallet.networks().map((one) => one.network)])];
  if (!known.includes(network)) {
    throw unknownName("UNKNOWN_NETWORK", "network", network, known, asAsset(view, network));
  }
  const coin = { network, txId: body.txId, output: body.output };
  const { asset, ...rest } = body;
  const command = { type: "noteUnknownDeposit", network, ...rest, coin: asset, by } as const;
  const events = await carryOutOnce(node, command, () => bookedDeposit(node, coin));
  return created(events === null ? await bookedDeposit(node, coin) : depositOf(events));
}

async function settle(node: AdminNode, { body, by, asker }: Asked<typeof settleSchema, z.ZodType>): Promise<Answer> {
  const { network, txId, output, how, why } = body;
  const coin = { network, txId, output };
  const isOver = node.view.venue.unknownDeposit(coin) === undefined;
  if (isOver && !node.view.venue.isNoted(coin)) throw refusalOf("UNKNOWN_DEPOSIT");
  const { toAccountId, asset, amount } = takenBy(node, body);
  const act: SettleUnknownDeposit = {
    ...{ type: "settleUnknownDeposit", network, txId, output, how },
    ...{ toAccountId, asset, amount, why, by },
  };
  const booked = (): Promise<Booked> => bookedDeposit(node, coin);
  if (isOver && (await isBooked(node, act, booked))) return ok(await booked());
  if (how !== "dismiss") return propose(node, act, why, asker);
  const events = await carryOutOnce(node, act, booked);
  return ok(events === null ? await booked() : depositOf(events));
}

/** Whose it becomes, and as what. Each way to settle has fields of its own. */
function takenBy(
  { view }: AdminNode,
  { how, toAccount, asset, amount }: z.output<typeof settleSchema>,
): Pick<SettleUnknownDeposit, "toAccountId" | "asset" | "amount"> {
  const isTaken = how !== "dismiss";
  const fits = (value: unknown, isWanted: boolean): boolean => (value !== undefined) === isWanted;
  if (!fits(toAccount, how === "credit") || !fits(asset, isTaken) || !fits(amount, isTaken)) {
    const message =
      "`credit` requires toAccount, asset and amount; `keep` requires asset and amount; `dismiss` none of them.";
    throw new AdminRefusal(400, "BAD_REQUEST", message);
  }
  if (asset !== undefined) findAsset(view, asset);
  const toAccountId = toAccount === undefined ? null : findAccount(view, toAccount).accountId;
  return { toAccountId, asset: asset ?? null, amount: amount ?? null };
}

/** The deposit as answers show it. */
function depositBody<Deposit extends { readonly coin: string }>({ coin, ...deposit }: Deposit): object {
  return { ...deposit, asset: coin };
}

function depositOf(events: readonly Event[]): object {
  const changed = events.find((event) => event.type === "unknownDepositChanged");
  if (changed === undefined) return {};
  const { deposit, status, why } = changed;
  return depositBody({ ...deposit, status, why });
}
