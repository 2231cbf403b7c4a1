/**
 * Routes of deposits: their addresses, those that are not final yet, operators' reports on manual networks, and
 * deposits without an owner.
 */
import { type CoinId, type DepositContents, type DepositRecord, formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { assetName, decimal, text } from "../../platform/config/listing-schema.ts";
import type { ManualControl } from "../../funds/wallet/control.ts";
import { ActRefused } from "../../funds/wallet/port.ts";
import { AdminRefusal, type Answer, created, ok } from "./answer.ts";
import { findNetwork, knownNetworks } from "./find-network.ts";
import { whatThereIs } from "./known-names.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { bookedDeposit, depositBody, isDifferentRepeat, withRecord } from "./once.ts";
import { accountName, findHolder } from "./parse.ts";
import { type Route, route } from "./router.ts";

const DEPOSIT_COLUMNS = [
  ...["depositId", "network", "txId", "output", "accountId", "asset", "amount", "owedToTreasury", "address", "tag"],
  ...["status", "insertTimeMs", "by"],
] as const;

export const MAX_OUTPUT = 1_000_000;
const addressSchema = z.strictObject({ network: text });
const listSchema = z.strictObject({ network: text.exactOptional() });
const coinSchema = z.strictObject({ txId: text, output: z.int().min(0).max(MAX_OUTPUT).default(0) });

/** A payment; `account` selects the deposit address of the account on the network. */
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

export function depositRoutes(node: AdminNode): Route[] {
  return [
    route({
      method: "POST",
      pattern: "/v1/accounts/:account/deposit-addresses",
      needs: "customers",
      summary: "Returns the deposit address of an account on a network. Creates one if none exists.",
      status: 201,
      body: addressSchema,
      handle: async ({ path, body }) => {
        const accountId = findHolder(node.view, path["account"] ?? "");
        return created(await node.wallet.depositAddress(accountId, body.network));
      },
    }),
    listRoute({
      pattern: "/v1/pending-deposits",
      summary: "Lists pending deposits (not final yet), of one network or all.",
      query: listSchema,
      columns: DEPOSIT_COLUMNS,
      page: ({ asked }) => ({ rows: listOpen(node, asked.network) }),
    }),
    route({
      method: "POST",
      pattern: "/v1/networks/:network/deposits",
      needs: "money",
      summary:
        "Reports a deposit on a manual network. Repeated reports of the same deposit must have the same contents.",
      answers: "The deposit as recorded. 409 `REPEAT_DIFFERS` with `record`: it is recorded with different contents.",
      status: 201,
      body: reportSchema,
      handle: ({ path, body, by }) => report(node, path["network"] ?? "", body, by),
    }),
    route({
      method: "POST",
      pattern: "/v1/networks/:network/deposits/drop",
      needs: "money",
      summary:
        "Drops a reported deposit that never arrived or is no longer on the network. It can then be reported with different contents.",
      answers: "The deposit with the status `dropped`. Contents in the request must equal the recorded ones.",
      body: dropSchema,
      handle: ({ path, body, by }) => drop(node, path["network"] ?? "", body, by),
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
    throw new AdminRefusal(400, "BAD_REQUEST", "send asset, amount and the receiver together, or none of them");
  }
  const open = node.view.funds.openDeposit(id);
  if (!isNamed && open === undefined && node.view.funds.isDropped(id)) return dropped;
  const named = isNamed ? await receiverOf(node, network, { asset, amount, ...receiver }) : undefined;
  const contents = named ?? (open && contentsOf(node, open));
  // What is not there has no contents: the exchange says why it cannot be dropped.
  const coin = { txId, output, ...(contents ?? { asset: "", amount: "", address: "-", tag: "" }) };
  await comparing(node, id, () => control.dropCoin(coin, by));
  return dropped;
}

/** As it is booked, so that nothing is dropped but what the operator sees. */
function contentsOf({ view }: AdminNode, { assetId, amount, address, tag }: DepositRecord): DepositContents {
  const { asset, precision } = view.asset(assetId).spec;
  return { asset, amount: formatDecimal(amount, precision, precision), address, tag };
}

/** Adds the record to the rejection of a report that differs from it. */
async function comparing(node: AdminNode, coin: CoinId, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof ActRefused) || !isDifferentRepeat(error.reason)) throw error;
    throw await withRecord(error.reason, () => bookedDeposit(node, coin));
  }
}

/** Returns the payment with its address. Throws `AdminRefusal`, `NoSuchNetwork`. */
export async function receiverOf(
  node: AdminNode,
  network: string,
  { account, address, tag, ...money }: z.output<typeof paymentSchema>,
): Promise<{ asset: string; amount: string; address: string; tag: string }> {
  if (address !== undefined && account === undefined) return { ...money, address, tag };
  if (account === undefined || address !== undefined || tag !== "") {
    throw new AdminRefusal(400, "BAD_REQUEST", "send either account, or address with its tag");
  }
  const known = await node.wallet.depositAddress(findHolder(node.view, account), network);
  return { ...money, address: known.address, tag: known.tag };
}

/** Returns the control of a manual network. Throws `AdminRefusal` for others: deposits on them come from the chain. */
export function manualControl(
  { controls, wallet }: Pick<AdminNode, "controls" | "wallet">,
  network: string,
): ManualControl {
  const control = controls.manual(network);
  if (control !== undefined) return control;
  const manual = wallet.networks().filter(({ kind }) => kind === "manual");
  const known = manual.map((one) => one.network);
  const message = `${network} is not a manual network of this node. ${whatThereIs(network, known)}`;
  throw new AdminRefusal(409, "NOT_BY_HAND", message);
}
