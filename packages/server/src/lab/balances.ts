/** Sets the balances of a lab's accounts by an operator's deposits and debits, without trades. */
import { type AccountView, type Command, type EngineView, formatDecimal, parseDecimal } from "@pricetime/engine";
import { z } from "zod";
import { ok, Rejection } from "../people/http/answer.ts";
import { carryOut } from "../people/admin/node.ts";
import { findAccount, findAsset } from "../people/admin/parse.ts";
import { type AdminRoute, labRoute } from "../people/admin/router.ts";
import { assetName, decimal } from "../platform/config/listing-schema.ts";
import type { Sequencer } from "../journal/sequencer/port.ts";

const MAX_ASSETS_AT_ONCE = 1_000;

const balancesSchema = z
  .record(assetName, decimal)
  .refine((wanted) => Object.keys(wanted).length > 0, "name an asset and its balance")
  .refine((wanted) => Object.keys(wanted).length <= MAX_ASSETS_AT_ONCE, `at most ${MAX_ASSETS_AT_ONCE} assets`);

export interface BalanceParts {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
}

export function balanceRoutes({ view, sequencer }: BalanceParts): AdminRoute[] {
  return [
    labRoute({
      endpoint: "POST /v1/lab/accounts/:account/balances",
      summary: "Sets the free balances of an account. Amounts locked by its orders stay locked.",
      answers:
        "`balances`: `free` and `locked` of each asset. The difference is booked as an operator's deposit or debit. If a value is rejected, nothing is changed.",
      body: balancesSchema,
      handle: async ({ path, body, by }) => {
        const account = findAccount(view, path.account);
        const commands = movesTo(view, account, body).map((move): Command => ({ ...move, by }));
        // All commands are submitted in the same turn, so that no other command runs between them.
        await Promise.all(commands.map((command) => carryOut({ sequencer }, command)));
        const balances = Object.keys(body).map((asset) => [asset, balanceOf(view, account, asset)]);
        return ok({ accountId: account.accountId, balances: Object.fromEntries(balances) });
      },
    }),
  ];
}

type Move = Omit<Extract<Command, { type: "deposit" | "debit" }>, "by">;

/** Returns the deposits and debits that lead to the wanted balances. Throws `Rejection` if a balance is invalid. */
function movesTo(view: EngineView, { accountId }: AccountView, wanted: Readonly<Record<string, string>>): Move[] {
  return Object.entries(wanted).flatMap(([asset, text]): Move[] => {
    const { assetId, spec } = findAsset(view, asset);
    const units = parseDecimal(text, spec.precision);
    if (units === null) throw new Rejection(400, "INVALID_VALUE", `${asset}: has ${spec.precision} decimals`);
    const difference = units - view.balance(accountId, assetId).free;
    if (difference === 0n) return [];
    const amount = formatDecimal(difference < 0n ? -difference : difference, spec.precision, spec.precision);
    // The number of the last entry makes the reference unique.
    const reference = `lab ${view.seq} ${accountId} ${asset}`;
    return [{ type: difference > 0n ? "deposit" : "debit", accountId, asset, amount, reference }];
  });
}

function balanceOf(view: EngineView, { accountId }: AccountView, asset: string): { free: string; locked: string } {
  const { assetId, spec } = findAsset(view, asset);
  const { free, locked } = view.balance(accountId, assetId);
  return { free: formatDecimal(free, spec.precision), locked: formatDecimal(locked, spec.precision) };
}
