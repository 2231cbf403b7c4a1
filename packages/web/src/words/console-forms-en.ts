/** Texts of the operators' console in English: buttons, forms and confirmations. */
import { consoleSuspensions } from "./console-venue-en.ts";

/** Labels of the buttons that open forms, by route key. */
export const consoleButtons: Readonly<Record<string, string>> = {
  "GET /healthz": "Check liveness",
  "GET /readyz": "Check readiness",
  "GET /metrics": "Download metrics",
  "GET /v1/cluster": "Show cluster status",
  "GET /v1/search": "Search all records",
  "PUT /v1/suspensions/{scope}": "Suspend an asset or a network",
  "DELETE /v1/suspensions/{scope}": "End suspension",

  "POST /v1/symbols": "List market",
  "PUT /v1/exchange-filters": "Set exchange filters",
  "PUT /v1/symbols/{symbol}/status": "Set market status",
  "PUT /v1/symbols/{symbol}/self-trade-prevention": "Set self-trade prevention",
  "PUT /v1/symbols/{symbol}/price-range": "Set price range",
  "DELETE /v1/symbols/{symbol}/price-range": "Remove price range",
  "POST /v1/symbols/{symbol}/open-orders/end": "End all open orders",
  "PUT /v1/symbols/{symbol}/delisting": "Schedule delisting",
  "POST /v1/symbols/{symbol}/delisting/withdraw": "Withdraw delisting",
  "PUT /v1/symbols/{symbol}/filters": "Set filters",
  "POST /v1/symbols/{symbol}/filters/preview": "Preview filters",
  "POST /v1/symbols/{symbol}/backfilled-candles": "Import backfilled candles",

  "POST /v1/assets": "List asset",
  "PUT /v1/assets/{asset}/networks": "Set networks",
  "PUT /v1/assets/{asset}/withdrawal-limits": "Set withdrawal limits",

  "GET /v1/shared-emails": "Show shared email addresses",
  "POST /v1/accounts": "Create account",
  "PATCH /v1/accounts/{account}": "Suspend or change permissions and fees",
  "PUT /v1/accounts/{account}/status": "Set status message",
  "POST /v1/accounts/{account}/keys": "Create API key",
  "DELETE /v1/keys/{apiKey}": "Delete API key",
  "POST /v1/accounts/{account}/totp": "Create two-factor secret",
  "DELETE /v1/accounts/{account}/totp": "Remove two-factor authentication",
  "POST /v1/accounts/{account}/addresses": "Add withdrawal address",
  "DELETE /v1/accounts/{account}/addresses": "Remove withdrawal address",
  "PUT /v1/accounts/{account}/addresses": "Turn address allowlist on or off",
  "POST /v1/accounts/{account}/deposit-addresses": "Get deposit address",
  "GET /v1/accounts/{account}/fees/{symbol}": "Show fees for a market",
  "PUT /v1/accounts/{account}/fees/{symbol}": "Change fees",
  "DELETE /v1/accounts/{account}/fees/{symbol}": "Remove fees for a market",
  "PUT /v1/accounts/{account}/withdrawal-limits/{asset}": "Set account withdrawal limits",
  "DELETE /v1/accounts/{account}/withdrawal-limits/{asset}": "Remove account withdrawal limits",
  "DELETE /v1/accounts/{account}/api-trading/lock": "Unlock API trading",

  "POST /v1/accounts/{account}/notes": "Add note",
  "POST /v1/accounts/{account}/adjustments": "Request adjustment",
  "POST /v1/accounts/{account}/invitation": "Send password link",
  "DELETE /v1/accounts/{account}/sessions": "End all sessions",
  "POST /v1/accounts/{account}/lock": "Lock account",
  "POST /v1/accounts/{account}/open-orders/end": "End open orders",
  "POST /v1/orders/{order}/end": "End order",
  "POST /v1/invitations": "Invite customer",
  "DELETE /v1/invitations/{invitation}": "Revoke invitation",

  "POST /v1/networks/{network}/unattributed-deposits": "Record unattributed deposit",
  "POST /v1/unattributed-deposits/resolve": "Resolve unattributed deposit",
  "POST /v1/networks/{network}/deposits": "Record deposit",
  "POST /v1/networks/{network}/deposits/drop": "Retract recorded deposit",

  "POST /v1/withdrawals/{withdrawal}/approve": "Approve withdrawal",
  "POST /v1/withdrawals/{withdrawal}/reject": "Reject withdrawal",
  "POST /v1/withdrawals/{withdrawal}/cancel": "Cancel withdrawal",
  "POST /v1/withdrawals/{withdrawal}/raise-fee": "Raise network fee",
  "POST /v1/withdrawals/{withdrawal}/complete": "Mark withdrawal as completed",
  "POST /v1/withdrawals/{withdrawal}/fail": "Mark withdrawal as failed",

  "POST /v1/networks/{network}/rescan": "Rescan blocks",
  "POST /v1/networks/{network}/sweep": "Sweep deposit address",
  "POST /v1/networks/{network}/top-up": "Top up deposit address",
  "GET /v1/networks/{network}/sandbox": "Show sandbox",
  "POST /v1/networks/{network}/sandbox/mine": "Mine blocks",
  "POST /v1/networks/{network}/sandbox/faucet": "Request test funds (faucet)",
  "POST /v1/networks/{network}/sandbox/fault": "Inject fault",
  "POST /v1/networks/{network}/sandbox/reorg": "Simulate reorg",

  "GET /v1/treasury": "Show an earlier treasury report",
  "POST /v1/deposits": "Record manual deposit",
  "POST /v1/debits": "Record manual debit",
  "POST /v1/dividends": "Pay dividend",
  "POST /v1/proofs": "Create proof of liabilities",
  "POST /v1/proofs/{seq}/publish": "Publish proof root",
  "POST /v1/proofs/{seq}/reserves": "Add reserves to proof",
  "GET /v1/proofs/{seq}": "Download public part",
  "GET /v1/proofs/{seq}/accounts/{account}": "Download customer part",

  "POST /v1/approval-requests": "Create approval request",
  "PUT /v1/approval-rules": "Set approval rules",
  "POST /v1/emergency-override": "Announce emergency override",
  "DELETE /v1/emergency-override": "Stop emergency override",
  "POST /v1/approval-requests/{request}/approve": "Approve request",
  "PUT /v1/approval-requests/{request}": "Change request",
  "POST /v1/approval-requests/{request}/reject": "Reject request",

  "POST /v1/operators": "Invite operator",
  "PATCH /v1/operators/{operator}": "Change operator",
  "POST /v1/operators/{operator}/invitation": "Send invitation",
  "DELETE /v1/operators/{operator}/totp": "Remove two-factor authentication",

  "POST /v1/me/password": "Change password",
  "POST /v1/me/totp/remove": "Turn off two-factor authentication",

  "POST /v1/emails/{email}/resend": "Resend email",

  "GET /v1/journal/rows": "Download journal batches",
  "GET /v1/journal/snapshot": "Download latest snapshot",

  "PUT /v1/maintenance": "Start or end maintenance",
  "PUT /v1/dust-rules": "Set dust conversion rules",
  "PUT /v1/commission-discount": "Set fee discount",
  "DELETE /v1/commission-discount": "Remove fee discount",
};

/** The groups of an object's actions, by the part of the route's path after the object. */
export const consoleActionGroups = {
  of: {
    ...{ keys: "Sign-in and keys", totp: "Sign-in and keys", sessions: "Sign-in and keys", lock: "Sign-in and keys" },
    ...{ invitation: "Sign-in and keys" },
    ...{ addresses: "Funds", "deposit-addresses": "Funds", "withdrawal-limits": "Funds", adjustments: "Funds" },
    ...{ fees: "Trading", "api-trading": "Trading", "open-orders": "Trading" },
  } as Readonly<Record<string, string>>,
  other: "Account",
} as const;

const apart = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Names of operator actions, by command type, that cannot be derived from the type. */
const ACTIONS: Readonly<Record<string, string>> = {
  listSymbol: "List market",
  setSymbolStatus: "Set market status",
  setSymbolFilters: "Set market filters",
  setSelfTradePrevention: "Set self-trade prevention of a market",
  setPriceRange: "Set price range of a market",
  setSymbolFee: "Set fees for a market",
  setCommissionDiscount: "Set fee discount",
  addPast: "Add backfilled candles",
  importKlines: "Import backfilled candles",
  endSymbolOrders: "End all open orders of a market",
  openAccount: "Create account",
  endAccountOrders: "End all open orders of an account",
  createApiKey: "Create API key",
  deleteApiKey: "Delete API key",
  lockApiTrading: "Lock API trading",
  unlockApiTrading: "Unlock API trading",
  setAddressList: "Turn address allowlist on or off",
  allowAddress: "Add withdrawal address",
  disallowAddress: "Remove withdrawal address",
  setTotp: "Change two-factor authentication",
  noteAccount: "Add note",
  freezeAccount: "Lock account",
  invite: "Send invitation",
  openSession: "Sign in",
  closeSession: "End session",
  closeSessions: "End all sessions",
  cancelRecovery: "Cancel password reset",
  deposit: "Record manual deposit",
  debit: "Record manual debit",
  adjust: "Adjust balance",
  distributeDividend: "Pay dividend",
  seeDeposit: "Record pending deposit",
  finishDeposit: "Finalize deposit",
  noteUnknownDeposit: "Record unattributed deposit",
  settleUnknownDeposit: "Resolve unattributed deposit",
  changeLetter: "Update email status",
  openOperator: "Add operator",
  setOperatorTotp: "Change an operator's two-factor authentication",
  breakGlass: "Announce emergency override",
  stopBreakGlass: "Stop emergency override",
  propose: "Create approval request",
  changeProposal: "Change approval request",
  approveProposal: "Approve request",
  rejectProposal: "Reject request",
  setStop: "Set suspension",
  liftStop: "End suspension",
};

/** The name of an operator action: `setApprovalRules` becomes "Set approval rules". */
export const actionName = (type: string): string => ACTIONS[type] ?? capitalized(apart(type));

/** Causes of an unattributed deposit. */
export const UNATTRIBUTED_REASONS: Readonly<Record<string, string>> = {
  unknownAddress: "unknown address",
  unknownAsset: "asset not listed",
  noTag: "missing or unknown tag",
  wrongNetwork: "wrong network",
  other: "other",
};

/** Labels of fields that cannot be derived from the field's name in the API. */
const LABELS: Readonly<Record<string, string>> = {
  acceptRounding: "Accept coarse rounding",
  act: "Action",
  actions: "Actions that need approval",
  acts: "Actions that need approval",
  after: "After entry",
  allowTrailingStop: "Trailing stops",
  applyToMarket: "Applies to market orders",
  approvals: "Approvals besides the author's",
  at: "Journal entry",
  atMs: "Time",
  avgPriceMins: "Averaging window (minutes)",
  bidLimitMultUp: "Highest price of a BUY (× reference price)",
  bidLimitMultDown: "Lowest price of a BUY (× reference price)",
  askLimitMultUp: "Highest price of a SELL (× reference price)",
  askLimitMultDown: "Lowest price of a SELL (× reference price)",
  bucketCount: "Buckets of the reference price",
  bucketWidthMs: "Width of a bucket (ms)",
  beyond: "Newer than entry",
  block: "Block height",
  canDeposit: "Deposits",
  minTrailingAboveDelta: "Minimum above the price (bps)",
  maxTrailingAboveDelta: "Maximum above the price (bps)",
  minTrailingBelowDelta: "Minimum below the price (bps)",
  maxTrailingBelowDelta: "Maximum below the price (bps)",
  trailingDelta: "Trailing distance",
  pegInstructionsAllowed: "Pegged orders",
  isTradeGroup: "Trade group with sub-accounts",
  defaultMode: "Default mode",
  allowedModes: "Allowed modes",
  canTrade: "Trading",
  canWithdraw: "Withdrawals",
  chargeBps: "Conversion fee (bps)",
  coin: "Asset received",
  confirmsByEmail: "Email confirmation of API withdrawals",
  confirmsByMail: "Email confirmation of API withdrawals",
  creditConfirmations: "Confirmations to credit",
  depositEnabled: "Deposits",
  depositTip: "Notice while deposits are off",
  endOrders: "End open orders",
  excludedSymbols: "Excluded markets",
  factorBps: "Remaining part of the fee (bps)",
  fate: "Transactions of the removed blocks",
  finalConfirmations: "Confirmations to finality",
  flows: "Inflows and outflows by reason",
  fromWallets: "Include the node's wallets",
  house: "House account",
  how: "Resolution",
  icebergAllowed: "Iceberg orders",
  info: "Description",
  ipAllowList: "Allowed IPs",
  isDefault: "Default network",
  isDraft: "Draft only",
  isEnabled: "Enabled",
  isEnforced: "Allowlist",
  isOn: "Maintenance",
  isTagged: "Shared address with tags",
  kind: "Type",
  limit: "Limit",
  master: "Master account",
  objs: "Status details",
  ocoAllowed: "OCO orders",
  output: "Output index",
  pauseMs: "Time between conversions (ms)",
  payments: "Number of payments",
  paysInDiscountAsset: "Fees in discount asset",
  per24h: "Per 24 h",
  per72h: "Per 72 h",
  precision: "Decimals",
  proposalId: "Request ID",
  quoteOrderQtyMarketAllowed: "Market orders by quote quantity",
  seq: "Journal entry",
  symbol: "Market",
  text: "Text",
  toAccount: "Customer account",
  untilMs: "Until",
  why: "Reason",
  withdrawEnabled: "Withdrawals",
};

/** Replacements for parts of field names. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/ bps$/, " fee (bps)"],
  [/ ms$/, " (ms)"],
  [/^is /, ""],
  [/^withdraw\b/, "withdrawal"],
  [/^min\b/, "minimum"],
  [/^max\b/, "maximum"],
  [/^(deposit|withdrawal) min$/, "minimum $1"],
  [/^(deposit|withdrawal) max$/, "maximum $1"],
  [/\bnum /, ""],
  [/\bqty\b/, "quantity"],
  [/\bid$/, "ID"],
  [/\bip\b/, "IP"],
  [/\bapi\b/, "API"],
  [/\btx\b/, "transaction"],
  [/\buri\b/, "URI"],
];

/** The label of a field: `makerBps` becomes "Maker fee (bps)". */
function fieldName(name: string): string {
  const known = LABELS[name];
  if (known !== undefined) return known;
  return capitalized(PARTS.reduce((text, [form, part]) => text.replace(form, part), apart(name)));
}

/** Labels of the values of selection fields, by field. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  category: { unknownDeposit: "unattributed deposit" },
  fate: { lost: "lost", waiting: "back in the mempool", mined: "mined again" },
  how: { credit: "Credit a customer", keep: "Keep in the treasury", dismiss: "Dismiss" },
  reason: UNATTRIBUTED_REASONS,
  status: { TRADING: "Trading", HALT: "Halted", CANCEL_ONLY: "Cancel only", BREAK: "Break" },
};

function choiceName(field: string, value: string): string {
  if (field === "scope") return consoleSuspensions.scopeName(value);
  return field === "actions" || field === "acts" ? actionName(value) : (CHOICES[field]?.[value] ?? value);
}

/** The forms by task. */
export const consoleTasks = {
  customer: "Customer",
  customerHelp: "Type an account number, an email address or a name, then select the customer.",
  noCustomer: (text: string): string => `No customer matches ${text}.`,
  foundCustomers: "Customers found",
  changeCustomer: "Change customer",
  chooseCustomer: "Select the customer.",
  deposit: "Deposit",
  effect: "Effect",
  asset: "Asset",
  amount: "Amount",
  enterAmount: "Enter an asset and an amount.",
  reason: "Reason",
  internalReason: "Reason, for operators only",
  otherThanReceived: (amount: string, asset: string): string => `This is not what was received: ${amount} ${asset}.`,
  balanceNow: "Balance now",
  balanceThen: "Balance after",
  resolutions: {
    credit: "Credit deposit to customer",
    keep: "Keep deposit in the treasury",
    dismiss: "Dismiss deposit",
  },
  resolutionHelp: {
    credit: "Another operator must approve the credit.",
    keep: "Another operator must approve it. The amount is booked to the treasury.",
    dismiss: "Nothing is booked. Use this for deposits that were recorded twice or by mistake.",
  },
  openOrders: "Open orders",
  market: "Market",
  endOrders: (count: number): string =>
    count === 0 ? "End open orders" : `End ${count} open ${count === 1 ? "order" : "orders"}`,
  endOrdersEffect:
    "The customer sees these orders as expired. The customer can place new orders: to prevent that, turn off trading for the account.",
  allMarkets: (count: number): string => `All markets (${count})`,
  ordersOf: (symbol: string, count: number): string => `${symbol}: ${count} ${count === 1 ? "order" : "orders"}`,
  order: (id: string, side: string, type: string, quantity: string, price: string, filled: string): string =>
    `${side} ${quantity} at ${price} (${type}, filled ${filled}, #${id})`,
} as const;

/** Names of objects in confirmations. */
export const consoleSubjects = {
  account: (email: string, name: string, number: string): string =>
    email === "" ? number : `${email}${name === "" ? "" : `, ${name}`} (${number})`,
  asset: (asset: string, name: string): string => (name === "" ? asset : `${asset}, ${name}`),
  market: "Market",
  status: "Status",
  to: "To",
  subject: "Subject",
} as const;

/** What verbs of buttons say once it has happened. */
const PARTICIPLES: Readonly<Record<string, string>> = {
  ...{ Add: "added", Announce: "announced", Approve: "approved", Cancel: "canceled", Change: "changed" },
  ...{ Complete: "completed", Create: "created", Credit: "credited", Delete: "deleted", Dismiss: "dismissed" },
  ...{ End: "ended", Import: "imported", Invite: "invited", Keep: "kept", List: "listed", Lock: "locked" },
  ...{ Pay: "paid", Publish: "published", Raise: "raised", Record: "recorded", Reject: "rejected" },
  ...{ Remove: "removed", Request: "requested", Resend: "resent", Retract: "retracted", Revoke: "revoked" },
  ...{ Schedule: "scheduled", Send: "sent", Set: "set", Stop: "stopped", Suspend: "suspended", Unlock: "unlocked" },
  ...{ Withdraw: "withdrawn" },
};

/** What a button has done: "Approve withdrawal" becomes "Withdrawal approved." */
function happened(what: string, name: string): string {
  const [verb = "", ...object] = what.split(" ");
  const participle = PARTICIPLES[verb];
  if (name !== "" && participle !== undefined) return `${name} was ${participle}.`;
  if (verb === "Mark") return `${capitalized(object.join(" ").replace(" as ", " marked as "))}.`;
  return participle === undefined ? `Done: ${what}.` : `${capitalized(object.join(" "))} ${participle}.`;
}

export const consoleForms = {
  fieldName,
  /** The label of a field by its path: `filters.priceFilter.tickSize` becomes "Filters › Price filter › Tick size". */
  placeName: (at: string): string =>
    at
      .split(".")
      // Elements of lists are named by their asset or network.
      .map((name) => (name === name.toUpperCase() ? name : fieldName(name)))
      .join(" › "),
  choiceName,
  loading: "Loading…",
  utc: "UTC",
  optional: (first: string): string => (first === "" ? "optional" : `optional, default ${first}`),
  notSent: "Not set",
  yes: "Yes",
  no: "No",
  none: "—",
  empty: "empty",
  asJson: "Enter JSON.",
  oneALine: "Enter one value per line.",
  row: (number: number): string => `Row ${number}`,
  removeRow: (number: number): string => `Remove row ${number}`,
  addRow: "Add row",
  more: (count: number): string => `and ${count} more`,
  missing: "Enter a value.",
  notWhole: "Enter a whole number.",
  atLeast: (least: number): string => `Enter ${least} or more.`,
  atMost: (most: number): string => `Enter ${most} or less.`,
  tooLong: (most: number): string => `Enter at most ${most} characters.`,
  notLike: (example: string): string =>
    example === "" ? "The format is invalid." : `The format is invalid. Example: ${example}`,
  // Buttons.
  cancel: "Cancel",
  back: "Back",
  review: "Review",
  /** `name`: the name of the object, if the button does not name it. */
  done: (what: string, rest: string, name = ""): string => `${happened(what, name)}${rest === "" ? "" : ` ${rest}`}`,
  found: (count: number): string =>
    `The rescan found ${count === 0 ? "no" : count} missed ${count === 1 ? "deposit" : "deposits"}.`,
  // The confirmation.
  by: "Operator",
  typeName: (name: string): string => `Type ${name} to confirm`,
  changes: "Changes",
  field: "Field",
  before: "Current",
  after: "New",
  notSet: "not set",
  removed: "removed",
  noChange: "You have not changed anything.",
  preview: "Effect on open orders",
  previewing: "Checking open orders…",
  wouldReject: (rejected: number, open: number, accounts: number): string =>
    rejected === 0
      ? `All ${open} open orders meet the new filters.`
      : `${rejected} of ${open} open orders, from ${accounts} ${accounts === 1 ? "account" : "accounts"}, ` +
        `${rejected === 1 ? "does" : "do"} not meet the new filters. Open orders stay in the book.`,
  byReason: (reason: string, count: number): string => `${reason}: ${count}`,
  overCount: (filter: string, accounts: number): string =>
    accounts === 1
      ? `1 account has more open orders than ${filter} allows.`
      : `${accounts} accounts have more open orders than ${filter} allows.`,
  // Secrets.
  onceOnly: "Shown only once. Copy it now and send it over a private channel.",
  linkSent: (email: string): string =>
    `Anyone with this link can choose the password: send it over a private channel. The email to ${email} contains the same link.`,
} as const;
