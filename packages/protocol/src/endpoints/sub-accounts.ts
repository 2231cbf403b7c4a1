/** Sub-accounts as later clients request them; shapes as later parents have them. Interface 3.9. */
import type { Endpoint } from "../endpoint.ts";
import { AMOUNT, END_TIME, optional, PAGE, required, START_TIME } from "./parameters.ts";

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
