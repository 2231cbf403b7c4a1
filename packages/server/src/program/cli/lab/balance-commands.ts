/** The command that sets balances of an account in a lab. */
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

interface Balances {
  readonly balances: Readonly<Record<string, { readonly free: string; readonly locked: string }>>;
}

export function addLabBalanceCommands(lab: Command, terminal: Terminal): void {
  const balances = lab.command("balances <account> <amounts...>");
  balances.description("Set available balances of an account: `balances alice@demo.pricetime BTC=2 USDT=0`.");
  action(balances, terminal, async ({ connection, output }, [account = "", amounts = []]) => {
    const path = `/v1/lab/accounts/${escape(account)}/balances`;
    const sent = Object.fromEntries((amounts as unknown as readonly string[]).map(amountOf));
    const { balances: told } = await connection.call<Balances>("POST", path, sent);
    const rows = Object.entries(told).map(([asset, balance]): Row => ({ asset, ...balance }));
    output.rows(rows, ["asset", "free", "locked"]);
  });
}

function amountOf(word: string): [asset: string, amount: string] {
  const [, asset = "", amount = ""] = /^([^=]+)=(.+)$/.exec(word) ?? [];
  if (asset === "") throw new CommandFailed(`'${word}' is not a balance. Use ASSET=AMOUNT.`);
  return [asset, amount];
}
