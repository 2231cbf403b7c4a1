/** Dumps everything in a history file, table by table, for comparison. */
import { DatabaseSync } from "node:sqlite";

export function dumpHistory(path: string): Record<string, string[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const dump: Record<string, string[]> = {};
  for (const { name } of names as { name: string }[]) {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all().length;
    const order = [1, 2, 3].slice(0, columns).join(", ");
    const statement = database.prepare(`SELECT * FROM ${name} ORDER BY ${order}`);
    statement.setReadBigInts(true);
    dump[name] = statement.all().map((row) => Object.values(row).join("|"));
  }
  database.close();
  return dump;
}
