/**
 * deploy/README.md, section systemd: its lines install the package, the configuration and the unit, with other folders
 * and ports; systemd-analyze checks the unit, and the unit's command serves. No systemd runs here, so its own lines do not.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  /** A line of the guide, or the unit, with this trial's folders in place of the machine's. */
  const here = (text: string): string =>
    text
      .replaceAll(/\/(?=(?:opt|etc|var\/lib)\/)/g, `${pricetime.home}/`)
      .replaceAll("pricetime-VERSION.tgz", pricetime.tarball)
      .replace("/usr/bin/node", process.execPath);

  before(() => {
    pricetime = installed();
    mkdirSync(join(pricetime.home, "etc/systemd/system"), { recursive: true });
    for (const line of guideLines().filter((each) => !OF_A_RUNNING_SYSTEM.test(each))) run("sh", ["-ec", here(line)]);
    unit = join(pricetime.home, "etc/systemd/system/pricetime.service");
    const text = readFileSync(unit, "utf8");
    assert.equal(text, readFileSync(UNIT, "utf8"));
    assert.match(text, /^ExecStart=\/usr\/bin\/node \/opt\/pricetime\/bin\/pricetime\.cjs /m);
    writeFileSync(unit, here(text));
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

  test("its command serves a venue, which the guide's command line asks, and SIGTERM ends it well", async () => {
    const command = guideLines().find((line) => line.includes("/bin/pricetime.cjs")) ?? assert.fail();
    let asked = "";
    const { code, said } = await serve([], () => (asked = run("sh", ["-ec", `PATH=${NODE}:$PATH ${here(command)}`])));
    assert.equal(code, 0, said);
    assert.match(said, /symbols +none yet/);
    assert.match(asked, /^account id .*\n\(none\)\n$/);
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

  /** Starts what the unit starts, `under` another program, as the guide has configured it; stops it when it is ready. */
  async function serve(
    under: readonly string[],
    whenReady?: () => unknown,
  ): Promise<{ code: number | null; said: string }> {
    const text = readFileSync(unit, "utf8");
    const words = (/^ExecStart=(.*)$/m.exec(text)?.[1] ?? "").split(" ");
    const [, data = ""] = /^Environment=PRICETIME_DATA=(.*)$/m.exec(text) ?? [];
    const environment = { PRICETIME_DATA: data, PRICETIME_PORT: "0", PRICETIME_ADMIN_PORT: "0" };
    return pricetime.serve([...under, ...words], environment, whenReady);
  }
});

const NODE = dirname(process.execPath);
/** Lines of the guide that need systemd, or the node that it runs. */
const OF_A_RUNNING_SYSTEM = /^(?:systemctl|journalctl|\/opt\/pricetime\/bin)/;

function guideLines(): string[] {
  const guide = readFileSync(join(ROOT, "deploy/README.md"), "utf8");
  const [, section = ""] = /^## systemd\n(.*?)^## /ms.exec(guide) ?? [];
  const lines = [...section.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = ""]) => line);
  assert.ok(lines.length >= 8, section);
  return lines;
}

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
