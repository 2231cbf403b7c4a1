/** Routes for money that operators pay in and out by hand, and for adjustments between a customer and a house account. */
import { type Debit, type Deposit, type EngineView, formatDecimal, parseDecimal } from "@pricetime/engine";
import { z } from "zod";
import { decimal, text } from "../../platform/config/listing-schema.ts";
import { type Answer, created } from "./answer.ts";
import { listRoute } from "./list-route.ts";
import type { AdminNode } from "./node.ts";
import { bookedMove, carryOutOnce } from "./once.ts";
import { accountName, findAsset, findHolder, VENUE_ACCOUNTS } from "./parse.ts";
import { type Route, route } from "./router.ts";

const moveSchema = z.strictObject({
  /** A customer's account, or a house account: `treasury`, `dust`, `fees`. */
  account: accountName,
  asset: text,
  amount: decimal,
  reference: text,
});

export function fundsRoutes(node: AdminNode): Route[] {
  const moves = (["deposit", "debit"] as const).map((type) =>
    route({
      method: "POST",
      pattern: `/v1/${type}s`,
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
    columns: ["account", "asset", "free"],
    page: () => ({ rows: venueBalances(node.view) }),
  });
  return [...moves, venue];
}

async function moveOnce(node: AdminNode, command: Deposit | Debit): Promise<Answer> {
  const { view } = node;
  const { accountId, asset, reference } = command;
  const events = await carryOutOnce(node, command, () => bookedMove(node, reference));
  const moved = events?.find((event) => event.type === "balanceMoved");
  const { precision } = findAsset(view, asset).spec;
  // The engine has compared an equal repeat with what is booked: it says the same, perhaps with fewer zeros.
  const units = moved?.amount ?? parseDecimal(command.amount, precision) ?? 0n;
  const amount = formatDecimal(units < 0n ? -units : units, precision);
  return created({ accountId, asset, amount, reference, free: freeOf(view, accountId, asset) });
}

function freeOf(view: EngineView, accountId: number, name: string): string {
  const { assetId, spec } = findAsset(view, name);
  return formatDecimal(view.balance(accountId, assetId).free, spec.precision);
}

/** The balances of the venue's own accounts. With a treasury below zero the venue owes its customers. */
function venueBalances(view: EngineView): object[] {
  return Object.entries(VENUE_ACCOUNTS).flatMap(([account, accountId]) =>
    view.assets().flatMap(({ assetId, spec }) => {
      const { free } = view.balance(accountId, assetId);
      return free === 0n ? [] : [{ account, asset: spec.asset, free: formatDecimal(free, spec.precision) }];
    }),
  );
}
