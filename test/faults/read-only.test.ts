/** A disk that turns read-only under a running node, as file systems do that find an error in themselves. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { unmount } from "@pricetime/testkit/small-disk";
import { resting, startRig, verifyFolder } from "./rig.ts";

const DISK_BYTES = 128 << 20;

interface FailingDisk {
  /** A folder on it. */
  readonly folder: string;
  turnReadOnly(): void;
  /** Can be written again, once nobody uses it. */
  mend(): void;
}

/** Undefined where this user may not have one. A plain `remount,ro` is refused while files are open. */
function failingDisk(t: TestContext): FailingDisk | undefined {
  const scratch = scratchFolder(t);
  const [image, mounted] = [join(scratch, "image"), join(scratch, "disk")];
  writeFileSync(image, "");
  truncateSync(image, DISK_BYTES);
  mkdirSync(mounted);
  const run = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
  const mount = (): boolean => run("mount", "-o", "loop,errors=remount-ro", image, mounted);
  if (!run("mkfs.ext4", "-q", image) || !mount()) return undefined;
  inTheEnd(t, () => unmount(mounted));
  const fault = (): string => {
    const device = spawnSync("findmnt", ["-no", "SOURCE", mounted]).stdout.toString().trim();
    return `/sys/fs/ext4/${basename(device)}/trigger_fs_error`;
  };
  try {
    accessSync(fault(), constants.W_OK);
  } catch {
    return undefined;
  }
  return {
    folder: join(mounted, "data"),
    turnReadOnly: () => writeFileSync(fault(), "by a test"),
    mend: () => assert.ok(run("umount", mounted) && mount()),
  };
}

test("a node whose disk has turned read-only stops in order, and says what it could not write", async (t) => {
  const disk = failingDisk(t);
  if (disk === undefined) return t.skip("this user may not mount a disk and have it fail");
  const { exchange, client } = await startRig(t, disk.folder);
  assert.equal((await resting(client, "before")).status, 200);
  disk.turnReadOnly();
  assert.ok((await resting(client, "meanwhile")).status >= 500);
  assert.equal(await exchange.stop(), 0);
  const said = exchange.output();
  assert.match(said, /"why":"EROFS[^"]*","msg":"cannot remove admin.json"/);
  assert.match(said, /"msg":"stopped"/);
  assert.doesNotMatch(said, /^pricetime: |\.ts:\d+/m, "it looks like a crash");
  disk.mend();
  verifyFolder(disk.folder);
  const again = await startRig(t, disk.folder);
  const open = await again.client.signed<{ clientOrderId: string }[]>("GET", "/api/v3/openOrders");
  assert.equal(open.json[0]?.clientOrderId, "before");
  assert.equal(await again.exchange.stop(), 0);
});
