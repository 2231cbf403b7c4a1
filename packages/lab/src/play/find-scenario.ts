/** Finds a scenario: a file, or one of those that come with the package by its name. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The slash at the end says that it is a folder. */
const FOLDER = fileURLToPath(new URL("../../../../examples/scenarios/", import.meta.url));
const ENDS = ".yaml";

/** Throws `RangeError` when there is none. */
export function findScenario(said: string): string {
  if (existsSync(said)) return said;
  const path = join(FOLDER, `${said}${ENDS}`);
  if (/^[a-z0-9-]+$/.test(said) && existsSync(path)) return path;
  throw new RangeError(`There is no scenario ${said}. Specify a file, or one of ${scenarioNames().join(", ")}.`);
}

/** Those that come with the package. */
function scenarioNames(): readonly string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(ENDS));
  return files.map((name) => name.slice(0, -ENDS.length)).sort();
}
