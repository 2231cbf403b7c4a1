/**
 * Regenerates the tables in docs/interface, and that of filters in docs/operate/settings.md, from the endpoint table and
 * the program's other lists. `npm run interface-tables`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { filled } from "./interface/fill.ts";

const FOLDER = resolve(import.meta.dirname, "../docs/interface");

const pages = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
for (const path of [...pages.map((name) => join(FOLDER, name)), join(FOLDER, "../operate/settings.md")]) {
  const document = readFileSync(path, "utf8");
  const made = filled(document);
  if (made === document) continue;
  writeFileSync(path, made);
  process.stdout.write(`${relative(FOLDER, path)}\n`);
}
