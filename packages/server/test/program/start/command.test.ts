import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { commandToType } from "../../../src/program/start/banner.ts";

test("commands are called as npx was asked for the package; by its name where it is installed", () => {
  const folder = temporaryFolder();
  try {
    const cache = join(folder, "_npx", "0a1b");
    const program = join(cache, "node_modules", "pricetime", "lib", "main.js");
    mkdirSync(cache, { recursive: true });
    assert.equal(commandToType(program), "npx pricetime");
    const asked = (spec: string): void =>
      writeFileSync(join(cache, "package.json"), JSON.stringify({ _npx: { packages: [spec] } }));
    asked("file:/a/pricetime-1.2.3.tgz");
    assert.equal(commandToType(program), "npx --yes file:/a/pricetime-1.2.3.tgz");
    asked("file:/my files/pricetime-1.2.3.tgz");
    assert.equal(commandToType(program), 'npx --yes "file:/my files/pricetime-1.2.3.tgz"');
    assert.equal(commandToType(join(folder, "node_modules", "pricetime", "lib", "main.js")), "npx pricetime");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
