/** The commands that inject faults into a lab. */
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import { settingsOf, wordsOf } from "./settings.ts";
import type { Row } from "../session/output.ts";
import { action, escape } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const FAULTS = "/v1/lab/faults";
/** The settings that select what a fault affects. */
const WHERE: ReadonlySet<string> = new Set([
  ...["endpoint", "account", "symbol", "method", "over"],
  ...["stream", "coin", "network", "path"],
]);

interface ListedFault {
  readonly id: number;
  readonly fault: string;
  readonly where: Row;
  readonly armed: boolean;
  readonly met: number;
  readonly struck: number;
  readonly strikes: readonly Row[];
}

export function addLabFaultCommands(lab: Command, terminal: Terminal): void {
  const fault = lab.command("fault <kind> [settings...]");
  fault.description("Inject a fault: `fault delay ms=500 endpoint=order.place count=1`.");
  action(fault, terminal, async ({ connection, output }, [kind = "", settings = []]) => {
    output.one(await connection.call<Row>("POST", FAULTS, faultOf(kind, settings as unknown as readonly string[])));
  });
  const faults = lab.command("faults [id]").description("List faults, or what one of them has affected.");
  action(faults, terminal, async ({ connection, output }, [id]) => {
    const all = await connection.call<ListedFault[]>("GET", FAULTS);
    if (id === undefined) {
      const columns = ["id", "fault", "where", "with", "armed", "met", "struck"];
      output.rows(output.isJson ? (all as unknown as Row[]) : all.map(rowOf), columns);
      return;
    }
    const one = all.find((each) => String(each.id) === id);
    if (one === undefined) throw new CommandFailed(`There is no fault ${id}. List all with: pricetime lab faults.`);
    if (output.isJson) output.one(one as unknown as Row);
    else output.rows(one.strikes, [...new Set(one.strikes.flatMap((strike) => Object.keys(strike)))]);
  });
  const clear = lab.command("clear-faults [ids...]").description("Remove these faults, or all.");
  action(clear, terminal, async ({ connection, output }, [ids = []]) => {
    const paths = (ids as unknown as readonly string[]).map((id) => `${FAULTS}/${escape(id)}`);
    let removed = 0;
    for (const path of paths.length === 0 ? [FAULTS] : paths) {
      removed += Number((await connection.call<Row>("DELETE", path))["removed"]);
    }
    output.one({ removed });
  });
}

/** The settings that select what it affects go into `where`. */
function faultOf(kind: string, words: readonly string[]): Row {
  const settings = Object.entries(settingsOf(words));
  const where = settings.filter(([name]) => WHERE.has(name));
  const fields = Object.fromEntries(settings.filter(([name]) => !WHERE.has(name)));
  return { fault: kind, ...fields, ...(where.length > 0 && { where: Object.fromEntries(where) }) };
}

function rowOf({ id, fault, where, armed, met, struck, strikes: _strikes, ...settings }: ListedFault): Row {
  return { id, fault, where: wordsOf(where), with: wordsOf(settings), armed, met, struck };
}
