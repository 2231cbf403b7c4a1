/** The commands that guard an account: two-factor codes, address list, status, and locks of API trading. */
import type { Command } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, list, onOff, said } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addAccountSafety(account: Command, terminal: Terminal): void {
  addTotp(account, terminal);
  addAddresses(account, terminal);
  addStatus(account, terminal);
}

function addTotp(account: Command, terminal: Terminal): void {
  const command = account.command("two-factor <account>").description("make a secret for codes; shown this once");
  command.option("--remove", "no codes are demanded any more");
  action(command, terminal, async ({ connection, output }, [name = ""], { remove }) => {
    const method = remove === true ? "DELETE" : "POST";
    output.one(await connection.call<Row>(method, `/v1/accounts/${escape(name)}/totp`));
  });
}

function addAddresses(account: Command, terminal: Terminal): void {
  const addresses = account.command("addresses <account>").description("where withdrawals may go: show, or enforce");
  addresses.addOption(onOff("--enforce <on|off>", "withdrawals go to these addresses alone"));
  action(addresses, terminal, async ({ connection, output }, [name = ""], { enforce }) => {
    const path = `/v1/accounts/${escape(name)}/addresses`;
    const shown =
      enforce === undefined
        ? connection.call<Row>("GET", path)
        : connection.call<Row>("PUT", path, { isEnforced: enforce === "on" });
    output.one(await shown);
  });
  for (const [verb, method] of [
    ["allow", "POST"],
    ["disallow", "DELETE"],
  ] as const) {
    const command = account.command(`${verb} <account> <network> <address>`);
    command
      .description(`${verb} withdrawals to an address, once the list is enforced`)
      .option("--tag <tag>", "its tag");
    if (verb === "allow") command.option("--name <text>", "what the customer calls it");
    action(command, terminal, async ({ connection, output }, [owner = "", network, address], { tag, name }) => {
      const body = said({ network, address, tag, name });
      output.one(await connection.call<Row>(method, `/v1/accounts/${escape(owner)}/addresses`, body));
    });
  }
}

function addStatus(account: Command, terminal: Terminal): void {
  const status = account
    .command("status <account> [message]")
    .description("what accountStatus tells it; nothing: Normal");
  status.option("--objs <list>", "the list beside the message", list);
  action(status, terminal, async ({ connection, output }, [name = "", message = ""], { objs }) => {
    const body = said({ message, objs });
    output.one(await connection.call<Row>("PUT", `/v1/accounts/${escape(name)}/status`, body));
  });
  const trading = account.command("api-trading <account>").description("whether trading by API is locked");
  trading.option("--unlock", "end the lock now");
  action(trading, terminal, async ({ connection, output }, [name = ""], { unlock }) => {
    const path = `/v1/accounts/${escape(name)}/api-trading`;
    const shown = unlock === true ? connection.call<Row>("DELETE", `${path}/lock`) : connection.call<Row>("GET", path);
    output.one(await shown);
  });
}
