/** Runs every scenario in scenarios/*.txt on the engine with each of its books and on the model. */
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { NaiveBook } from "@pricetime/engine/naive-book";
import { parseScenarios } from "./scenario/parse.ts";
import { engineSubject, modelSubject, runScenario } from "./scenario/run.ts";

const FOLDER = new URL("./scenarios/", import.meta.url);
const SUBJECTS = [
  ["fast book", engineSubject({})],
  ["naive book", engineSubject({ newBook: () => new NaiveBook() })],
  ["fast book, restarted after every command", engineSubject({}, true)],
  ["model", modelSubject],
] as const;

for (const file of readdirSync(FOLDER)
  .filter((name) => name.endsWith(".txt"))
  .sort()) {
  const scenarios = parseScenarios(file, readFileSync(new URL(file, FOLDER), "utf8"));
  test(file, async (context) => {
    for (const scenario of scenarios) {
      await context.test(scenario.name, () => {
        for (const [name, subject] of SUBJECTS) {
          try {
            runScenario(scenario, subject);
          } catch (error) {
            throw new Error(`on the ${name}: ${String(error)}`, { cause: error });
          }
        }
      });
    }
  });
}
