/**
 * Regenerates the tables in docs/interface from the endpoint table and the program's other lists. `npm run
 * interface-tables`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { filled } from "./interface/fill.ts";

const FOLDER = resolve(import.meta.dirname, "../docs/interface");

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".md"))) {
  const path = join(FOLDER, name);
  const document = readFileSync(path, "utf8");
  const made = filled(document);
  if (made === document) continue;
  writeFileSync(path, made);
  process.stdout.write(`${name}\n`);
}
