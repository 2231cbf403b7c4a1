/** Runs the scenarios of some files while a method of the engine has a planted bug. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseScenarios } from "./parse.ts";
import { engineSubject, runScenario } from "./run.ts";

type Real = (...args: readonly unknown[]) => unknown;

export class PlantedBugs {
  readonly #scenarios;

  constructor(...files: readonly string[]) {
    this.#scenarios = files.flatMap((file) =>
      parseScenarios(file, readFileSync(new URL(`../scenarios/${file}`, import.meta.url), "utf8")),
    );
  }

  /** Tests that no scenario fails as it is, and one with each of the bugs, which answer what fails. */
  find(bugs: Readonly<Record<string, () => readonly string[]>>): void {
    test("without a bug, no scenario fails", () => {
      assert.deepEqual(this.failing(), []);
    });
    for (const [name, run] of Object.entries(bugs)) {
      test(`found: ${name}`, () => {
        assert.notDeepEqual(run(), []);
      });
    }
  }

  /** The scenarios that fail on an engine that is restarted after every command. */
  failing(): readonly string[] {
    return this.#scenarios
      .filter((scenario) => {
        try {
          runScenario(scenario, engineSubject({}, true));
          return false;
        } catch {
          return true;
        }
      })
      .map(({ name }) => name);
  }

  /** What fails while a method of a class is replaced, which may be one that only the class calls. */
  failingWith<T extends object>(
    prototype: T,
    method: string,
    bug: (of: T, real: Real, args: readonly unknown[]) => unknown,
  ): readonly string[] {
    const methods = prototype as unknown as Record<string, Real>;
    const real = methods[method] as Real;
    methods[method] = function (this: T, ...args) {
      return bug(this, real.bind(this), args);
    };
    try {
      return this.failing();
    } finally {
      methods[method] = real;
    }
  }
}
