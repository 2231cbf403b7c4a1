/**
 * The wallet under /wapi. Interface 4.5. Its parameters belong in the query; a form body is accepted too, as old
 * clients send one.
 */
import type { Endpoint } from "../endpoint.ts";
import {
  AMOUNT,
  END_TIME,
  NETWORK,
  OPTIONAL_ASSET,
  OPTIONAL_SYMBOL,
  optional,
  PAGE,
  required,
  START_TIME,
  WITHDRAWAL,
  WITHDRAWAL_STATUS,
} from "./parameters.ts";

const READ = { method: "GET", family: "wapi", security: "USER_DATA", weight: 1 } as const;
const PAGE_LIMIT = optional("limit", "limit", { default: "500", max: 500 });
const EMAIL = required("email", "string");

export const WAPI = [
  {
    id: "wapi.withdraw",
    method: "POST",
    paths: ["/wapi/v3/withdraw.html"],
    family: "wapi",
    security: "TRADE",
    permission: "WITHDRAW",
    weight: 1,
    parameters: [required("asset", "string"), ...WITHDRAWAL],
    summary: "Asks for a withdrawal.",
  },
  {
    ...READ,
    id: "wapi.deposits",
    paths: ["/wapi/v3/depositHistory.html"],
    parameters: [
      OPTIONAL_ASSET,
      optional("status", "enum", {
        words: ["0", "6", "1"],
        note: "0 pending, 6 credited but cannot withdraw, 1 success.",
      }),
      START_TIME,
      END_TIME,
    ],
    summary: "Deposits.",
  },
  {
    ...READ,
    id: "wapi.withdrawals",
    paths: ["/wapi/v3/withdrawHistory.html"],
    parameters: [OPTIONAL_ASSET, WITHDRAWAL_STATUS, START_TIME, END_TIME],
    summary: "Withdrawals.",
  },
  {
    ...READ,
    id: "wapi.depositAddress",
    paths: ["/wapi/v3/depositAddress.html"],
    parameters: [
      required("asset", "string"),
      optional("status", "boolean", { note: "Accepted, and of no effect." }),
      NETWORK,
    ],
    summary: "Where to send an asset to.",
  },
  {
    ...READ,
    id: "wapi.accountStatus",
    paths: ["/wapi/v3/accountStatus.html"],
    parameters: [],
    summary: "Whether the account is restricted, in words.",
  },
  {
    ...READ,
    id: "wapi.systemStatus",
    paths: ["/wapi/v3/systemStatus.html"],
    security: "NONE",
    parameters: [],
    summary: "Whether the service is up.",
  },
  {
    ...READ,
    id: "wapi.apiTradingStatus",
    paths: ["/wapi/v3/apiTradingStatus.html"],
    parameters: [],
    summary: "The indicators of careless trading, and whether they have locked the account.",
  },
  {
    ...READ,
    id: "wapi.dustLog",
    paths: ["/wapi/v3/userAssetDribbletLog.html"],
    parameters: [],
    summary: "Refused, for ever.",
  },
  {
    ...READ,
    id: "wapi.tradeFee",
    paths: ["/wapi/v3/tradeFee.html"],
    parameters: [OPTIONAL_SYMBOL],
    summary: "The account's commission rates, of one symbol or all.",
  },
  {
    ...READ,
    id: "wapi.assetDetail",
    paths: ["/wapi/v3/assetDetail.html"],
    parameters: [],
    summary: "Fees, minimums and open doors of assets.",
  },
  {
    ...READ,
    id: "wapi.subAccounts",
    paths: ["/wapi/v3/sub-account/list.html"],
    parameters: [
      optional("email", "string"),
      optional("status", "enum", { words: ["enabled", "disabled"] }),
      PAGE,
      PAGE_LIMIT,
    ],
    summary: "Sub-accounts of the master account that asks.",
  },
  {
    ...READ,
    id: "wapi.subAccountTransfers",
    paths: ["/wapi/v3/sub-account/transfer/history.html"],
    parameters: [EMAIL, START_TIME, END_TIME, PAGE, PAGE_LIMIT],
    summary: "Transfers from and to an account of the family; of the last 100 days, unless times are sent.",
  },
  {
    id: "wapi.subAccountTransfer",
    method: "POST",
    paths: ["/wapi/v3/sub-account/transfer.html"],
    family: "wapi",
    security: "USER_DATA",
    permission: "TRADE",
    weight: 1,
    parameters: [required("fromEmail", "string"), required("toEmail", "string"), required("asset", "string"), AMOUNT],
    summary: "Moves money between accounts of the family.",
  },
  {
    ...READ,
    id: "wapi.subAccountAssets",
    paths: ["/wapi/v3/sub-account/assets.html"],
    parameters: [EMAIL, optional("symbol", "string", { note: "An asset; all when absent." })],
    summary: "Balances of a sub-account.",
  },
] as const satisfies readonly Endpoint[];
