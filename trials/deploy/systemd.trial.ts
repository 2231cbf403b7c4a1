/** deploy/systemd: what systemd says of the unit, and what the program does of what the unit forbids. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type Installed, installed } from "./installed.ts";
import { lacks, run } from "./tools.ts";

const UNIT = join(ROOT, "deploy/systemd/pricetime.service");
/** On a scale of 10; systemd calls less than 3 OK. */
const MOST_EXPOSURE = 3;

suite("systemd", { skip: lacks("systemd-analyze") }, () => {
  let pricetime: Installed;
  let unit: string;
  before(() => {
    pricetime = installed();
    unit = join(pricetime.home, "pricetime.service");
    const text = readFileSync(UNIT, "utf8");
    assert.match(text, /^ExecStart=\/usr\/bin\/node \/opt\/pricetime\/bin\/pricetime\.cjs /m);
    const here = text.replace("/usr/bin/node", process.execPath).replaceAll("/opt/pricetime", pricetime.folder);
    writeFileSync(unit, here);
  });
  after(() => pricetime.remove());

  test("systemd reads it without a word", () => {
    assert.equal(run("systemd-analyze", ["verify", "--man=no", unit]), "");
  });

  test("its exposure is low", (t) => {
    const said = run("systemd-analyze", ["security", "--offline=true", "--no-pager", unit]);
    const exposure = Number(/Overall exposure level for \S+: (\d+\.\d+)/.exec(said)?.[1]);
    t.diagnostic(`exposure ${exposure}`);
    assert.ok(exposure < MOST_EXPOSURE, said);
  });

  test("its command serves a venue, and SIGTERM ends it well", async () => {
    const { code, said } = await serve([]);
    assert.equal(code, 0, said);
  });

  test("it makes no system call that the unit forbids", { skip: lacks("strace") }, async () => {
    const calls = join(pricetime.home, "calls");
    // -D: the program is our own child, to be told to stop; strace looks on, and writes when it is gone.
    await serve(["strace", "-D", "-f", "-c", "-o", calls]);
    await until("strace has written", () => /total$/m.test(readFileSync(calls, "utf8")));
    const made = readFileSync(calls, "utf8").match(/\b[a-z]\w+$/gm) ?? [];
    const used = made.filter((name) => name !== "syscall" && name !== "total");
    assert.ok(used.includes("epoll_wait") || used.includes("epoll_pwait"), used.join(" "));
    const filters = [...readFileSync(UNIT, "utf8").matchAll(/^SystemCallFilter=(~?)(.*)$/gm)];
    const listed = (forbidden: boolean): Set<string> =>
      new Set(filters.filter(([, not]) => (not === "~") === forbidden).flatMap(([, , names]) => callsOf(names ?? "")));
    const [allowed, forbidden] = [listed(false), listed(true)];
    assert.ok(allowed.size > 100 && forbidden.size > 10);
    const faults = used.filter((name) => !allowed.has(name) || forbidden.has(name));
    // SQLite gives its side files to the owner of the database, as root alone; the unit's user is not root.
    assert.deepEqual(
      faults.filter((name) => process.getuid?.() !== 0 || name !== "fchown"),
      [],
    );
  });

  /** Starts what the unit starts, `under` another program; stops it when it is ready. */
  async function serve(under: readonly string[]): Promise<{ code: number | null; said: string }> {
    const config = join(pricetime.home, "pricetime.yaml");
    writeFileSync(config, "port: 0\nadminPort: 0\n");
    const command = /^ExecStart=(.*)$/m.exec(readFileSync(unit, "utf8"))?.[1] ?? "";
    const words = command.replace("/etc/pricetime/pricetime.yaml", config).split(" ");
    return pricetime.serve([...under, ...words], { PRICETIME_DATA: join(pricetime.home, "data") });
  }
});

/** `@system-service @pkey`: the names of all calls in them. */
function callsOf(names: string): string[] {
  return names
    .split(" ")
    .filter((name) => name !== "")
    .flatMap((name) => {
      if (!name.startsWith("@")) return [name];
      const { stdout } = spawnSync("systemd-analyze", ["syscall-filter", "--no-pager", name], { encoding: "utf8" });
      const members = stdout
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
      return callsOf(members.filter((line) => /^@?[a-z][\w-]*$/.test(line)).join(" "));
    });
}
