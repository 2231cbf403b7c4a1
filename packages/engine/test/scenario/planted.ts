/** Runs the scenarios of some files while a method of the engine has a planted bug. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { InvariantBroken } from "../../src/assert.ts";
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

  /**
   * Tests that a scenario fails with each of the bugs, which answer what fails first. `scenarios.test.ts` runs the
   * scenarios without a bug.
   */
  find(bugs: Readonly<Record<string, () => string | undefined>>): void {
    for (const [name, run] of Object.entries(bugs)) {
      test(`found: ${name}`, () => {
        assert.notEqual(run(), undefined);
      });
    }
  }

  /** The first scenario that fails on an engine that is restarted after every command. */
  failing(): string | undefined {
    return this.#scenarios.find((scenario) => {
      try {
        runScenario(scenario, engineSubject({}, true));
        return false;
      } catch (error) {
        // Any other error is one of the planted bug itself, and proves nothing.
        const { cause } = error as Error;
        if (!(cause instanceof assert.AssertionError || cause instanceof InvariantBroken)) throw error;
        return true;
      }
    })?.name;
  }

  /** What fails first while a method of a class is replaced, which may be one that only the class calls. */
  failingWith<T extends object>(
    prototype: T,
    method: string,
    bug: (of: T, real: Real, args: readonly unknown[]) => unknown,
  ): string | undefined {
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
