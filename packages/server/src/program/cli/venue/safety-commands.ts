/** The commands that protect an account: two-factor authentication, address allowlist, status, API trading locks. */
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
  const command = account
    .command("two-factor <account>")
    .description("Set up two-factor authentication. The secret is shown only once.");
  command.option("--remove", "Turn off two-factor authentication");
  action(command, terminal, async ({ connection, output }, [name = ""], { remove }) => {
    const method = remove === true ? "DELETE" : "POST";
    output.one(await connection.call<Row>(method, `/v1/accounts/${escape(name)}/totp`));
  });
}

function addAddresses(account: Command, terminal: Terminal): void {
  const addresses = account
    .command("addresses <account>")
    .description("Show or enforce the withdrawal address allowlist.");
  addresses.addOption(onOff("--enforce <on|off>", "Allow withdrawals only to addresses on the list"));
  action(addresses, terminal, async ({ connection, output }, [name = ""], { enforce }) => {
    const path = `/v1/accounts/${escape(name)}/addresses`;
    const shown =
      enforce === undefined
        ? connection.call<Row>("GET", path)
        : connection.call<Row>("PUT", path, { isEnforced: enforce === "on" });
    output.one(await shown);
  });
  for (const [verb, method, description] of [
    ["add-address", "POST", "Add an address to the withdrawal address allowlist."],
    ["remove-address", "DELETE", "Remove an address from the withdrawal address allowlist."],
  ] as const) {
    const command = account.command(`${verb} <account> <network> <address>`);
    command.description(description).option("--tag <tag>", "Tag of the address");
    if (method === "POST") command.option("--name <text>", "Label of the address");
    action(command, terminal, async ({ connection, output }, [owner = "", network, address], { tag, name }) => {
      const body = said({ network, address, tag, name });
      output.one(await connection.call<Row>(method, `/v1/accounts/${escape(owner)}/addresses`, body));
    });
  }
}

function addStatus(account: Command, terminal: Terminal): void {
  const status = account
    .command("status <account> [message]")
    .description("Set the message that accountStatus returns, or clear it (Normal).");
  status.option("--objs <list>", "Objects returned with the message, separated by commas", list);
  action(status, terminal, async ({ connection, output }, [name = "", message = ""], { objs }) => {
    const body = said({ message, objs });
    output.one(await connection.call<Row>("PUT", `/v1/accounts/${escape(name)}/status`, body));
  });
  const trading = account.command("api-trading <account>").description("Show whether API trading is locked.");
  trading.option("--unlock", "End the lock");
  action(trading, terminal, async ({ connection, output }, [name = ""], { unlock }) => {
    const path = `/v1/accounts/${escape(name)}/api-trading`;
    const shown = unlock === true ? connection.call<Row>("DELETE", `${path}/lock`) : connection.call<Row>("GET", path);
    output.one(await shown);
  });
}
