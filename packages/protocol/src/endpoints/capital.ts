/** Deposits and withdrawals as later clients request them. Interface 4.6; shapes as later parents have them. */
import type { Endpoint } from "../endpoint.ts";
import {
  END_TIME,
  MAX_LIST_LIMIT,
  NETWORK,
  OPTIONAL_COIN,
  optional,
  required,
  START_TIME,
  WITHDRAWAL,
  WITHDRAWAL_STATUS,
} from "./parameters.ts";

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
    id: "capital.withdrawals",
    method: "GET",
    paths: ["/sapi/v1/capital/withdraw/history"],
    family: "sapi",
    security: "USER_DATA",
    weight: 1,
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
    id: "capital.deposits",
    method: "GET",
    paths: ["/sapi/v1/capital/deposit/hisrec"],
    family: "sapi",
    security: "USER_DATA",
    weight: 1,
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
    id: "capital.depositAddress",
    method: "GET",
    paths: ["/sapi/v1/capital/deposit/address"],
    family: "sapi",
    security: "USER_DATA",
    weight: 1,
    parameters: [COIN, NETWORK],
    summary: "Returns the address for deposits of an asset.",
  },
] as const satisfies readonly Endpoint[];
