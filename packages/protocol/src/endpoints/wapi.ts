/**
 * The wallet under /wapi. Interface 4.5. Its parameters belong in the query. A form body is accepted as well, because
 * old clients send one.
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
    summary: "Requests a withdrawal.",
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
    summary: "Returns deposits.",
  },
  {
    ...READ,
    id: "wapi.withdrawals",
    paths: ["/wapi/v3/withdrawHistory.html"],
    parameters: [OPTIONAL_ASSET, WITHDRAWAL_STATUS, START_TIME, END_TIME],
    summary: "Returns withdrawals.",
  },
  {
    ...READ,
    id: "wapi.depositAddress",
    paths: ["/wapi/v3/depositAddress.html"],
    parameters: [
      required("asset", "string"),
      optional("status", "boolean", { note: "Accepted without effect." }),
      NETWORK,
    ],
    summary: "Returns the address for deposits of an asset.",
  },
  {
    ...READ,
    id: "wapi.accountStatus",
    paths: ["/wapi/v3/accountStatus.html"],
    parameters: [],
    summary: "Returns whether the account is restricted, as text.",
  },
  {
    ...READ,
    id: "wapi.systemStatus",
    paths: ["/wapi/v3/systemStatus.html"],
    security: "NONE",
    parameters: [],
    summary: "Returns whether the service is available.",
  },
  {
    ...READ,
    id: "wapi.apiTradingStatus",
    paths: ["/wapi/v3/apiTradingStatus.html"],
    parameters: [],
    summary: "Returns the indicators of the API trading rules, and whether they have locked the account.",
  },
  {
    ...READ,
    id: "wapi.dustLog",
    paths: ["/wapi/v3/userAssetDribbletLog.html"],
    parameters: [],
    summary: "Always rejected.",
  },
  {
    ...READ,
    id: "wapi.tradeFee",
    paths: ["/wapi/v3/tradeFee.html"],
    parameters: [OPTIONAL_SYMBOL],
    summary: "Returns the account's commission rates for one symbol or all.",
  },
  {
    ...READ,
    id: "wapi.assetDetail",
    paths: ["/wapi/v3/assetDetail.html"],
    parameters: [],
    summary: "Returns fees, minimums, and whether deposits and withdrawals are enabled, by asset.",
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
    summary: "Returns the sub-accounts of the requesting master account.",
  },
  {
    ...READ,
    id: "wapi.subAccountTransfers",
    paths: ["/wapi/v3/sub-account/transfer/history.html"],
    parameters: [EMAIL, START_TIME, END_TIME, PAGE, PAGE_LIMIT],
    summary:
      "Returns transfers from and to a sub-account or the master account; by default those of the last 100 days.",
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
    summary: "Transfers money between the master account and its sub-accounts.",
  },
  {
    ...READ,
    id: "wapi.subAccountAssets",
    paths: ["/wapi/v3/sub-account/assets.html"],
    parameters: [EMAIL, optional("symbol", "string", { note: "An asset. Default: all." })],
    summary: "Returns the balances of a sub-account.",
  },
] as const satisfies readonly Endpoint[];
