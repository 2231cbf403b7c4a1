/**
 * deploy/README.md, section systemd: its commands install the package, the configuration and the unit, with other folders
 * and ports; systemd-analyze checks the unit, and the unit's command serves. The commands that need a running systemd are
 * skipped.
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
/** On a scale from 0 to 10; systemd rates values below 3 as OK. */
const MOST_EXPOSURE = 3;

suite("systemd", { skip: lacks("systemd-analyze") }, () => {
  let pricetime: Installed;
  let unit: string;
  /** Replaces the system folders in a command or in the unit by folders of this trial. */
  const here = (text: string): string =>
    text
      .replaceAll(/\/(?=(?:opt|etc|var\/lib)\/)/g, `${pricetime.home}/`)
      .replaceAll("pricetime-VERSION.tgz", pricetime.tarball)
      .replace("/usr/bin/node", process.execPath);

  before(() => {
    pricetime = installed();
    mkdirSync(join(pricetime.home, "etc/systemd/system"), { recursive: true });
    for (const line of guideLines().filter((each) => !NEEDS_SYSTEMD.test(each))) run("sh", ["-ec", here(line)]);
    unit = join(pricetime.home, "etc/systemd/system/pricetime.service");
    const text = readFileSync(unit, "utf8");
    assert.equal(text, readFileSync(UNIT, "utf8"));
    assert.match(text, /^ExecStart=\/usr\/bin\/node \/opt\/pricetime\/bin\/pricetime\.cjs /m);
    writeFileSync(unit, here(text));
  });
  after(() => pricetime.remove());

  test("systemd accepts the unit without a warning", () => {
    assert.equal(run("systemd-analyze", ["verify", "--man=no", unit]), "");
  });

  test("the exposure of the unit is low", (t) => {
    const report = run("systemd-analyze", ["security", "--offline=true", "--no-pager", unit]);
    const exposure = Number(/Overall exposure level for \S+: (\d+\.\d+)/.exec(report)?.[1]);
    t.diagnostic(`exposure ${exposure}`);
    assert.ok(exposure < MOST_EXPOSURE, report);
  });

  test("the command serves, responds to the guide's commands, and exits with code 0 on SIGTERM", async () => {
    const command = guideLines().find((line) => line.includes("/bin/pricetime.cjs")) ?? assert.fail();
    let asked = "";
    const { code, output } = await serve([], () => (asked = run("sh", ["-ec", `PATH=${NODE}:$PATH ${here(command)}`])));
    assert.equal(code, 0, output);
    assert.match(output, /symbols +none yet/);
    assert.match(asked, /^account id .*\n\(none\)\n$/);
  });

  test("the program makes only system calls that the unit allows", { skip: lacks("strace") }, async () => {
    const calls = join(pricetime.home, "calls");
    // With -D, the program is our child process, so we can stop it; strace writes its file after the exit.
    await serve(["strace", "-D", "-f", "-c", "-o", calls]);
    await until("strace has written its file", () => /total$/m.test(readFileSync(calls, "utf8")));
    const made = readFileSync(calls, "utf8").match(/\b[a-z]\w+$/gm) ?? [];
    const used = made.filter((name) => name !== "syscall" && name !== "total");
    assert.ok(used.includes("epoll_wait") || used.includes("epoll_pwait"), used.join(" "));
    const filters = [...readFileSync(UNIT, "utf8").matchAll(/^SystemCallFilter=(~?)(.*)$/gm)];
    const listed = (forbidden: boolean): Set<string> =>
      new Set(filters.filter(([, not]) => (not === "~") === forbidden).flatMap(([, , names]) => callsOf(names ?? "")));
    const [allowed, forbidden] = [listed(false), listed(true)];
    assert.ok(allowed.size > 100 && forbidden.size > 10);
    const faults = used.filter((name) => !allowed.has(name) || forbidden.has(name));
    // SQLite changes the owner of its files only as root; the unit's user is not root.
    assert.deepEqual(
      faults.filter((name) => process.getuid?.() !== 0 || name !== "fchown"),
      [],
    );
  });

  /** Starts the unit's command `under` another program with the guide's configuration, and stops it when it is ready. */
  async function serve(
    under: readonly string[],
    whenReady?: () => unknown,
  ): Promise<{ code: number | null; output: string }> {
    const text = readFileSync(unit, "utf8");
    const words = (/^ExecStart=(.*)$/m.exec(text)?.[1] ?? "").split(" ");
    const [, data = ""] = /^Environment=PRICETIME_DATA=(.*)$/m.exec(text) ?? [];
    const environment = { PRICETIME_DATA: data, PRICETIME_PORT: "0", PRICETIME_ADMIN_PORT: "0" };
    return pricetime.serve([...under, ...words], environment, whenReady);
  }
});

const NODE = dirname(process.execPath);
/** Commands of the guide that need systemd or the node that it runs. */
const NEEDS_SYSTEMD = /^(?:systemctl|journalctl|\/opt\/pricetime\/bin)/;

function guideLines(): string[] {
  const guide = readFileSync(join(ROOT, "deploy/README.md"), "utf8");
  const [, section = ""] = /^## systemd\n(.*?)^## /ms.exec(guide) ?? [];
  const lines = [...section.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = ""]) => line);
  assert.ok(lines.length >= 8, section);
  return lines;
}

/** The names of all system calls in groups such as `@system-service @pkey`. */
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
