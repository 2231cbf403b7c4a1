/** The commands for operators and their roles, and for invitations of operators and customers. */
import { OPERATOR_ROLES } from "@pricetime/engine";
import { type Command, Option } from "commander";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";
import { action, escape, isOn, onOff, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
