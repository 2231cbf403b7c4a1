/** The commands that move the markets of a lab, add agents to them, and set balances of accounts. */
import type { Command } from "commander";
import { action, escape, settingsOf, wordsOf } from "../session/session.ts";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { symbolName } from "../session/rest.ts";

const MARKETS = "/v1/lab/markets";

interface LabMarket {
  readonly symbol: string;
  readonly status: string;
  readonly driver: string | null;
  readonly price: string | number | null;
  readonly holds: Row | null;
  readonly scheduled: readonly Row[];
}

export function addLabMarketCommands(lab: Command, terminal: Terminal): void {
  const market = lab.command("market <symbol> [moves...]");
  market.description(
    "Show or move a market: `market BTCUSDT crash.percent=20 crash.overMs=5000`, or `halt=true inMs=60000`.",
  );
  action(market, terminal, async ({ connection, output }, [symbol, moves = []]) => {
    const path = `${MARKETS}/${escape(symbolName(symbol))}`;
    const words = moves as unknown as readonly string[];
    const shown =
      words.length === 0
        ? await connection.call<LabMarket>("GET", path)
        : await connection.call<LabMarket>("POST", path, settingsOf(words));
    output.one(
      output.isJson ? (shown as unknown as Row) : { ...rowOf(shown), scheduled: shown.scheduled.map(moveRow) },
    );
  });
  const cancel = lab.command("cancel <symbol> [ids...]");
  cancel.description("Cancel scheduled moves of a market: these, or all.");
  action(cancel, terminal, async ({ connection, output }, [symbol, ids = []]) => {
    const path = `${MARKETS}/${escape(symbolName(symbol))}`;
    const paths = (ids as unknown as readonly string[]).map((id) => `${path}/${escape(id)}`);
    let shown: LabMarket | undefined;
    for (const each of paths.length === 0 ? [path] : paths) shown = await connection.call<LabMarket>("DELETE", each);
    output.rows(shown?.scheduled.map((move) => (output.isJson ? move : moveRow(move))) ?? [], ["id", "atMs", "move"]);
  });
  const markets = lab.command("markets").description("List markets with their state and scheduled moves.");
  action(markets, terminal, async ({ connection, output }) => {
    const all = await connection.call<LabMarket[]>("GET", MARKETS);
    const columns = ["symbol", "status", "driver", "price", "scheduled"];
    output.rows(output.isJson ? (all as unknown as Row[]) : all.map(rowOf), columns);
  });
}

/** The journal records the operator. */
function moveRow({ id, atMs, symbol: _symbol, by: _by, ...move }: Row): Row {
  return { id, atMs, move: wordsOf(move) };
}

function rowOf({ holds, scheduled, ...market }: LabMarket): Row {
  return { ...market, ...(holds !== null && { holds: wordsOf(holds) }), scheduled: scheduled.length };
}

// Agents.

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
    output.one(output.isJson ? (made as unknown as Row) : agentRow(made));
  });
  const agents = lab.command("agents [id] [what]");
  agents.description("List agents with their profit, or change a group: `agents 2 off`, `agents 2 remove`.");
  action(agents, terminal, async ({ connection, output }, [id, what]) => {
    if (id !== undefined) {
      const path = `${AGENTS}/${escape(id)}`;
      if (what === "remove") return output.one(await connection.call<Row>("DELETE", path));
      if (what !== "on" && what !== "off") throw new CommandFailed("Specify on, off or remove after the ID.");
      const turned = await connection.call<ListedAgents>("POST", path, { isOn: what === "on" });
      return output.one(output.isJson ? (turned as unknown as Row) : agentRow(turned));
    }
    const all = await connection.call<ListedAgents[]>("GET", AGENTS);
    const columns = ["id", "type", "symbol", "count", "isOn", "trades", "volumeQuote", "positionBase", "profitQuote"];
    output.rows(output.isJson ? (all as unknown as Row[]) : all.map(agentRow), columns);
  });
}

function agentRow({ settings, accounts, ...rest }: ListedAgents): Row {
  return { ...rest, settings: wordsOf(settings), accounts: accounts.join(" ") };
}

// Balances.

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
