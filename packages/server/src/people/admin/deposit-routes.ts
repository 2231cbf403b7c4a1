/**
 * Routes of deposits: deposit addresses, pending deposits, operators' reports on manual networks, and unattributed
 * deposits.
 */
import {
  type Command,
  type CoinId,
  type DepositContents,
  type DepositRecord,
  type Event,
  formatDecimal,
  UNKNOWN_DEPOSIT_REASONS,
} from "@pricetime/engine";
import { z } from "zod";
import { assetName, decimal, text } from "../../platform/config/listing-schema.ts";
import { ActRefused, type ManualControl } from "../../funds/wallet/port.ts";
import { type Answer, badRequest, created, ok, Rejection } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import {
  accountName,
  findAccount,
  findAsset,
  findHolder,
  findNetwork,
  knownNetworks,
  MAX_PAGE,
  newestSchema,
  sentence,
  availableNames,
} from "./parse.ts";
import { listRoute, newestPage } from "./list-route.ts";
import { type AdminNode, fromHistory } from "./node.ts";
import {
  type Booked,
  bookedDeposit,
  carryOutOnce,
  depositBody,
  isBooked,
  isDifferentRepeat,
  withRecord,
} from "./once.ts";
import { type AdminRoute, type Asked, route } from "./router.ts";
import { UNKNOWN_DEPOSIT_STATUSES } from "../../history/port.ts";
import { carriedText } from "../../history/shapes/amounts.ts";
import { propose } from "./approval-routes.ts";
import { depositRow, pastDepositRow, unattributedDepositRow } from "./answers.ts";

const MAX_OUTPUT = 1_000_000;
const addressSchema = z.strictObject({ network: text });
const listSchema = z.strictObject({ network: text.exactOptional() });
const coinSchema = z.strictObject({ txId: text, output: z.int().min(0).max(MAX_OUTPUT).default(0) });

/** A payment to a deposit address. `account` stands for the account's address on the network. */
export const paymentSchema = z.strictObject({
  asset: assetName,
  amount: decimal,
  account: accountName.exactOptional(),
  address: text.exactOptional(),
  tag: z.union([z.literal(""), text]).default(""),
});
const reportSchema = paymentSchema.extend({
  ...coinSchema.shape,
  status: z.enum(["pending", "credited", "success"]).default("pending"),
});

const dropSchema = coinSchema.extend(paymentSchema.partial({ asset: true, amount: true }).shape);

export function depositRoutes(node: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "POST /v1/accounts/:account/deposit-addresses",
      needs: "customers",
      summary: "Returns the deposit address of an account on a network. Creates one if none exists.",
      status: 201,
      body: addressSchema,
      handle: async ({ path, body }) => {
        const accountId = findHolder(node.view, path.account);
        return created(await node.wallet.depositAddress(accountId, body.network));
      },
    }),
    listRoute({
      pattern: "/v1/pending-deposits",
      summary: "Lists pending deposits (not final yet), of one network or all.",
      query: listSchema,
      row: depositRow,
      page: ({ query }) => ({ rows: listOpen(node, query.network) }),
    }),
    listRoute({
      pattern: "/v1/deposit-history",
      summary: "Lists the deposits of all accounts, pending and final, newest first.",
      query: newestSchema,
      row: pastDepositRow,
      filePage: { limit: MAX_PAGE },
      page: async ({ query: { before, limit } }) => {
        const question = { beforeSeq: before, limit };
        const rows = await fromHistory(node.history.query(node.view.seq, "depositsOfVenue", question));
        return newestPage(
          rows.map(({ depositId: _id, assetId, ...row }) => {
            const { spec } = node.view.asset(assetId);
            return { ...row, asset: spec.asset, amount: carriedText(spec, "depositStep", row.amount, row.network) };
          }),
          limit,
        );
      },
    }),
    route({
      endpoint: "POST /v1/networks/:network/deposits",
      needs: "money",
      summary:
        "Reports a deposit on a manual network. Repeated reports of the same deposit must have the same contents.",
      answers: "The deposit as recorded. 409 `REPEAT_DIFFERS` with `record`: it is recorded with different contents.",
      status: 201,
      body: reportSchema,
      handle: ({ path, body, by }) => report(node, path.network, body, by),
    }),
    route({
      endpoint: "POST /v1/networks/:network/deposits/drop",
      needs: "money",
      summary:
        "Drops a reported deposit that never arrived or is no longer on the network. It can then be reported with different contents.",
      answers: "The deposit with the status `dropped`. Contents in the request must equal the recorded ones.",
      body: dropSchema,
      handle: ({ path, body, by }) => drop(node, path.network, body, by),
    }),
  ];
}

function listOpen(node: AdminNode, network: string | undefined): object[] {
  const { view } = node;
  const wanted = network === undefined ? knownNetworks(node) : [findNetwork(node, network)];
  return wanted.flatMap((name) => view.funds.openDeposits(name).map((deposit) => depositBody(view, deposit)));
}

async function report(
  node: AdminNode,
  network: string,
  { status, txId, output, ...payment }: z.output<typeof reportSchema>,
  by: string,
): Promise<Answer> {
  const control = manualControl(node, network);
  const id = { network, txId, output };
  const coin = { txId, output, ...(await receiverOf(node, network, payment)) };
  await comparing(node, id, () => control.reportCoin(coin, status, by));
  return created(await bookedDeposit(node, id));
}

async function drop(
  node: AdminNode,
  network: string,
  { txId, output, asset, amount, ...receiver }: z.output<typeof dropSchema>,
  by: string,
): Promise<Answer> {
  const control = manualControl(node, network);
  const id = { network, txId, output };
  const dropped = ok({ ...id, status: "dropped", by });
  const isNamed = asset !== undefined && amount !== undefined;
  if (!isNamed && (asset ?? amount ?? receiver.account ?? receiver.address) !== undefined) {
    throw badRequest("send asset, amount and the receiver together, or none of them");
  }
  const open = node.view.funds.openDeposit(id);
  if (!isNamed && open === undefined && node.view.funds.isDropped(id)) return dropped;
  const named = isNamed ? await receiverOf(node, network, { asset, amount, ...receiver }) : undefined;
  const contents = named ?? (open && contentsOf(node, open));
  // Without a record, the contents are unknown. The command is sent anyway, so that the engine returns the reason.
  const coin = { txId, output, ...(contents ?? { asset: "", amount: "", address: "-", tag: "" }) };
  await comparing(node, id, () => control.dropCoin(coin, by));
  return dropped;
}

/** The recorded contents of the deposit. */
function contentsOf({ view }: AdminNode, { assetId, amount, address, tag }: DepositRecord): DepositContents {
  const { asset, precision } = view.asset(assetId).spec;
  return { asset, amount: formatDecimal(amount, precision, precision), address, tag };
}

/** If a report differs from the recorded deposit, adds the record to the rejection. */
async function comparing(node: AdminNode, coin: CoinId, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof ActRefused) || !isDifferentRepeat(error.reason)) throw error;
    throw await withRecord(error.reason, () => bookedDeposit(node, coin));
  }
}

/** Returns the payment with the address it goes to. Throws `Rejection` or `NoSuchNetwork`. */
export async function receiverOf(
  node: AdminNode,
  network: string,
  { account, address, tag, ...money }: z.output<typeof paymentSchema>,
): Promise<{ asset: string; amount: string; address: string; tag: string }> {
  if (address !== undefined && account === undefined) return { ...money, address, tag };
  if (account === undefined || address !== undefined || tag !== "") {
    throw badRequest("send either account, or address with its tag");
  }
  const known = await node.wallet.depositAddress(findHolder(node.view, account), network);
  return { ...money, address: known.address, tag: known.tag };
}

/**
 * The operators' control of a manual network. Throws `Rejection` for other networks, whose deposits are read from the
 * chain.
 */
export function manualControl(
  { controls, wallet }: Pick<AdminNode, "controls" | "wallet">,
  network: string,
): ManualControl {
  const control = controls.manual(network);
  if (control !== undefined) return control;
  const manual = wallet.networks().filter(({ kind }) => kind === "manual");
  const known = manual.map((one) => one.network);
  const message = `${network} is not a manual network of this node. ${availableNames(network, known)}`;
  throw new Rejection(409, "NOT_BY_HAND", message);
}

// Unattributed deposits.

const noteSchema = coinSchema.extend({
  address: text,
  tag: z.union([z.literal(""), text]).default(""),
  /** A listed asset, or the contract of an unlisted token. */
  asset: text,
  /** A decimal for a listed asset, otherwise an integer in the token's smallest units. */
  amount: text,
  reason: z.enum(UNKNOWN_DEPOSIT_REASONS).default("other"),
});
const settleSchema = coinSchema.extend({
  network: text,
  /** credit: book to an account; keep: book to the treasury; dismiss: book nothing. */
  how: z.enum(["credit", "keep", "dismiss"]),
  /** Only with `credit`. */
  toAccount: accountName.exactOptional(),
  /** Only with `credit` and `keep`: asset and amount to book. */
  asset: assetName.exactOptional(),
  amount: decimal.exactOptional(),
  why: sentence,
});

export function unknownDepositRoutes(node: AdminNode): AdminRoute[] {
  const { view, history } = node;
  return [
    listRoute({
      pattern: "/v1/unattributed-deposits",
      summary:
        "Lists unattributed deposits, newest first: the unresolved ones (`seen`), those of another status, or all.",
      query: newestSchema.extend({ status: z.enum([...UNKNOWN_DEPOSIT_STATUSES, "all"]).default("seen") }),
      row: unattributedDepositRow,
      filePage: { limit: MAX_PAGE },
      page: async ({ query: { status, before, limit } }) => {
        const wanted = status === "all" ? undefined : status;
        const question = { status: wanted, beforeSeq: before, limit };
        const rows = await fromHistory(history.query(view.seq, "unknownDeposits", question));
        return newestPage(rows.map(withAsset), limit);
      },
    }),
    route({
      endpoint: "POST /v1/networks/:network/unattributed-deposits",
      needs: "money",
      summary: "Records an unattributed deposit that the node cannot see, for example on a manual network.",
      answers: "The deposit as recorded. 409 `REPEAT_DIFFERS` with `record`: it is recorded with different contents.",
      status: 201,
      body: noteSchema,
      handle: ({ path, body, by }) => note(node, path.network, body, by),
    }),
    route({
      endpoint: "POST /v1/unattributed-deposits/resolve",
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
  const coin = { network: findNetwork(node, network), txId: body.txId, output: body.output };
  const { asset, ...rest } = body;
  const command = { type: "noteUnknownDeposit", network, ...rest, coin: asset, by } as const;
  const events = await carryOutOnce(node, command, () => bookedDeposit(node, coin));
  return created(events === null ? await bookedDeposit(node, coin) : depositOf(events));
}

async function settle(node: AdminNode, { body, by, caller }: Asked<typeof settleSchema>): Promise<Answer> {
  const { network, txId, output, how, why } = body;
  const coin = { network, txId, output };
  const isOver = node.view.venue.unknownDeposit(coin) === undefined;
  if (isOver && !node.view.venue.isNoted(coin)) throw rejectionOf("UNKNOWN_DEPOSIT");
  const { toAccountId, asset, amount } = takenBy(node, body);
  const act: Command<"settleUnknownDeposit"> = {
    ...{ type: "settleUnknownDeposit", network, txId, output, how },
    ...{ toAccountId, asset, amount, why, by },
  };
  const booked = (): Promise<Booked> => bookedDeposit(node, coin);
  if (isOver && (await isBooked(node, act, booked))) return ok(await booked());
  if (how !== "dismiss") return propose(node, act, why, caller);
  const events = await carryOutOnce(node, act, booked);
  return ok(events === null ? await booked() : depositOf(events));
}

/** The account, asset and amount to book. `how` determines which of them are required. Throws `Rejection`. */
function takenBy(
  { view }: AdminNode,
  { how, toAccount, asset, amount }: z.output<typeof settleSchema>,
): Pick<Command<"settleUnknownDeposit">, "toAccountId" | "asset" | "amount"> {
  const isTaken = how !== "dismiss";
  const fits = (value: unknown, isWanted: boolean): boolean => (value !== undefined) === isWanted;
  if (!fits(toAccount, how === "credit") || !fits(asset, isTaken) || !fits(amount, isTaken)) {
    throw badRequest(
      "`credit` requires toAccount, asset and amount; `keep` requires asset and amount; `dismiss` none of them.",
    );
  }
  if (asset !== undefined) findAsset(view, asset);
  const toAccountId = toAccount === undefined ? null : findAccount(view, toAccount).accountId;
  return { toAccountId, asset: asset ?? null, amount: amount ?? null };
}

/** Renames the field `coin` of the deposit to `asset` for the answer. */
function withAsset<Deposit extends { readonly coin: string }>({ coin, ...deposit }: Deposit) {
  return { ...deposit, asset: coin };
}

function depositOf(events: readonly Event[]): object {
  const changed = events.find((event) => event.type === "unknownDepositChanged");
  if (changed === undefined) return {};
  const { deposit, status, why } = changed;
  return withAsset({ ...deposit, status, why });
}
