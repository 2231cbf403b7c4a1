/** The commands for operators and their roles, for invitations, for signing in, and for dual approval. */
import { OPERATOR_ROLES } from "@pricetime/engine";
import { Argument, type Command, Option } from "commander";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { action, escape, isOn, onOff, readDocument, readText, said, wholeNumber } from "../session/session.ts";

const COLUMNS = ["name", "email", "role", "isEnabled", "hasPassword", "hasTotp", "sessions"];
export const RATES = [
  ["--maker-bps <bps>", "Maker fee rate in basis points"],
  ["--taker-bps <bps>", "Taker fee rate in basis points"],
] as const;
const role = (description: string): Option => new Option("--role <role>", description).choices([...OPERATOR_ROLES]);

export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program.command("operator").description("Add, change and invite operators, and set their roles.");
  action(
    operator.command("list").description("List all operators, including disabled ones."),
    terminal,
    async ({ connection, output }) => output.rows(await connection.call<Row[]>("GET", "/v1/operators"), COLUMNS),
  );
  const add = operator
    .command("add <name>")
    .description("Add an operator. To email an invitation, run operator invite next.");
  add.requiredOption("--email <address>", "Email address");
  add.addOption(role("Role").makeOptionMandatory());
  action(add, terminal, async ({ connection, output }, [name], { email, role: has }) =>
    output.one(await connection.call<Row>("POST", "/v1/operators", { name, email, role: has })),
  );
  const change = operator
    .command("change <name>")
    .description("Change an operator's email address or role, or disable the operator.");
  change.option("--email <address>", "Email address").addOption(role("Role"));
  change.addOption(onOff("--enabled <on|off>", "off ends all sessions and voids pending approvals of the operator"));
  action(change, terminal, async ({ connection, output }, [name = ""], { email, role: has, enabled }) => {
    const body = said({ email, role: has, isEnabled: isOn(enabled) });
    output.one(await connection.call<Row>("PATCH", `/v1/operators/${escape(name)}`, body));
  });
  action(
    operator.command("invite <name>").description("Email an operator a link to set a password."),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/operators/${escape(name)}/invitation`)),
  );
  action(
    operator
      .command("remove-two-factor <name>")
      .description("Turn off two-factor authentication of an operator who lost the device."),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("DELETE", `/v1/operators/${escape(name)}/totp`)),
  );
}

export function addInvitationCommands(program: Command, terminal: Terminal): void {
  const invitation = program.command("invitation").description("Invite customers, and list or revoke invitations.");
  action(
    invitation.command("list").description("List invitations that are not accepted yet."),
    terminal,
    async ({ connection, output }) =>
      output.rows(await connection.call<Row[]>("GET", "/v1/invitations"), [
        ...["invitationId", "email", "holder", "by", "untilMs"],
      ]),
  );
  const create = invitation
    .command("create")
    .description("Invite a new customer. The account opens when the customer sets a password.");
  create.requiredOption("--email <address>", "Email address").requiredOption("--name <name>", "Account name");
  for (const [rate, what] of RATES) create.option(rate, `${what} (default: the node's)`, wholeNumber);
  action(create, terminal, async ({ connection, output }, _, { email, name, makerBps, takerBps }) => {
    const body = said({ email, name, makerBps, takerBps });
    output.one(await connection.call<Row>("POST", "/v1/invitations", body));
  });
  action(
    invitation.command("revoke <invitation>").description("Revoke an invitation."),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("DELETE", `/v1/invitations/${escape(id)}`)),
  );
}

/** An unknown email address usually belongs to a new customer, whom another command invites. */
function withNextStep(error: unknown, name: string): unknown {
  if (
    !(error instanceof CommandFailed) ||
    !name.includes("@") ||
    !error.message.startsWith(`There is no account ${name}`)
  )
    return error;
  const next = `To invite a new customer, run \`pricetime invitation create --email ${name} --name NAME\`.`;
  return new CommandFailed(`${error.message.replace(/\.$/, "")}. ${next}`, { cause: error });
}

/** The commands for access to an account. */
export function addAccountAccess(account: Command, terminal: Terminal): void {
  action(
    account
      .command("invite <account>")
      .description("Email an existing account a link to set a password. For new customers: invitation create."),
    terminal,
    async ({ connection, output }, [name = ""]) => {
      const invited = connection.call<Row>("POST", `/v1/accounts/${escape(name)}/invitation`);
      output.one(await invited.catch((error: unknown) => Promise.reject(withNextStep(error, name))));
    },
  );
  const sessions = account.command("sessions <account>").description("List the sessions of an account.");
  sessions.option("--end", "End all sessions");
  action(sessions, terminal, async ({ connection, output }, [name = ""], { end }) => {
    const path = `/v1/accounts/${escape(name)}/sessions`;
    if (end === true) return output.one(await connection.call<Row>("DELETE", path));
    const columns = ["sessionId", "openedMs", "renewedMs", "untilMs", "ip", "client"];
    output.rows(await connection.call<Row[]>("GET", path), columns);
  });
  action(
    account
      .command("lock <account>")
      .description(
        "Lock a compromised account: end sessions, API keys and open orders, disable trading and withdrawals.",
      ),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/lock`)),
  );
}

// An operator signs in, and changes password and two-factor authentication.

const FILE = "File with the password (- for stdin)";
const CODE = "Two-factor code, if two-factor authentication is on";
/** Without the line end, which editors add. */
const secretIn = (path: unknown): string => readText(String(path)).replace(/\r?\n$/, "");

export function addSignInCommands(program: Command, terminal: Terminal): void {
  const signIn = program
    .command("sign-in <name>")
    .description("Sign in and print a session token, to use with --token.");
  signIn.requiredOption("--password-file <file>", FILE).option("--code <code>", CODE);
  action(signIn, terminal, async ({ connection, output }, [name], { passwordFile, code }) => {
    const body = said({ name, password: secretIn(passwordFile), code });
    output.one(await connection.call<Row>("POST", "/v1/sign-in", body));
  });
  action(program.command("sign-out").description("End the session."), terminal, async ({ connection, output }) =>
    output.one(await connection.call<Row>("POST", "/v1/sign-out")),
  );
  const accept = program.command("accept-invitation <id> <secret>");
  accept.description("Accept an operator invitation: set a password with the ID and the secret in its link.");
  accept.requiredOption("--password-file <file>", FILE);
  action(accept, terminal, async ({ connection, output }, [id, secret], { passwordFile }) => {
    const body = { id, secret, password: secretIn(passwordFile) };
    output.one(await connection.call<Row>("POST", "/v1/accept-invitation", body));
  });
  addMe(program, terminal);
}

function addMe(program: Command, terminal: Terminal): void {
  const me = program
    .command("me")
    .description("Show your operator profile; change password and two-factor authentication.");
  action(
    me.command("show", { isDefault: true }).description("Show your name, role and rights."),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/me")),
  );
  const password = me.command("password").description("Change your password. Your other sessions end.");
  password.requiredOption("--password-file <file>", FILE);
  password.requiredOption("--new-password-file <file>", "File with the new password (- for stdin)");
  password.option("--code <code>", CODE);
  action(password, terminal, async ({ connection, output }, _, { passwordFile, newPasswordFile, code }) => {
    const body = said({ password: secretIn(passwordFile), newPassword: secretIn(newPasswordFile), code });
    output.one(await connection.call<Row>("POST", "/v1/me/password", body));
  });
  const twoFactor = me.command("two-factor");
  twoFactor.description("Set up two-factor authentication: print a secret and a setup ID for confirm-two-factor.");
  twoFactor.requiredOption("--password-file <file>", FILE).option("--remove", "Turn off two-factor authentication");
  twoFactor.option("--code <code>", "Current two-factor code (with --remove)");
  action(twoFactor, terminal, async ({ connection, output }, _, { passwordFile, remove, code }) => {
    const body = said({ password: secretIn(passwordFile), ...(remove === true && { code }) });
    output.one(await connection.call<Row>("POST", `/v1/me/totp${remove === true ? "/remove" : ""}`, body));
  });
  action(
    me
      .command("confirm-two-factor <setup> <code>")
      .description("Turn on two-factor authentication with the setup ID and a first code from the app."),
    terminal,
    async ({ connection, output }, [pending, code]) =>
      output.one(await connection.call<Row>("POST", "/v1/me/totp/confirm", { pending, code })),
  );
}

// Dual approval: its rules, approval requests, and the emergency override.

export function addApprovalCommands(program: Command, terminal: Terminal): void {
  const rules = program.command("approval-rules [file]");
  rules.description("Show which actions need approval, or replace the rules by a file (- for stdin).");
  action(rules, terminal, async ({ connection, output }, [path]) => {
    const shown =
      path === undefined
        ? connection.call<Row>("GET", "/v1/approval-rules")
        : connection.call<Row>("PUT", "/v1/approval-rules", readDocument(path));
    output.one(await shown);
  });
  addApprovalRequests(program, terminal);
  addEmergencyOverride(program, terminal);
}

function addApprovalRequests(program: Command, terminal: Terminal): void {
  const request = program.command("approval-request");
  request.description("List, create, approve and reject approval requests.");
  const list = request.command("list").description("List actions that wait for approval, oldest first.");
  action(list, terminal, async ({ connection, output }) => {
    const rows = await connection.call<Row[]>("GET", "/v1/approval-requests");
    const columns = ["requestId", "version", "type", "why", "authors", "approvals", "approvalsNeeded", "untilMs"];
    output.rows(output.isJson ? rows : rows.map((row) => ({ ...row, type: (row["action"] as Row)["type"] })), columns);
  });
  action(
    request.command("show <request>").description("Show an approval request with its action."),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/approval-requests/${escape(id)}`)),
  );
  const create = request.command("create <file>");
  create.description("Request approval of an action in a JSON or YAML file, as the error NEEDS_APPROVAL printed it.");
  create.requiredOption("--why <text>", "Reason, shown to the approver");
  action(create, terminal, async ({ connection, output }, [path = ""], { why }) =>
    output.one(await connection.call<Row>("POST", "/v1/approval-requests", { action: readDocument(path), why })),
  );
  const change = request.command("change <request> <file>");
  change.description("Change the action or the reason. Approvals given so far become void.");
  change.requiredOption("--at-version <number>", "Version of the request that you reviewed", wholeNumber);
  change.requiredOption("--why <text>", "Reason, shown to the approver");
  action(change, terminal, async ({ connection, output }, [id = "", path = ""], { atVersion: version, why }) => {
    const body = { version, action: readDocument(path), why };
    output.one(await connection.call<Row>("PUT", `/v1/approval-requests/${escape(id)}`, body));
  });
  const approve = request.command("approve <request>");
  approve.description("Approve a request. The last approval needed executes the action.");
  approve.requiredOption("--at-version <number>", "Version of the request that you reviewed", wholeNumber);
  action(approve, terminal, async ({ connection, output }, [id = ""], { atVersion: version }) =>
    output.one(await connection.call<Row>("POST", `/v1/approval-requests/${escape(id)}/approve`, { version })),
  );
  const reject = request.command("reject <request>").description("Reject a request, or withdraw your own.");
  reject.requiredOption("--why <text>", "Reason, shown to the author");
  action(reject, terminal, async ({ connection, output }, [id = ""], { why }) =>
    output.one(await connection.call<Row>("POST", `/v1/approval-requests/${escape(id)}/reject`, { why })),
  );
}

function addEmergencyOverride(program: Command, terminal: Terminal): void {
  const command = program.command("emergency-override");
  command.addArgument(
    new Argument("[announce|cancel]", "Announce or cancel the override; without it, show its state").choices([
      "announce",
      "cancel",
    ]),
  );
  command.description("Switch off dual approval 24 hours after an announcement, if no second approver is available.");
  command.option("--why <text>", "Reason, emailed to every operator (with announce)");
  action(command, terminal, async ({ connection, output }, [verb], { why }) => {
    const path = "/v1/emergency-override";
    if (verb === undefined) return output.one(await connection.call<Row>("GET", path));
    const isCanceled = verb === "cancel";
    output.one(await connection.call<Row>(isCanceled ? "DELETE" : "POST", path, isCanceled ? undefined : { why }));
  });
}
