/** Differences on Windows that can be tested elsewhere: folders are not synced, and a signer does not run. */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { writePrivateFile } from "../../../src/platform/config/private-file.ts";
import { REAL_FILES } from "../../../src/journal/replica/snapshots.ts";
import { createKeyFile, readKeyFile } from "../../../src/funds/wallet/evm/signer/keys.ts";

const real = process.platform;
const playAs = (platform: string): unknown => Object.defineProperty(process, "platform", { value: platform });
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  playAs("win32");
});
afterEach(() => {
  playAs(real);
  rmSync(folder, { recursive: true });
});

test("folders are not opened", () => {
  REAL_FILES.syncFolder(join(folder, "none"));
  writePrivateFile(join(folder, "a"), "text");
  assert.equal(readFileSync(join(folder, "a"), "utf8"), "text");
  playAs("linux");
  assert.throws(() => REAL_FILES.syncFolder(join(folder, "none")), /ENOENT/);
});

test("a signer reports that it does not run on Windows", () => {
  assert.throws(() => createKeyFile(join(folder, "seed")), ConfigError);
  assert.throws(() => readKeyFile(join(folder, "seed")), /Windows/);
});
