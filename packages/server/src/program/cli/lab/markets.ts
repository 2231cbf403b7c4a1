/** Commands that move a lab's markets, add agents, and set balances of accounts. */
import { command } from "../session/command-row.ts";
import { symbolName } from "../session/rest.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { BODY, escape, settingsOf, wordsOf } from "../session/values.ts";

const MARKETS = "/v1/lab/markets";

interface LabMarket {
  readonly symbol: string;
  readonly status: string;
  readonly driver: string | null;
  readonly price: string | number | null;
  readonly holds: Row | null;
  readonly scheduled: readonly Row[];
}

const MARKET = command("market", "GET /v1/lab/markets/:symbol")
  .calls("POST /v1/lab/markets/:symbol", "moves")
  .text("Show or move a market: `market BTCUSDT crash.percent=20 crash.overMs=5000`, or `halt=true inMs=60000`.")
  .argument("<symbol>", "", { convert: symbolName })
  .argument("[moves...]", "", { field: BODY, convert: settingsOf })
  .table((market: LabMarket) => ({ ...marketRow(market), scheduled: market.scheduled.map(moveRow) }));

const CANCEL = command("cancel <symbol> [ids...]")
  .text("Cancel scheduled moves of a market: these, or all.")
  .runs(async ({ connection, output }, { symbol, ids = [] }: { symbol: string; ids?: readonly string[] }) => {
    const path = `${MARKETS}/${escape(symbolName(symbol))}`;
    const paths = ids.map((id) => `${path}/${escape(id)}`);
    let shown: LabMarket | undefined;
    for (const each of paths.length === 0 ? [path] : paths) shown = await connection.call<LabMarket>("DELETE", each);
    output.rows(shown?.scheduled.map((move) => (output.isJson ? move : moveRow(move))) ?? [], ["id", "atMs", "move"]);
  });

const ALL_MARKETS = command("markets", "GET /v1/lab/markets")
  .text("List markets with their state and scheduled moves.")
  .table((markets: readonly LabMarket[]) => markets.map(marketRow))
  .columns("symbol", "status", "driver", "price", "scheduled");

function moveRow({ id, atMs, symbol: _symbol, by: _by, ...move }: Row): Row {
  return { id, atMs, move: wordsOf(move) };
}

function marketRow({ holds, scheduled, ...market }: LabMarket): Row {
  return { ...market, ...(holds !== null && { holds: wordsOf(holds) }), scheduled: scheduled.length };
}

const AGENTS = "/v1/lab/agents";

interface ListedAgents {
  readonly id: number;
  readonly settings: Row;
  readonly accounts: readonly string[];
}

interface NewAgents {
  readonly type: string;
  readonly symbol: string;
  readonly settings?: readonly string[];
}

const ADD_AGENT = command("agent <type> <symbol> [settings...]", "POST /v1/lab/agents")
  .text("Add trading agents to a market: `agent momentum BTCUSDT count=3 lookbackMs=60000`.")
  .sends(({ type, symbol, settings = [] }: NewAgents) => ({
    ...{ type, symbol: symbolName(symbol) },
    ...settingsOf(settings),
  }))
  .table(agentRow);

const ALL_AGENTS = command("agents [id] [what]")
  .text("List agents with their profit, or change a group: `agents 2 off`, `agents 2 remove`.")
  .runs(async ({ connection, output }, { id, what }: { readonly id?: string; readonly what?: string }) => {
    const shown = (agents: ListedAgents): Row => (output.isJson ? { ...agents } : agentRow(agents));
    if (id === undefined) {
      const all = await connection.call<ListedAgents[]>("GET", AGENTS);
      return output.rows(all.map(shown), [
        ...["id", "type", "symbol", "count", "isOn", "trades", "volumeQuote", "positionBase", "profitQuote"],
      ]);
    }
    const path = `${AGENTS}/${escape(id)}`;
    if (what === "remove") return output.one(await connection.call<Row>("DELETE", path));
    if (what !== "on" && what !== "off") throw new CommandFailed("Specify on, off or remove after the ID.");
    output.one(shown(await connection.call<ListedAgents>("POST", path, { isOn: what === "on" })));
  });

function agentRow({ settings, accounts, ...rest }: ListedAgents): Row {
  return { ...rest, settings: wordsOf(settings), accounts: accounts.join(" ") };
}

interface Balances {
  readonly balances: Readonly<Record<string, { readonly free: string; readonly locked: string }>>;
}

const SET_BALANCES = command("balances <account>", "POST /v1/lab/accounts/:account/balances")
  .text("Set available balances of an account: `balances alice@demo.pricetime BTC=2 USDT=0`.")
  .argument("<amounts...>", "", {
    field: BODY,
    convert: (words: readonly string[]) => Object.fromEntries(words.map(amountOf)),
  })
  .answer(({ balances }: Balances) => Object.entries(balances).map(([asset, balance]) => ({ asset, ...balance })))
  .columns("asset", "free", "locked");

function amountOf(word: string): [asset: string, amount: string] {
  const [, asset = "", amount = ""] = /^([^=]+)=(.+)$/.exec(word) ?? [];
  if (asset === "") throw new CommandFailed(`'${word}' is not a balance. Use ASSET=AMOUNT.`);
  return [asset, amount];
}

export const LAB_MARKETS = [MARKET, CANCEL, ALL_MARKETS, ADD_AGENT, ALL_AGENTS, SET_BALANCES];
