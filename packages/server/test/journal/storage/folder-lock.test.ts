import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { FolderInUse, lockFolder } from "../../../src/journal/storage/data-folder.ts";

const MODULE = new URL("../../../src/journal/storage/data-folder.ts", import.meta.url).href;

test("a folder has one owner, until it is released", (t) => {
  const folder = scratchFolder(t);
  const lock = lockFolder(folder);
  assert.throws(() => lockFolder(folder), FolderInUse);
  lock.release();
  lockFolder(folder).release();
});

test("the lock of a killed process is released", async (t) => {
  const folder = scratchFolder(t);
  const script = `import { lockFolder } from "${MODULE}"; lockFolder(${JSON.stringify(folder)});
    console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  assert.throws(() => lockFolder(folder), { name: "FolderInUse", message: /in use by another node/ });
  child.kill("SIGKILL");
  await once(child, "exit");
  lockFolder(folder).release();
});
