/**
 * The console page of each route of the admin API. The pages are built from this table, and a test compares it with a
 * real node's OpenAPI document. Lab routes are not included, because the lab's terminal uses them.
 */

import type { ApprovalRules } from "@pricetime/server/answers";

export const PAGES = [
  "overview",
  "markets",
  "assets",
  "accounts",
  "deposits",
  "withdrawals",
  "networks",
  "treasury",
  "approvals",
  "operators",
  "emails",
  "journal",
  "audit-log",
  "settings",
  "profile",
] as const;
export type PageName = (typeof PAGES)[number];

/** The path parameter of the single object that a page can show. */
export const SUBJECTS: Partial<Readonly<Record<PageName, string>>> = {
  markets: "symbol",
  assets: "asset",
  accounts: "account",
  withdrawals: "withdrawal",
  networks: "network",
  approvals: "request",
  operators: "operator",
  emails: "email",
};

/**
 * How a page uses a route. `read`: the page requests it automatically; `act`: a button opens its form; `view`: a button
 * requests it and shows the response; `file`: a button saves the response; `own`: the page has its own form.
 */
export type How = "read" | "act" | "view" | "file" | "own";

/**
 * The confirmation before a request is sent. `look`: the request is shown once more; `type`: the object's name must
 * also be typed.
 */
export type ConfirmationStep = "look" | "type";

export interface RoutePlace {
  readonly page: PageName;
  /** Whether the button is on the list or on the page of a single object. */
  readonly on: "list" | "one";
  readonly how: How;
  readonly confirm?: ConfirmationStep;
  /** Whether the button has the style of destructive actions. */
  readonly isDestructive?: boolean;
  /** Whether only changed fields are sent. The other fields stay unchanged. */
  readonly sendsChanges?: boolean;
  /** Whether the object's page does not exist after the action, so that the console shows the list. */
  readonly endsSubject?: boolean;
}

type Make = (page: PageName, confirm?: ConfirmationStep, isDestructive?: boolean) => RoutePlace;

const read = (page: PageName, on: RoutePlace["on"] = "list"): RoutePlace => ({ page, on, how: "read" });
const view = (page: PageName, on: RoutePlace["on"] = "list"): RoutePlace => ({ page, on, how: "view" });
const file = (page: PageName, on: RoutePlace["on"] = "list"): RoutePlace => ({ page, on, how: "file" });
const own = (page: PageName, on: RoutePlace["on"] = "list"): RoutePlace => ({ page, on, how: "own" });
const act =
  (on: RoutePlace["on"]): Make =>
  (page, confirm, isDestructive) => ({
    ...{ page, on, how: "act" },
    ...(confirm !== undefined && { confirm }),
    ...(isDestructive !== undefined && { isDestructive }),
  });
const onList = act("list");
const onOne = act("one");
const GRAVE = true;
const ending = (place: RoutePlace): RoutePlace => ({ ...place, endsSubject: true });

export const ROUTES: Readonly<Record<string, RoutePlace>> = {
  "GET /v1/overview": read("overview"),
  "GET /v1/reports/periods": read("overview"),
  "GET /v1/reports/markets": read("overview"),
  "GET /v1/reports/accounts": read("overview"),
  "GET /v1/reports/assets": read("overview"),
  "GET /healthz": view("overview"),
  "GET /readyz": view("overview"),
  "GET /metrics": file("overview"),
  "GET /v1/cluster": view("overview"),
  "GET /v1/search": view("overview"),
  "GET /v1/suspensions": read("overview"),
  "PUT /v1/suspensions/{scope}": onList("overview", "look", GRAVE),
  "DELETE /v1/suspensions/{scope}": onList("overview", "look"),

  "GET /v1/symbols": read("markets"),
  "POST /v1/symbols": onList("markets", "look"),
  "GET /v1/exchange-filters": read("markets"),
  "PUT /v1/exchange-filters": onList("markets", "look"),
  "GET /v1/symbols/{symbol}": read("markets", "one"),
  "PUT /v1/symbols/{symbol}/status": onOne("markets", "type", GRAVE),
  "PUT /v1/symbols/{symbol}/filters": onOne("markets", "type"),
  "PUT /v1/symbols/{symbol}/self-trade-prevention": onOne("markets", "look"),
  "PUT /v1/symbols/{symbol}/price-range": onOne("markets", "look"),
  "DELETE /v1/symbols/{symbol}/price-range": onOne("markets", "look"),
  "POST /v1/symbols/{symbol}/filters/preview": onOne("markets"),
  "POST /v1/symbols/{symbol}/open-orders/end": onOne("markets", "type", GRAVE),
  "PUT /v1/symbols/{symbol}/delisting": onOne("markets", "type", GRAVE),
  "POST /v1/symbols/{symbol}/delisting/withdraw": onOne("markets", "look"),
  "GET /v1/symbols/{symbol}/fees": read("markets", "one"),
  "GET /v1/symbols/{symbol}/backfilled-candles": read("markets", "one"),
  "POST /v1/symbols/{symbol}/backfilled-candles": onOne("markets", "look"),

  "GET /v1/assets": read("assets"),
  "POST /v1/assets": onList("assets", "look"),
  "GET /v1/assets/{asset}": read("assets", "one"),
  "PUT /v1/assets/{asset}/networks": onOne("assets", "type"),
  "GET /v1/withdrawal-limits": read("assets"),
  "PUT /v1/assets/{asset}/withdrawal-limits": onOne("assets", "type"),

  "GET /v1/accounts": read("accounts"),
  "GET /v1/shared-emails": view("accounts"),
  "POST /v1/accounts": onList("accounts"),
  "GET /v1/accounts/{account}": read("accounts", "one"),
  "GET /v1/accounts/{account}/sub-accounts": read("accounts", "one"),
  "GET /v1/accounts/{account}/keys": read("accounts", "one"),
  "GET /v1/accounts/{account}/addresses": read("accounts", "one"),
  "GET /v1/accounts/{account}/api-trading": read("accounts", "one"),
  "GET /v1/accounts/{account}/open-orders": read("accounts", "one"),
  "GET /v1/accounts/{account}/timeline": read("accounts", "one"),
  "GET /v1/accounts/{account}/notes": read("accounts", "one"),
  "GET /v1/accounts/{account}/sessions": read("accounts", "one"),
  "PATCH /v1/accounts/{account}": { ...onOne("accounts", "look"), sendsChanges: true },
  "PUT /v1/accounts/{account}/status": onOne("accounts"),
  "POST /v1/accounts/{account}/keys": onOne("accounts"),
  "DELETE /v1/keys/{apiKey}": onOne("accounts", "look", GRAVE),
  "POST /v1/accounts/{account}/totp": onOne("accounts", "look"),
  "DELETE /v1/accounts/{account}/totp": onOne("accounts", "type", GRAVE),
  "POST /v1/accounts/{account}/addresses": onOne("accounts"),
  "DELETE /v1/accounts/{account}/addresses": onOne("accounts", "look", GRAVE),
  "PUT /v1/accounts/{account}/addresses": onOne("accounts", "look"),
  "POST /v1/accounts/{account}/deposit-addresses": onOne("accounts"),
  "GET /v1/accounts/{account}/fees/{symbol}": view("accounts", "one"),
  "PUT /v1/accounts/{account}/fees/{symbol}": onOne("accounts", "look"),
  "DELETE /v1/accounts/{account}/fees/{symbol}": onOne("accounts", "look"),
  "GET /v1/accounts/{account}/withdrawal-limits": read("accounts", "one"),
  "PUT /v1/accounts/{account}/withdrawal-limits/{asset}": onOne("accounts", "look"),
  "DELETE /v1/accounts/{account}/withdrawal-limits/{asset}": onOne("accounts", "look"),
  "DELETE /v1/accounts/{account}/api-trading/lock": onOne("accounts", "look"),
  "POST /v1/accounts/{account}/notes": onOne("accounts"),
  "POST /v1/accounts/{account}/adjustments": onOne("accounts", "look"),
  "POST /v1/accounts/{account}/invitation": onOne("accounts", "look"),
  "DELETE /v1/accounts/{account}/sessions": onOne("accounts", "look", GRAVE),
  "POST /v1/accounts/{account}/lock": onOne("accounts", "type", GRAVE),
  "POST /v1/accounts/{account}/open-orders/end": onOne("accounts", "look", GRAVE),
  "POST /v1/orders/{order}/end": onOne("accounts", "look", GRAVE),
  "GET /v1/invitations": read("accounts"),
  "POST /v1/invitations": onList("accounts"),
  "DELETE /v1/invitations/{invitation}": onList("accounts", "look", GRAVE),

  "GET /v1/deposit-history": read("deposits"),
  "GET /v1/pending-deposits": read("deposits"),
  "POST /v1/networks/{network}/deposits": onList("deposits", "look"),
  "POST /v1/networks/{network}/deposits/drop": onList("deposits", "look", GRAVE),
  "GET /v1/unattributed-deposits": read("deposits"),
  "POST /v1/networks/{network}/unattributed-deposits": onList("deposits", "look"),
  "POST /v1/unattributed-deposits/resolve": onList("deposits", "look"),

  "GET /v1/withdrawal-history": read("withdrawals"),
  "GET /v1/withdrawals": read("withdrawals"),
  "GET /v1/withdrawal-risks": read("withdrawals"),
  "GET /v1/withdrawals/{withdrawal}": read("withdrawals", "one"),
  "POST /v1/withdrawals/{withdrawal}/approve": onOne("withdrawals", "look"),
  "POST /v1/withdrawals/{withdrawal}/reject": ending(onOne("withdrawals", "look", GRAVE)),
  "POST /v1/withdrawals/{withdrawal}/cancel": ending(onOne("withdrawals", "look", GRAVE)),
  "POST /v1/withdrawals/{withdrawal}/raise-fee": onOne("withdrawals", "look"),
  "POST /v1/withdrawals/{withdrawal}/complete": ending(onOne("withdrawals", "look")),
  "POST /v1/withdrawals/{withdrawal}/fail": ending(onOne("withdrawals", "type", GRAVE)),

  "GET /v1/networks": read("networks"),
  "POST /v1/networks/{network}/rescan": onOne("networks", "look"),
  "POST /v1/networks/{network}/sweep": onOne("networks", "look"),
  "POST /v1/networks/{network}/top-up": onOne("networks", "look"),
  "GET /v1/networks/{network}/sandbox": view("networks", "one"),
  "POST /v1/networks/{network}/sandbox/mine": onOne("networks"),
  "POST /v1/networks/{network}/sandbox/faucet": onOne("networks"),
  "POST /v1/networks/{network}/sandbox/fault": onOne("networks", "look", GRAVE),
  "POST /v1/networks/{network}/sandbox/reorg": onOne("networks", "look", GRAVE),

  "GET /v1/treasury": view("treasury"),
  "GET /v1/house-accounts": read("treasury"),
  "GET /v1/adjustments": read("treasury"),
  "POST /v1/deposits": onList("treasury", "look"),
  "POST /v1/debits": onList("treasury", "look", GRAVE),
  "POST /v1/dividends": onList("treasury", "look"),
  "GET /v1/proofs": read("treasury"),
  "POST /v1/proofs": onList("treasury"),
  "POST /v1/proofs/{seq}/publish": onList("treasury", "look"),
  "GET /v1/proofs/{seq}/reserves": read("treasury"),
  "POST /v1/proofs/{seq}/reserves": onList("treasury", "look"),
  "GET /v1/proofs/{seq}": file("treasury"),
  "GET /v1/proofs/{seq}/accounts/{account}": file("treasury"),

  "GET /v1/approval-requests": read("approvals"),
  "POST /v1/approval-requests": onList("approvals", "look"),
  "GET /v1/approval-rules": read("approvals"),
  "PUT /v1/approval-rules": onList("approvals", "look"),
  "GET /v1/emergency-override": read("approvals"),
  "POST /v1/emergency-override": onList("approvals", "look", GRAVE),
  "DELETE /v1/emergency-override": onList("approvals", "look"),
  "GET /v1/approval-requests/{request}": read("approvals", "one"),
  "POST /v1/approval-requests/{request}/approve": onOne("approvals", "look"),
  "PUT /v1/approval-requests/{request}": onOne("approvals", "look"),
  "POST /v1/approval-requests/{request}/reject": onOne("approvals", "look", GRAVE),

  "GET /v1/operators": read("operators"),
  "POST /v1/operators": onList("operators", "look"),
  "PATCH /v1/operators/{operator}": { ...onOne("operators", "look"), sendsChanges: true },
  "POST /v1/operators/{operator}/invitation": onOne("operators", "look"),
  "DELETE /v1/operators/{operator}/totp": onOne("operators", "type", GRAVE),

  "POST /v1/sign-in": own("profile"),
  "POST /v1/sign-out": own("profile"),
  "POST /v1/accept-invitation": own("profile"),
  "GET /v1/me": read("profile"),
  "POST /v1/me/password": onList("profile"),
  "POST /v1/me/totp": own("profile"),
  "POST /v1/me/totp/confirm": own("profile"),
  "POST /v1/me/totp/remove": onList("profile"),

  "GET /v1/emails": read("emails"),
  "GET /v1/emails/{email}": read("emails", "one"),
  "POST /v1/emails/{email}/resend": onOne("emails", "look"),

  "GET /v1/journal": read("journal"),
  "GET /v1/journal/entries": read("journal"),
  "GET /v1/journal/rows": file("journal"),
  "GET /v1/journal/snapshot": file("journal"),

  "GET /v1/audit-log": read("audit-log"),

  "GET /v1/configuration": read("settings"),
  "GET /v1/maintenance": read("settings"),
  "PUT /v1/maintenance": onList("settings", "look", GRAVE),
  "GET /v1/dust-rules": read("settings"),
  "PUT /v1/dust-rules": onList("settings", "look"),
  "GET /v1/commission-discount": read("settings"),
  "PUT /v1/commission-discount": onList("settings", "look"),
  "DELETE /v1/commission-discount": onList("settings", "look"),
};

/** The page of the actions that journal the command. */
export const pageOf = (command: string): PageName => ROUTES[ROUTE_OF[command] ?? ""]?.page ?? "settings";

/** The keys of the routes with a button on a page, in the order of the table. */
export function buttonsOn(page: PageName, on: RoutePlace["on"]): string[] {
  return Object.entries(ROUTES)
    .filter(([, place]) => place.page === page && place.on === on && place.how !== "read" && place.how !== "own")
    .map(([key]) => key);
}

// Approval rules name the commands that routes journal.

/** Route keys by command type. Commands without a route of their own have the one of the page that they belong to. */
const ROUTE_OF: Readonly<Record<string, string>> = {
  listSymbol: "POST /v1/symbols",
  setSymbolStatus: "PUT /v1/symbols/{symbol}/status",
  setSymbolFilters: "PUT /v1/symbols/{symbol}/filters",
  setSelfTradePrevention: "PUT /v1/symbols/{symbol}/self-trade-prevention",
  setPriceRange: "PUT /v1/symbols/{symbol}/price-range",
  setExchangeFilters: "PUT /v1/exchange-filters",
  importKlines: "POST /v1/symbols/{symbol}/backfilled-candles",
  addPast: "GET /v1/symbols",
  setSymbolFee: "PUT /v1/accounts/{account}/fees/{symbol}",
  endSymbolOrders: "POST /v1/symbols/{symbol}/open-orders/end",
  setDelisting: "PUT /v1/symbols/{symbol}/delisting",
  listAsset: "POST /v1/assets",
  setAssetNetworks: "PUT /v1/assets/{asset}/networks",
  setWithdrawalLimits: "PUT /v1/assets/{asset}/withdrawal-limits",
  openAccount: "POST /v1/accounts",
  changeAccount: "PATCH /v1/accounts/{account}",
  setAccountStatus: "PUT /v1/accounts/{account}/status",
  createApiKey: "POST /v1/accounts/{account}/keys",
  deleteApiKey: "DELETE /v1/keys/{apiKey}",
  setTotp: "DELETE /v1/accounts/{account}/totp",
  allowAddress: "POST /v1/accounts/{account}/addresses",
  disallowAddress: "DELETE /v1/accounts/{account}/addresses",
  setAddressList: "PUT /v1/accounts/{account}/addresses",
  setAccountWithdrawalLimits: "PUT /v1/accounts/{account}/withdrawal-limits/{asset}",
  unlockApiTrading: "DELETE /v1/accounts/{account}/api-trading/lock",
  noteAccount: "POST /v1/accounts/{account}/notes",
  adjust: "POST /v1/accounts/{account}/adjustments",
  invite: "POST /v1/invitations",
  endOrder: "POST /v1/orders/{order}/end",
  endAccountOrders: "POST /v1/accounts/{account}/open-orders/end",
  seeDeposit: "POST /v1/networks/{network}/deposits",
  creditDeposit: "GET /v1/pending-deposits",
  finishDeposit: "GET /v1/pending-deposits",
  dropDeposit: "POST /v1/networks/{network}/deposits/drop",
  settleUnknownDeposit: "GET /v1/unattributed-deposits",
  approveWithdrawal: "POST /v1/withdrawals/{withdrawal}/approve",
  rejectWithdrawal: "POST /v1/withdrawals/{withdrawal}/reject",
  cancelWithdrawal: "POST /v1/withdrawals/{withdrawal}/cancel",
  completeWithdrawal: "POST /v1/withdrawals/{withdrawal}/complete",
  failWithdrawal: "POST /v1/withdrawals/{withdrawal}/fail",
  failSignedWithdrawal: "GET /v1/withdrawals",
  deposit: "POST /v1/deposits",
  debit: "POST /v1/debits",
  distributeDividend: "POST /v1/dividends",
  publishProof: "POST /v1/proofs/{seq}/publish",
  setApprovalRules: "PUT /v1/approval-rules",
  openOperator: "POST /v1/operators",
  changeOperator: "PATCH /v1/operators/{operator}",
  setOperatorTotp: "DELETE /v1/operators/{operator}/totp",
  liftStop: "DELETE /v1/suspensions/{scope}",
  setMaintenance: "PUT /v1/maintenance",
  setDustRules: "PUT /v1/dust-rules",
  setCommissionDiscount: "PUT /v1/commission-discount",
};

const ALWAYS: readonly string[] = ["POST /v1/accounts/{account}/adjustments"];
/** Actions that need approval as soon as there are any rules. */
const GUARDED: readonly string[] = [
  ...["PUT /v1/approval-rules", "POST /v1/operators", "POST /v1/operators/{operator}/invitation"],
  "DELETE /v1/operators/{operator}/totp",
];

/** Whether every action of the route needs approval. The sum of a withdrawal is not considered. */
export function needsApproval(rules: ApprovalRules | null, key: string): boolean {
  if (ALWAYS.includes(key)) return true;
  if (rules === null) return false;
  const isAny = rules.actions.length + rules.withdrawalsAbove.length > 0;
  return (isAny && GUARDED.includes(key)) || rules.actions.some((type) => ROUTE_OF[type] === key);
}
