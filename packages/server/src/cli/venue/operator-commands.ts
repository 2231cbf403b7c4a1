/** The commands for operators: who they are, and how they and customers are invited. */
import { OPERATOR_ROLES } from "@pricetime/engine";
import { type Command, Option } from "commander";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";
import { action, escape, isOn, onOff, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = ["name", "email", "role", "isEnabled", "hasPassword", "hasTotp", "sessions"];
const role = (description: string): Option => new Option("--role <role>", description).choices([...OPERATOR_ROLES]);

export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program.command("operator").description("operators with names of their own, and their roles");
  action(
    operator.command("list").description("all of them, also those who left"),
    terminal,
    async ({ connection, output }) => output.rows(await connection.call<Row[]>("GET", "/v1/operators"), COLUMNS),
  );
  const open = operator.command("open <name>").description("a new one, who can sign in once invited");
  open.requiredOption("--email <address>", "where letters go");
  open.addOption(role("what they may do").makeOptionMandatory());
  action(open, terminal, async ({ connection, output }, [name], { email, role: has }) =>
    output.one(await connection.call<Row>("POST", "/v1/operators", { name, email, role: has })),
  );
  const change = operator.command("change <name>").description("change address or role, or take the way in away");
  change.option("--email <address>", "where letters go").addOption(role("what they may do"));
  change.addOption(onOff("--enabled <on|off>", "off ends every session, and no approval of theirs counts"));
  action(change, terminal, async ({ connection, output }, [name = ""], { email, role: has, enabled }) => {
    const body = said({ email, role: has, isEnabled: isOn(enabled) });
    output.one(await connection.call<Row>("PATCH", `/v1/operators/${escape(name)}`, body));
  });
  action(
    operator.command("invite <name>").description("mail a link to choose a password"),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/operators/${escape(name)}/invitation`)),
  );
  action(
    operator.command("remove-codes <name>").description("no two-factor codes any more: the device is lost"),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("DELETE", `/v1/operators/${escape(name)}/totp`)),
  );
}

export function addInvitationCommands(program: Command, terminal: Terminal): void {
  const invitation = program.command("invitation").description("invitations of customers and operators");
  action(
    invitation.command("list").description("those that nobody has accepted"),
    terminal,
    async ({ connection, output }) =>
      output.rows(await connection.call<Row[]>("GET", "/v1/invitations"), [
        ...["invitationId", "email", "holder", "by", "untilMs"],
      ]),
  );
  const create = invitation.command("create").description("invite a new customer, whose account opens with a password");
  create.requiredOption("--email <address>", "where the letter goes").requiredOption("--name <name>", "of the account");
  for (const rate of ["--maker-bps <bps>", "--taker-bps <bps>"]) create.option(rate, "basis points", wholeNumber);
  action(create, terminal, async ({ connection, output }, _, { email, name, makerBps, takerBps }) => {
    const body = said({ email, name, makerBps, takerBps });
    output.one(await connection.call<Row>("POST", "/v1/invitations", body));
  });
  action(
    invitation.command("revoke <invitation>").description("take one back"),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("DELETE", `/v1/invitations/${escape(id)}`)),
  );
}

/** An email address that no account has is mostly that of a new customer, whom another command invites. */
function withNextStep(error: unknown, name: string): unknown {
  if (
    !(error instanceof CommandFailed) ||
    !name.includes("@") ||
    !error.message.startsWith(`There is no account ${name}`)
  )
    return error;
  const next = `to invite a new customer, use: pricetime invitation create --email ${name} --name NAME`;
  return new CommandFailed(`${error.message.replace(/\.$/, "")}; ${next}`, { cause: error });
}

/** How the holder of an account gets in. */
export function addAccountAccess(account: Command, terminal: Terminal): void {
  action(
    account
      .command("invite <account>")
      .description("mail the holder of an account that exists a link to choose a password (new: invitation create)"),
    terminal,
    async ({ connection, output }, [name = ""]) => {
      const invited = connection.call<Row>("POST", `/v1/accounts/${escape(name)}/invitation`);
      output.one(await invited.catch((error: unknown) => Promise.reject(withNextStep(error, name))));
    },
  );
  const sessions = account.command("sessions <account>").description("where its holder is signed in");
  sessions.option("--end", "sign out everywhere");
  action(sessions, terminal, async ({ connection, output }, [name = ""], { end }) => {
    const path = `/v1/accounts/${escape(name)}/sessions`;
    if (end === true) return output.one(await connection.call<Row>("DELETE", path));
    const columns = ["sessionId", "openedMs", "renewedMs", "untilMs", "ip", "client"];
    output.rows(await connection.call<Row[]>("GET", path), columns);
  });
  action(
    account
      .command("freeze <account>")
      .description("end every way in (sessions, keys, trading, withdrawing) and all open orders"),
    terminal,
    async ({ connection, output }, [name = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/accounts/${escape(name)}/freeze`)),
  );
}
