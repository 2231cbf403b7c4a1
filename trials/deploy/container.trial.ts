/**
 * deploy/container: checks the Containerfile, builds it with buildah on a base image that is created here (Node and its
 * libraries; nothing is downloaded), and runs the image with its configuration. There is no container engine, so it runs
 * by chroot in the container's root.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { after, before, suite, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { type DemoFile, ROOT } from "@pricetime/testkit/venue";
import { type Installed, installed } from "./installed.ts";
import { readyLine } from "../package/machine.ts";
import { freePort, lacks, run } from "./tools.ts";

const CONTAINERFILE = join(ROOT, "deploy/container/Containerfile");

/** The instructions with their arguments. Continued lines are joined. */
function instructions(): [name: string, rest: string][] {
  const lines = readFileSync(CONTAINERFILE, "utf8")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines.flatMap((line) => {
    const found = /^(?<name>[A-Z]+) (?<rest>.+)$/.exec(line)?.groups;
    assert.ok(found !== undefined || line === "" || line.startsWith("#"), `unknown instruction: ${line}`);
    return found === undefined ? [] : [[found["name"] ?? "", found["rest"] ?? ""] as [string, string]];
  });
}
const of = (name: string): string[] => instructions().flatMap(([found, rest]) => (found === name ? [rest] : []));

test("the image runs without root and shell, exposes one port and uses the tested Node", () => {
  assert.match(of("USER")[0] ?? "", /^[1-9]\d*:[1-9]\d*$/);
  assert.deepEqual(of("EXPOSE"), ["8080"]);
  assert.deepEqual(of("STOPSIGNAL"), ["SIGTERM"]);
  assert.deepEqual(of("VOLUME"), ["/data"]);
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies: { node: string };
  };
  assert.match(of("ARG")[0] ?? "", new RegExp(`:${dependencies.node}-`));
  const commands = [
    ...of("RUN"),
    ...of("ENTRYPOINT"),
    ...of("CMD"),
    ...of("HEALTHCHECK").map((rest) => rest.replace(/^.* CMD /, "")),
  ];
  assert.equal(commands.length, 5);
  for (const command of commands) {
    const words = JSON.parse(command) as string[];
    if (words[1] === "-e") run(process.execPath, ["--check", "-"], { input: words[2] ?? "" });
  }
  assert.match(of("HEALTHCHECK")[0] ?? "", /\/healthz/);
});

const skip = process.getuid?.() === 0 ? lacks("buildah") : "only root may build here";

suite("built and run", { skip }, () => {
  let pricetime: Installed;
  let container: string;
  let image: Image;
  let environment: string[];
  let adminPort: number;
  const children: ChildProcess[] = [];
  const buildah = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("buildah", [...storage(), ...args], { encoding: "utf8" });
    assert.equal(status, 0, `buildah ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout.trim();
  };
  const storage = (): string[] => [
    "--storage-driver",
    "vfs",
    "--root",
    join(pricetime.home, "store"),
    "--runroot",
    join(pricetime.home, "run"),
  ];

  before(async () => {
    pricetime = installed();
    makeBase(join(pricetime.home, "base"));
    writeFileSync(join(pricetime.home, "base/Containerfile"), "FROM scratch\nCOPY root /\nENV PATH=/usr/local/bin\n");
    const build = ["bud", "--isolation", "chroot", "--format", "docker", "--layers=false"];
    buildah(...build, "-t", "localhost/base", join(pricetime.home, "base"));
    buildah(
      ...build,
      "--build-arg",
      "BASE=localhost/base",
      "-f",
      CONTAINERFILE,
      "-t",
      "localhost/pricetime",
      dirname(pricetime.tarball),
    );
    image = (JSON.parse(buildah("inspect", "--type", "image", "localhost/pricetime")) as { Docker: { config: Image } })
      .Docker.config;
    container = buildah("from", "localhost/pricetime");
    // Otherwise buildah would mount its own volume over the given one.
    buildah("config", "--volume", "/data-", container);
    // The container uses the machine's network, where ports may be in use.
    adminPort = await freePort();
    const ports = [`PRICETIME_PORT=${await freePort()}`, `PRICETIME_ADMIN_PORT=${adminPort}`];
    environment = [...ports, "PRICETIME_HOST=127.0.0.1"];
  });
  after(() => {
    for (const child of children) child.kill("SIGKILL");
    buildah("rm", "--all");
    pricetime.remove();
  });

  /** Starts a command in the container with its user and its volume. */
  function inside(command: readonly string[]): ChildProcess {
    const volume = ["--volume", `${join(pricetime.home, "data")}:/data`];
    const options = ["run", "--isolation", "chroot", ...environment.flatMap((each) => ["--env", each]), ...volume];
    const args = [...storage(), ...options, container, "--", ...command];
    const child = spawn("buildah", args, { stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    return child;
  }

  test("serves as its user, is healthy, writes only to its volume, and exits with code 0 on SIGTERM", async (t) => {
    mkdirSync(join(pricetime.home, "data"), { mode: 0o700 });
    chownSync(join(pricetime.home, "data"), 1000, 1000);
    const root = buildah("mount", container);
    const before = fingerprint(root);
    assert.equal(statSync(join(root, "data")).uid, 1000);

    const running = inside([...image.Entrypoint, ...image.Cmd]);
    const rest = await readyLine(running);
    const pid = programOf(root);
    assert.match(readFileSync(`/proc/${pid}/status`, "utf8"), /^Uid:\s+1000\s+1000\s/m);
    const { accounts } = JSON.parse(readFileSync(join(pricetime.home, "data/demo.json"), "utf8")) as DemoFile;
    const client = new Client(rest, accounts[0]);
    const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01", timestamp: Date.now() };
    assert.equal((await client.signed("POST", "/api/v3/order", order)).status, 200);
    client.close();

    // As with --network host. The guide says where the console and its token are.
    const guide = readFileSync(join(ROOT, "deploy/README.md"), "utf8");
    const [, script = ""] = /`podman exec venue node -p '([^']+)'`/.exec(guide) ?? [];
    const token = await printed(inside(["node", "-p", script]));
    const admin = `http://127.0.0.1:${adminPort}`;
    const page = await fetch(`${admin}/`, { headers: { accept: "text/html" } });
    assert.match(await page.text(), /<title>Console/);
    const overview = await fetch(`${admin}/v1/overview`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(overview.status, 200);

    const healthCommand = image.Healthcheck.Test.slice(1);
    assert.deepEqual(await once(inside(healthCommand), "exit"), [0, null]);
    process.kill(pid, image.StopSignal === "SIGTERM" ? "SIGTERM" : "SIGKILL");
    assert.deepEqual(await once(running, "exit"), [0, null]);
    assert.notDeepEqual(await once(inside(healthCommand), "exit"), [0, null]);
    assert.deepEqual(fingerprint(root), before, "files outside of the volume have changed");
    assert.ok(!existsSync(join(pricetime.home, "data/journal.sqlite-wal")), "the program did not stop cleanly");
    t.diagnostic(`root: ${before.length} files`);
  });
});

interface Image {
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Copies this Node and the libraries that it is linked with. */
function makeBase(folder: string): void {
  const libraries = run("ldd", [process.execPath]).match(/\/[^\s()]+/g) ?? [];
  const places = [[process.execPath, "/usr/local/bin/node"], ...libraries.map((path) => [path, path])];
  for (const [from = "", to = ""] of places) {
    mkdirSync(dirname(join(folder, "root", to)), { recursive: true });
    copyFileSync(from, join(folder, "root", to));
  }
  mkdirSync(join(folder, "root/tmp"), { mode: 0o777 });
}

/** All files in a container's root with size and modification time. */
function fingerprint(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => !/^(?:proc|sys|dev|run|etc|data)\b/.test(name),
  );
  return names.flatMap((name) => {
    const file = statSync(join(root, name), { throwIfNoEntry: false });
    return file?.isFile() === true ? [`${name} ${file.size} ${file.mtimeMs}`] : [];
  });
}

/** The process that runs the program with that root folder. */
function programOf(root: string): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.filter((pid) => {
    try {
      const isInside = readlinkSync(`/proc/${pid}/exe`).endsWith("/usr/local/bin/node");
      return isInside && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/opt/package/bin/pricetime.cjs");
    } catch {
      return false;
    }
  });
  assert.equal(found.length, 1, `programs below ${root}: ${found.join()}`);
  return Number(found[0]);
}

async function printed(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  assert.deepEqual(await once(child, "close"), [0, null]);
  return text.trim();
}
