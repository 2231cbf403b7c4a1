/** Commands for operators and their roles, for signing in, and for dual approval. */
import { OPERATOR_ROLES } from "@pricetime/engine";
import { command, group } from "../session/command-row.ts";
import type { Row } from "../session/terminal.ts";
import { choices, document, number, onOff, readText, said, type Value } from "../session/values.ts";

export const OPERATOR = group(
  "operator",
  "Add, change and invite operators, and set their roles.",
  command("list", "GET /v1/operators")
    .text("List all operators, including disabled ones.")
    .columns("name", "email", "role", "isEnabled", "hasPassword", "hasTotp", "sessions"),
  command("add <name>", "POST /v1/operators")
    .text("Add an operator. To email an invitation, run operator invite next.")
    .required("--email <address>", "Email address")
    .required("--role <role>", "Role", choices(...OPERATOR_ROLES)),
  command("change <name>", "PATCH /v1/operators/:name")
    .text("Change an operator's email address or role, or disable the operator.")
    .option("--email <address>", "Email address")
    .option("--role <role>", "Role", choices(...OPERATOR_ROLES))
    .option(
      "--enabled <on|off>",
      "off ends all sessions and voids pending approvals of the operator",
      onOff("isEnabled"),
    ),
  command("invite <name>", "POST /v1/operators/:name/invitation").text("Email an operator a link to set a password."),
  command("remove-two-factor <name>", "DELETE /v1/operators/:name/totp").text(
    "Turn off two-factor authentication of an operator who lost the device.",
  ),
);

const FILE = "File with the password (- for stdin)";
const CODE = "Two-factor code, if two-factor authentication is on";
/** Reads a secret. Removes the final line end, which editors add. */
const secretIn = (path: string): string => readText(path).replace(/\r?\n$/, "");
const password: Value = { field: "password", convert: secretIn };

export const SIGN_IN = command("sign-in <name>", "POST /v1/sign-in")
  .text("Sign in and print a session token, to use with --token.")
  .required("--password-file <file>", FILE, password)
  .option("--code <code>", CODE);

export const SIGN_OUT = command("sign-out", "POST /v1/sign-out").text("End the session.");

export const ACCEPT_INVITATION = command("accept-invitation <id> <secret>", "POST /v1/accept-invitation")
  .text("Accept an operator invitation: set a password with the ID and the secret in its link.")
  .required("--password-file <file>", FILE, password);

export const ME = group(
  "me",
  "Show your operator profile; change password and two-factor authentication.",
  command("show", "GET /v1/me").default().text("Show your name, role and rights."),
  command("password", "POST /v1/me/password")
    .text("Change your password. Your other sessions end.")
    .required("--password-file <file>", FILE, password)
    .required("--new-password-file <file>", "File with the new password (- for stdin)", {
      field: "newPassword",
      convert: secretIn,
    })
    .option("--code <code>", CODE),
  command("two-factor", "POST /v1/me/totp")
    .calls("POST /v1/me/totp/remove", "remove")
    .text("Set up two-factor authentication: print a secret and a setup ID for confirm-two-factor.")
    .required("--password-file <file>", FILE, password)
    .option("--remove", "Turn off two-factor authentication")
    .option("--code <code>", "Current two-factor code (with --remove)")
    .sends(({ passwordFile, remove, code }: { passwordFile: string; remove?: boolean; code?: string }) =>
      said({ password: secretIn(passwordFile), code: remove === true ? code : undefined }),
    ),
  command("confirm-two-factor", "POST /v1/me/totp/confirm")
    .text("Turn on two-factor authentication with the setup ID and a first code from the app.")
    .argument("<setup>", "", { field: "pending" })
    .argument("<code>", ""),
);

export const APPROVAL_RULES = command("approval-rules", "GET /v1/approval-rules")
  .calls("PUT /v1/approval-rules", "file")
  .text("Show which actions need approval, or replace the rules by a file (- for stdin).")
  .argument("[file]", "", document());

const reviewed: Value = { ...number, field: "version" };

export const APPROVAL_REQUEST = group(
  "approval-request",
  "List, create, approve and reject approval requests.",
  command("list", "GET /v1/approval-requests")
    .text("List actions that wait for approval, oldest first.")
    .table((rows: readonly (Row & { action: Row })[]) => rows.map((row) => ({ ...row, type: row.action["type"] })))
    .columns("requestId", "version", "type", "why", "authors", "approvals", "approvalsNeeded", "untilMs"),
  command("show <request>", "GET /v1/approval-requests/:request").text("Show an approval request with its action."),
  command("create", "POST /v1/approval-requests")
    .text("Request approval of an action in a JSON or YAML file, as the error NEEDS_APPROVAL printed it.")
    .argument("<file>", "", document("action"))
    .required("--why <text>", "Reason, shown to the approver"),
  command("change <request>", "PUT /v1/approval-requests/:request")
    .text("Change the action or the reason. Approvals given so far become void.")
    .argument("<file>", "", document("action"))
    .required("--at-version <number>", "Version of the request that you reviewed", reviewed)
    .required("--why <text>", "Reason, shown to the approver"),
  command("approve <request>", "POST /v1/approval-requests/:request/approve")
    .text("Approve a request. The last approval needed executes the action.")
    .required("--at-version <number>", "Version of the request that you reviewed", reviewed),
  command("reject <request>", "POST /v1/approval-requests/:request/reject")
    .text("Reject a request, or withdraw your own.")
    .required("--why <text>", "Reason, shown to the author"),
);

const OVERRIDE = "/v1/emergency-override";

export const EMERGENCY_OVERRIDE = command("emergency-override")
  .text("Switch off dual approval 24 hours after an announcement, if no second approver is available.")
  .argument(
    "[announce|cancel]",
    "Announce or cancel the override; without it, show its state",
    choices("announce", "cancel"),
  )
  .option("--why <text>", "Reason, emailed to every operator (with announce)")
  .runs(
    async ({ connection, output }, { "announce|cancel": verb, why }: Readonly<Record<string, string | undefined>>) => {
      if (verb === undefined) return output.one(await connection.call<Row>("GET", OVERRIDE));
      const isCanceled = verb === "cancel";
      output.one(
        await connection.call<Row>(isCanceled ? "DELETE" : "POST", OVERRIDE, isCanceled ? undefined : { why }),
      );
    },
  );
