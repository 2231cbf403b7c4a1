/** Routes of accounts: balances and fee rates, notes, and email addresses that several accounts share. */
import { type AccountView, type EngineView, FIRST_CUSTOMER_ACCOUNT, formatDecimal } from "@pricetime/engine";
import { z } from "zod";
import { bps, text } from "../../platform/config/listing-schema.ts";
import { badRequest, created, ok, Rejection } from "../http/answer.ts";
import { withNewNames, withOldNames } from "./deprecated-names.ts";
import { listRoute, newestPage } from "./list-route.ts";
import { accountName, findAccount, findMarket, MAX_PAGE, newestSchema, pageSchema, sentence } from "./parse.ts";
import { type AdminNode, carryOut, fromHistory, requireRules } from "./node.ts";
import { mayGiveRates } from "./operator.ts";
import { type AdminRoute, route } from "./router.ts";
import { account, accountRow, listedAccount, noteRow } from "./answers.ts";

const openSchema = z.strictObject({
  email: z.email().max(256),
  name: text,
  makerBps: bps.exactOptional(),
  takerBps: bps.exactOptional(),
  /** The master account of a new sub-account. */
  master: accountName.exactOptional(),
});
const changeSchema = z.strictObject({
  /** The email address for sign-in and notifications, stored in lower case. Links sent to the old address expire. */
  email: z.email().max(256).exactOptional(),
  makerBps: bps.exactOptional(),
  takerBps: bps.exactOptional(),
  /** Only for master accounts: whether self-trade prevention applies among the account and its sub-accounts. */
  isTradeGroup: z.boolean().exactOptional(),
  /** Whether the account pays trading fees in the venue's discount asset where it can. */
  paysInDiscountAsset: z.boolean().exactOptional(),
  canTrade: z.boolean().exactOptional(),
  canWithdraw: z.boolean().exactOptional(),
  canDeposit: z.boolean().exactOptional(),
  isEnabled: z.boolean().exactOptional(),
  /** Withdrawals wait until the customer confirms them by the link in an email. */
  confirmsByEmail: z.boolean().exactOptional(),
  /**
   * Whether to also end the account's open orders. Requires `canTrade` or `isEnabled` to be false in the same request.
   */
  endOrders: z.boolean().exactOptional(),
});
const feeSchema = z.strictObject({ makerBps: bps, takerBps: bps });

export function accountRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/accounts",
      summary: "Lists accounts by number, one page at a time, without balances.",
      query: pageSchema,
      row: accountRow,
      answer: z.array(listedAccount),
      filePage: { limit: MAX_PAGE },
      page: ({ query }) => {
        const accounts = listAccounts(view, query);
        const last = accounts.at(-1);
        return {
          rows: accounts.map(plainBody),
          next: last && accounts.length === query.limit ? { after: last.accountId } : undefined,
        };
      },
    }),
    route({
      endpoint: "POST /v1/accounts",
      needs: "customers",
      summary: "Opens an account, or a sub-account when `master` is set.",
      answer: account,
      status: 201,
      body: openSchema,
      handle: async ({ body: { master, ...fields }, by, caller }) => {
        mayGiveRates(caller, fields);
        const owner = master === undefined ? {} : { masterId: findAccount(view, master).accountId };
        await carryOut(node, { type: "openAccount", ...node.fees, ...fields, ...owner, by }).catch(
          withAccount(view, fields.email),
        );
        return created(accountBody(view, findAccount(view, fields.email)));
      },
    }),
    route({
      endpoint: "GET /v1/accounts/:account",
      needs: "view",
      summary: "Returns an account with its balances.",
      answer: account,
      handle: ({ path }) => ok(accountBody(view, findAccount(view, path.account))),
    }),
    route({
      endpoint: "PATCH /v1/accounts/:account",
      needs: "customers",
      summary: "Changes the email address, fee rates and permissions of an account. Omitted fields keep their values.",
      answer: account,
      body: changeSchema,
      asSchema: (sent) => withNewNames(sent, "confirmsByEmail"),
      handle: async ({ path, body: { endOrders = false, confirmsByEmail, ...rest }, by }) => {
        const change = { ...rest, ...(confirmsByEmail !== undefined && { confirmsByMail: confirmsByEmail }) };
        const { accountId } = findAccount(view, path.account);
        if (endOrders && change.canTrade !== false && change.isEnabled !== false) {
          throw badRequest("endOrders requires canTrade or isEnabled to be false in the same request");
        }
        if (Object.keys(change).length === 0) throw badRequest("the request changes nothing: set at least one field");
        if (change.email !== undefined) requireRules(view, 4);
        if (change.isTradeGroup !== undefined || change.paysInDiscountAsset !== undefined) requireRules(view, 5);
        const command = { type: "changeAccount", accountId, ...change, ...(endOrders && { endOrders }), by } as const;
        await carryOut(node, command).catch(withAccount(view, change.email));
        return ok(accountBody(view, findAccount(view, String(accountId))));
      },
    }),
    subAccountRoute(node),
    ...feeRoutes(node),
  ];
}

function subAccountRoute({ view }: AdminNode): AdminRoute {
  return listRoute({
    pattern: "/v1/accounts/:account/sub-accounts",
    summary: "Lists the sub-accounts of an account.",
    row: accountRow,
    answer: z.array(listedAccount),
    page: ({ path }) => {
      const { accountId } = findAccount(view, path.account);
      return { rows: view.subAccounts(accountId).map((sub) => plainBody(findAccount(view, String(sub)))) };
    },
  });
}

/** If the email address is taken, adds the account that uses it to the rejection. */
function withAccount(view: EngineView, email: string | undefined): (error: unknown) => never {
  return (error) => {
    const account = email === undefined ? undefined : view.accountByEmail(email);
    if (!(error instanceof Rejection) || error.code !== "ALREADY_EXISTS" || account === undefined) throw error;
    const message = `Account ${account.accountId} already has the email address ${account.email}. Nothing was changed.`;
    throw new Rejection(error.status, error.code, message, { record: plainBody(account) });
  };
}

/** Routes of an account's fee rates on one symbol, which override the account's general rates. */
function feeRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  const pattern = "/v1/accounts/:account/fees/:symbol";
  const setFee = async (
    path: { readonly account: string; readonly symbol: string },
    rates: { readonly makerBps: number | null; readonly takerBps: number | null },
    by: string,
  ): Promise<object> => {
    const { accountId } = findAccount(view, path.account);
    const { symbolId, spec } = findMarket(view, path.symbol);
    await carryOut(node, { type: "setSymbolFee", accountId, symbol: spec.symbol, ...rates, by });
    return { accountId, symbol: spec.symbol, ...view.fees(accountId, symbolId) };
  };
  return [
    route({
      endpoint: `GET ${pattern}`,
      needs: "view",
      summary: "Returns the fee rates of an account on a symbol.",
      handle: ({ path }) => {
        const { accountId } = findAccount(view, path.account);
        const { symbolId, spec } = findMarket(view, path.symbol);
        return ok({ accountId, symbol: spec.symbol, ...view.fees(accountId, symbolId) });
      },
    }),
    route({
      endpoint: `PUT ${pattern}`,
      needs: "venue",
      summary: "Sets fee rates of an account on a symbol. They override the rates of the account.",
      body: feeSchema,
      handle: async ({ path, body, by }) => ok(await setFee(path, body, by)),
    }),
    route({
      endpoint: `DELETE ${pattern}`,
      needs: "venue",
      summary: "Removes the fee rates of an account on a symbol. The rates of the account apply again.",
      handle: async ({ path, by }) => ok(await setFee(path, { makerBps: null, takerBps: null }, by)),
    }),
  ];
}

/** Lists accounts in ascending order of their numbers. Numbers have no gaps, so every page costs the same. */
function listAccounts(view: EngineView, { after, limit }: z.output<typeof pageSchema>): AccountView[] {
  const found: AccountView[] = [];
  for (let accountId = Math.max(after + 1, FIRST_CUSTOMER_ACCOUNT); found.length < limit; accountId++) {
    const account = view.account(accountId);
    if (account === undefined) break;
    found.push(account);
  }
  return found;
}

/** The account without its two-factor secret; `hasTotp` is true if it has one. */
function plainBody({ sealedTotp, confirmsByMail, ...account }: AccountView): object {
  const named = { ...account, confirmsByEmail: confirmsByMail, hasTotp: sealedTotp !== null };
  return withOldNames(named, "confirmsByEmail");
}

/** The account with its balances and the number of its open orders. */
function accountBody(view: EngineView, account: AccountView): object {
  const balances = view.assets().flatMap(({ assetId, spec }) => {
    const { free, locked } = view.balance(account.accountId, assetId);
    if (free === 0n && locked === 0n) return [];
    const amount = (units: bigint): string => formatDecimal(units, spec.precision);
    return [{ asset: spec.asset, free: amount(free), locked: amount(locked) }];
  });
  const openOrders = view.countOpenOrders(account.accountId);
  return { ...plainBody(account), openOrders, balances };
}

// Notes on accounts, which operators write for each other.

const noteSchema = z.strictObject({ text: sentence });

export function noteRoutes(node: AdminNode): AdminRoute[] {
  const { view, history } = node;
  const pattern = "/v1/accounts/:account/notes";
  return [
    listRoute({
      pattern,
      summary: "Lists notes of operators on an account, newest first. Customers never see them.",
      query: newestSchema,
      row: noteRow,
      filePage: { limit: MAX_PAGE },
      page: async ({ path, query: { before, limit } }) => {
        const { accountId } = findAccount(view, path.account);
        const question = { accountId, beforeSeq: before, limit };
        return newestPage(await fromHistory(history.query(view.seq, "notes", question)), limit);
      },
    }),
    route({
      endpoint: `POST ${pattern}`,
      needs: "customers",
      summary: "Adds a note to an account, for operators. Notes cannot be deleted.",
      status: 201,
      body: noteSchema,
      handle: async ({ path, body: { text }, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "noteAccount", accountId, text, by });
        return created({ accountId, text, by });
      },
    }),
  ];
}

// Email addresses that differ only in upper and lower case. Rules before version 4 allowed them.

export function sharedEmailRoutes({ view }: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/shared-emails",
      summary:
        "Lists accounts whose email addresses differ only in upper and lower case. Their invitations and password resets are " +
        "rejected until one of the addresses is changed.",
      columns: ["sharedEmail", "accountId", "email", "name", "hasPassword", "masterId", "createdMs"],
      page: () => ({ rows: sharedEmails(view) }),
    }),
  ];
}

function sharedEmails(view: EngineView): object[] {
  return view.sharedEmails().flatMap(({ email: sharedEmail, accounts }) =>
    accounts.map(({ accountId, email, name, masterId, createdMs }) => {
      const hasPassword = view.access.sealedPassword(`account:${accountId}`) !== undefined;
      return { sharedEmail, accountId, email, name, hasPassword, masterId, createdMs };
    }),
  );
}

/** A warning for `/readyz` and the console if accounts share email addresses; otherwise empty. */
export function sharedEmailWarnings(view: Pick<EngineView, "sharedEmails">): Readonly<Record<string, string>> {
  const shared = view.sharedEmails().length;
  if (shared === 0) return {};
  const which = shared === 1 ? "1 email address is" : `${shared} email addresses are`;
  const remedy = "list them with `pricetime account shared-emails` and change one of each";
  return { sharedEmails: `${which} shared by accounts that differ only in upper and lower case; ${remedy}` };
}
