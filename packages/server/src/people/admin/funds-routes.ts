/** Routes of manual deposits and debits, and of adjustments between a customer and a house account. */
import {
  type Command,
  ADJUSTMENT_CATEGORIES,
  type EngineView,
  formatDecimal,
  HOUSE_ACCOUNTS,
  parseDecimal,
} from "@pricetime/engine";
import { z } from "zod";
import { assetName, decimal, text } from "../../platform/config/listing-schema.ts";
import { type Answer, created, ok } from "../http/answer.ts";
import { listRoute, newestPage } from "./list-route.ts";
import { type AdminNode, fromHistory } from "./node.ts";
import { type Booked, bookedMove, carryOutOnce, isBooked } from "./once.ts";
import {
  accountName,
  findAccount,
  findAsset,
  findHolder,
  MAX_PAGE,
  newestSchema,
  sentence,
  VENUE_ACCOUNTS,
} from "./parse.ts";
import { type AdminRoute, route } from "./router.ts";
import { propose } from "./approval-routes.ts";
import { adjustmentRow, houseBalance } from "./answers.ts";

const moveSchema = z.strictObject({
  /** A customer's account, or a house account: `treasury`, `dust`, `fees`. */
  account: accountName,
  asset: text,
  amount: decimal,
  reference: text,
});

export function fundsRoutes(node: AdminNode): AdminRoute[] {
  const moves = (["deposit", "debit"] as const).map((type) =>
    route({
      endpoint: `POST /v1/${type}s`,
      needs: "money",
      summary: `${type === "deposit" ? "Credits" : "Debits"} an account, once per reference.`,
      answers:
        "The booking, also for an equal repeat. 409 `REPEAT_DIFFERS` with `record`: the reference was used with different contents.",
      status: 201,
      body: moveSchema,
      handle: async ({ body: { account, ...move }, by }) => {
        const accountId = findHolder(node.view, account);
        findAsset(node.view, move.asset);
        return moveOnce(node, { type, accountId, ...move, by });
      },
    }),
  );
  const venue = listRoute({
    pattern: "/v1/house-accounts",
    summary: "Lists the balances of the house accounts: fees, treasury, dust.",
    row: houseBalance,
    page: () => ({ rows: venueBalances(node.view) }),
  });
  return [...moves, venue];
}

async function moveOnce(node: AdminNode, command: Command<"deposit"> | Command<"debit">): Promise<Answer> {
  const { view } = node;
  const { accountId, asset, reference } = command;
  const events = await carryOutOnce(node, command, () => bookedMove(node, reference));
  const moved = events?.find((event) => event.type === "balanceMoved");
  const { precision } = findAsset(view, asset).spec;
  // A repeat produces no event. Its amount equals the booked one, except for trailing zeros.
  const units = moved?.amount ?? parseDecimal(command.amount, precision) ?? 0n;
  const amount = formatDecimal(units < 0n ? -units : units, precision);
  return created({ accountId, asset, amount, reference, free: freeOf(view, accountId, asset) });
}

function freeOf(view: EngineView, accountId: number, name: string): string {
  const { assetId, spec } = findAsset(view, name);
  return formatDecimal(view.balance(accountId, assetId).free, spec.precision);
}

/** Balances of the house accounts. If the treasury is negative, the venue owes its customers more than it has. */
function venueBalances(view: EngineView): object[] {
  return Object.entries(VENUE_ACCOUNTS).flatMap(([account, accountId]) =>
    view.assets().flatMap(({ assetId, spec }) => {
      const { free } = view.balance(accountId, assetId);
      return free === 0n ? [] : [{ account, asset: spec.asset, free: formatDecimal(free, spec.precision) }];
    }),
  );
}

// Adjustments are transfers between a customer and a house account, and require dual approval.

const adjustmentSchema = z.strictObject({
  asset: assetName,
  /** credit: the customer receives the amount; debit: the customer pays it. */
  direction: z.enum(["credit", "debit"]),
  amount: decimal,
  /** The house account on the other side of the transfer. */
  house: z.enum(HOUSE_ACCOUNTS),
  category: z.enum(ADJUSTMENT_CATEGORIES),
  why: sentence,
  /** Each reference can be used for one transfer. */
  reference: text,
});

export function adjustmentRoutes(node: AdminNode): AdminRoute[] {
  const { view, history } = node;
  return [
    listRoute({
      pattern: "/v1/adjustments",
      summary:
        "Lists adjustments, newest first, of one account or all. A negative amount was debited from the account.",
      query: newestSchema.extend({ account: z.string().exactOptional() }),
      row: adjustmentRow,
      filePage: { limit: MAX_PAGE },
      page: async ({ query: { account, before, limit } }) => {
        const accountId = account === undefined ? undefined : findAccount(view, account).accountId;
        const question = { accountId, beforeSeq: before, limit };
        return newestPage(await fromHistory(history.query(view.seq, "adjustments", question)), limit);
      },
    }),
    route({
      endpoint: "POST /v1/accounts/:account/adjustments",
      needs: "any",
      summary:
        "Requests an adjustment: a transfer between a customer and a house account, which another operator must approve.",
      answers:
        "`request`: the approval request. Nothing has moved yet. For a repeat of a completed adjustment, with status 200: the " +
        "adjustment. 409 `REPEAT_DIFFERS` with `record`: the reference was used with different contents.",
      status: 202,
      body: adjustmentSchema,
      handle: async ({ path, body, by, caller }) => {
        const { accountId } = findAccount(view, path.account);
        findAsset(view, body.asset);
        const act: Command<"adjust"> = { type: "adjust", accountId, ...body, by };
        const booked = (): Promise<Booked> => bookedMove(node, body.reference);
        if (await isBooked(node, act, booked)) return ok(await booked());
        return propose(node, act, body.why, caller);
      },
    }),
  ];
}
