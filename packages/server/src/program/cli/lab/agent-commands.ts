/** The commands for the agents of a lab's markets. */
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import { settingsOf, wordsOf } from "./settings.ts";
import type { Row } from "../session/output.ts";
import { symbolName } from "../session/rest-session.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const AGENTS = "/v1/lab/agents";

interface ListedAgents {
  readonly id: number;
  readonly settings: Row;
  readonly accounts: readonly string[];
}

export function addLabAgentCommands(lab: Command, terminal: Terminal): void {
  const agent = lab.command("agent <type> <symbol> [settings...]");
  agent.description("Add trading agents to a market: `agent momentum BTCUSDT count=3 lookbackMs=60000`.");
  action(agent, terminal, async ({ connection, output }, [type = "", symbol, settings = []]) => {
    const asked = { type, symbol: symbolName(symbol), ...settingsOf(settings as unknown as readonly string[]) };
    const made = await connection.call<ListedAgents>("POST", AGENTS, asked);
    output.one(output.isJson ? (made as unknown as Row) : rowOf(made));
  });
  const agents = lab.command("agents [id] [what]");
  agents.description("List agents with their profit, or change a group: `agents 2 off`, `agents 2 remove`.");
  action(agents, terminal, async ({ connection, output }, [id, what]) => {
    if (id !== undefined) {
      const path = `${AGENTS}/${escape(id)}`;
      if (what === "remove") return output.one(await connection.call<Row>("DELETE", path));
      if (what !== "on" && what !== "off") throw new CommandFailed("Specify on, off or remove after the ID.");
      const turned = await connection.call<ListedAgents>("POST", path, { isOn: what === "on" });
      return output.one(output.isJson ? (turned as unknown as Row) : rowOf(turned));
    }
    const all = await connection.call<ListedAgents[]>("GET", AGENTS);
    const columns = ["id", "type", "symbol", "count", "isOn", "trades", "volumeQuote", "positionBase", "profitQuote"];
    output.rows(output.isJson ? (all as unknown as Row[]) : all.map(rowOf), columns);
  });
}

function rowOf({ settings, accounts, ...rest }: ListedAgents): Row {
  return { ...rest, settings: wordsOf(settings), accounts: accounts.join(" ") };
}
