/**
 * The wallet under /sapi: Interface 4.6, and the endpoints that later clients call instead of /wapi. Interface S.16 and
 * 9.3. The last rows are for markets that do not exist here, because clients request them at startup.
 */
import type { Endpoint } from "../endpoint.ts";
import {
  AMOUNT,
  END_TIME,
  MAX_LIST_LIMIT,
  NETWORK,
  optional,
  OPTIONAL_ASSET,
  OPTIONAL_COIN,
  OPTIONAL_SYMBOL,
  PAGE,
  required,
  START_TIME,
  WITHDRAWAL,
  WITHDRAWAL_STATUS,
} from "./parameters.ts";

/** The maximum number of rows in one answer. */
const MAX_DIVIDENDS = 500;
/** The maximum number of days in one answer. */
const MAX_SNAPSHOTS = 30;

/** The weight of switching the discount: each change is stored forever, in the journal and in the audit log. */
const SWITCH_WEIGHT = 100;

const READ = { method: "GET", family: "sapi", security: "USER_DATA", weight: 1 } as const;
const PUBLIC = { method: "GET", family: "sapi", security: "NONE", weight: 1 } as const;

export const WALLET = [
  {
    ...READ,
    id: "capital.coins",
    paths: ["/sapi/v1/capital/config/getall"],
    parameters: [],
    summary: "Returns assets with their networks, fees and the account's balances.",
  },
  {
    ...READ,
    id: "asset.tradeFee",
    paths: ["/sapi/v1/asset/tradeFee"],
    parameters: [OPTIONAL_SYMBOL],
    summary: "Returns the account's commission rates for one symbol or all.",
  },
  {
    ...READ,
    id: "asset.detail",
    paths: ["/sapi/v1/asset/assetDetail"],
    parameters: [OPTIONAL_ASSET],
    summary: "Returns fees, minimums, and whether deposits and withdrawals are enabled, by asset.",
  },
  {
    id: "asset.dust",
    method: "POST",
    paths: ["/sapi/v1/asset/dust"],
    family: "sapi",
    security: "USER_DATA",
    permission: "TRADE",
    weight: 1,
    parameters: [required("asset", "string", { repeated: true })],
    summary: "Converts small balances into the venue's dust asset.",
  },
  {
    ...READ,
    id: "asset.dustLog",
    paths: ["/sapi/v1/asset/dribblet"],
    parameters: [START_TIME, END_TIME],
    summary: "Conversions of small balances: always empty.",
  },
  {
    ...READ,
    id: "discount.show",
    paths: ["/sapi/v1/bnbBurn"],
    parameters: [],
    summary: "Returns whether the account pays commission in the venue's discount asset.",
  },
  {
    id: "discount.switch",
    method: "POST",
    paths: ["/sapi/v1/bnbBurn"],
    family: "sapi",
    security: "USER_DATA",
    permission: "TRADE",
    weight: SWITCH_WEIGHT,
    parameters: [
      optional("spotBNBBurn", "boolean"),
      optional("interestBNBBurn", "boolean", { note: "Only false, because there are no margin accounts." }),
    ],
    either: ["spotBNBBurn", "interestBNBBurn"],
    summary: "Switches paying commission in the venue's discount asset on or off.",
  },
  {
    ...READ,
    id: "asset.dividends",
    paths: ["/sapi/v1/asset/assetDividend"],
    parameters: [
      OPTIONAL_ASSET,
      START_TIME,
      END_TIME,
      optional("limit", "limit", { default: "500", max: MAX_DIVIDENDS }),
    ],
    summary: "Returns payments to the holder of an asset.",
  },
  {
    ...READ,
    id: "wallet.accountStatus",
    paths: ["/sapi/v1/account/status"],
    parameters: [],
    summary: "Returns whether the account is restricted, as text.",
  },
  {
    ...READ,
    id: "wallet.apiTradingStatus",
    paths: ["/sapi/v1/account/apiTradingStatus"],
    parameters: [],
    summary: "Returns the indicators of the API trading rules, and whether they have locked the account.",
  },
  {
    ...READ,
    id: "wallet.apiRestrictions",
    paths: ["/sapi/v1/account/apiRestrictions"],
    parameters: [],
    summary: "Returns the permissions of the key.",
  },
  {
    ...READ,
    id: "wallet.snapshots",
    paths: ["/sapi/v1/accountSnapshot"],
    parameters: [
      required("type", "enum", { words: ["SPOT", "MARGIN", "FUTURES"], note: "There are only SPOT accounts." }),
      START_TIME,
      END_TIME,
      optional("limit", "limit", { default: "7", max: MAX_SNAPSHOTS, note: "Days." }),
    ],
    summary: "Returns the balances at the end of days.",
  },
  {
    ...PUBLIC,
    id: "system.status",
    paths: ["/sapi/v1/system/status"],
    parameters: [],
    summary: "Returns whether the service is available.",
  },
  {
    ...PUBLIC,
    id: "margin.pairs",
    paths: ["/sapi/v1/margin/allPairs", "/sapi/v1/margin/isolated/allPairs"],
    parameters: [],
    summary: "Margin markets: always empty.",
  },
  {
    id: "futures.exchangeInfo",
    method: "GET",
    paths: ["/fapi/v1/exchangeInfo", "/dapi/v1/exchangeInfo"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [],
    summary: "Futures markets: always empty.",
  },
] as const satisfies readonly Endpoint[];

// Deposits and withdrawals as later clients request them. Interface 4.6; shapes are those of later versions of the
// original interface.

const OFFSET = optional("offset", "integer", {
  default: "0",
  note: "The number of entries to skip, from the newest on.",
});
const ROWS = optional("limit", "limit", { default: "1000", max: MAX_LIST_LIMIT });
const COIN = required("coin", "string");

export const CAPITAL = [
  {
    id: "capital.withdraw",
    method: "POST",
    paths: ["/sapi/v1/capital/withdraw/apply"],
    family: "sapi",
    security: "USER_DATA",
    permission: "WITHDRAW",
    weight: 1,
    parameters: [
      COIN,
      ...WITHDRAWAL,
      optional("transactionFeeFlag", "enum", { words: ["false"], note: "The fee is always deducted from the amount." }),
      optional("walletType", "enum", { words: ["0"], note: "The only wallet is spot." }),
    ],
    summary: "Requests a withdrawal.",
  },
  {
    ...READ,
    id: "capital.withdrawals",
    paths: ["/sapi/v1/capital/withdraw/history"],
    parameters: [
      OPTIONAL_COIN,
      optional("withdrawOrderId", "clientOrderId"),
      WITHDRAWAL_STATUS,
      OFFSET,
      ROWS,
      START_TIME,
      END_TIME,
    ],
    summary: "Returns withdrawals, newest first; by default those of the last 90 days.",
  },
  {
    ...READ,
    id: "capital.deposits",
    paths: ["/sapi/v1/capital/deposit/hisrec"],
    parameters: [
      OPTIONAL_COIN,
      optional("status", "enum", {
        words: ["0", "6", "7", "8", "1", "2"],
        note: "0 pending, 6 credited but cannot withdraw, 1 success; other statuses match no deposit.",
      }),
      START_TIME,
      END_TIME,
      OFFSET,
      ROWS,
      optional("txId", "string"),
    ],
    summary: "Returns deposits, newest first; by default those of the last 90 days.",
  },
  {
    ...READ,
    id: "capital.depositAddress",
    paths: ["/sapi/v1/capital/deposit/address"],
    parameters: [COIN, NETWORK],
    summary: "Returns the address for deposits of an asset.",
  },
] as const satisfies readonly Endpoint[];

// Sub-accounts as later clients request them; shapes are those of later versions of the original interface. Interface
// 3.9.

const OF_A_MASTER = { method: "GET", family: "sapi", security: "USER_DATA", weight: 1 } as const;
const FROM_EMAIL = optional("fromEmail", "string", { note: "Default: the master account." });
const TO_EMAIL = optional("toEmail", "string", { note: "Default: the master account." });

const TRANSFERS = [
  optional("fromEmail", "string", { note: "Only transfers from this account." }),
  optional("toEmail", "string", { note: "Only transfers to this account." }),
  START_TIME,
  END_TIME,
  PAGE,
  optional("limit", "limit", { default: "500", max: 500 }),
];

export const SUB_ACCOUNTS = [
  {
    ...OF_A_MASTER,
    id: "subAccount.list",
    paths: ["/sapi/v1/sub-account/list"],
    parameters: [
      optional("email", "string"),
      optional("isFreeze", "boolean"),
      PAGE,
      optional("limit", "limit", { default: "200", max: 200 }),
    ],
    summary: "Returns the sub-accounts of the requesting master account.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.transfers",
    paths: ["/sapi/v1/sub-account/sub/transfer/history"],
    parameters: TRANSFERS,
    exclusive: [["fromEmail", "toEmail"]],
    summary: "Returns transfers of the master account and its sub-accounts; by default those of the last 100 days.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.transfer",
    method: "POST",
    paths: ["/sapi/v1/sub-account/universalTransfer"],
    permission: "TRADE",
    parameters: [
      FROM_EMAIL,
      TO_EMAIL,
      required("fromAccountType", "enum", { words: ["SPOT"] }),
      required("toAccountType", "enum", { words: ["SPOT"] }),
      required("asset", "string"),
      AMOUNT,
      optional("clientTranId", "string", {
        note: "Your own id: a repeat with the same id and equal contents moves nothing and gets the response of the first; with other contents it is rejected.",
      }),
    ],
    summary: "Transfers money between the master account and its sub-accounts.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.universalTransfers",
    paths: ["/sapi/v1/sub-account/universalTransfer"],
    parameters: TRANSFERS,
    exclusive: [["fromEmail", "toEmail"]],
    summary: "Returns the same transfers in the format of later clients, with their total number.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.assets",
    paths: ["/sapi/v3/sub-account/assets"],
    parameters: [required("email", "string")],
    summary: "Returns the balances of a sub-account as numbers.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.assetsV4",
    paths: ["/sapi/v4/sub-account/assets"],
    parameters: [required("email", "string")],
    summary: "Returns the balances of a sub-account as texts.",
  },
] as const satisfies readonly Endpoint[];
