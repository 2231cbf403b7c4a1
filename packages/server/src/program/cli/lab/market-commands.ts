/** The commands that move the markets of a lab. */
import type { Command } from "commander";
import { settingsOf, wordsOf } from "./settings.ts";
import type { Row } from "../session/output.ts";
import { symbolName } from "../session/rest-session.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
