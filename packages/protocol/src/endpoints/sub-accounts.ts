/** Sub-accounts as later clients request them; shapes as later parents have them. Interface 3.9. */
import type { Endpoint } from "../endpoint.ts";
import { AMOUNT, END_TIME, optional, PAGE, required, START_TIME } from "./parameters.ts";

const OF_A_MASTER = { method: "GET", family: "sapi", security: "USER_DATA", weight: 1 } as const;
const FROM_EMAIL = optional("fromEmail", "string", { note: "The master's own when absent." });
const TO_EMAIL = optional("toEmail", "string", { note: "The master's own when absent." });

const TRANSFERS = [
  optional("fromEmail", "string", { note: "Transfers from this account alone." }),
  optional("toEmail", "string", { note: "Transfers to this account alone." }),
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
    summary: "Sub-accounts of the master account that asks.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.transfers",
    paths: ["/sapi/v1/sub-account/sub/transfer/history"],
    parameters: TRANSFERS,
    exclusive: [["fromEmail", "toEmail"]],
    summary: "Transfers of the family; of the last 100 days, unless times are sent.",
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
        note: "Your own id: a repeat with it and equal contents moves nothing and is answered as the first; with other contents it is rejected.",
      }),
    ],
    summary: "Moves money between accounts of the family.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.universalTransfers",
    paths: ["/sapi/v1/sub-account/universalTransfer"],
    parameters: TRANSFERS,
    exclusive: [["fromEmail", "toEmail"]],
    summary: "The same transfers as later clients list them, with how many there are.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.assets",
    paths: ["/sapi/v3/sub-account/assets"],
    parameters: [required("email", "string")],
    summary: "Balances of a sub-account, as numbers.",
  },
  {
    ...OF_A_MASTER,
    id: "subAccount.assetsV4",
    paths: ["/sapi/v4/sub-account/assets"],
    parameters: [required("email", "string")],
    summary: "Balances of a sub-account, as texts.",
  },
] as const satisfies readonly Endpoint[];
