/** A test whose program is missing is skipped, or fails and names the program if missing programs are not allowed. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Imports an entry of the test kit on a machine without etcd. */
function importedWithoutEtcd(
  entry: string,
  missing: string,
): { readonly status: number | null; readonly said: string } {
  const code = `import * as all from "@pricetime/testkit/${entry}"; console.log(all.noEtcd);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { ...process.env, ETCD: "/nowhere/etcd", TEST_MISSING: missing },
  });
  return { status, said: stdout + stderr };
}

test("without etcd its tests report why they are skipped", () => {
  const { status, said } = importedWithoutEtcd("etcd", "");
  assert.equal(status, 0, said);
  assert.match(said, /^there is no etcd here/m);
});

test("if nothing may be missing, they fail and name etcd, and other tests run", () => {
  const { status, said } = importedWithoutEtcd("etcd", "fail");
  assert.equal(status, 1, said);
  assert.match(said, /there is no etcd here .*TEST_MISSING=fail/);
  const other = importedWithoutEtcd("venue", "fail");
  assert.equal(other.status, 0, other.said);
});
