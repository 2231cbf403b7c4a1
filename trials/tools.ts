/** What a block may need that not every machine has, and ports for the nodes that it starts. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { skipUnless } from "@pricetime/testkit/skip";

/** Debian's own Python knows Debian's packages; the one on the path may be another. */
export const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

const TOOLS: Readonly<Record<string, () => boolean>> = {
  python3: () => runs(PYTHON, "--version"),
  "python3-pytest": () => runs(PYTHON, "-c", "import pytest"),
  "python3-requests": () => runs(PYTHON, "-c", "import requests"),
  "python3-aiohttp": () => runs(PYTHON, "-c", "import aiohttp"),
  "python3-websockets": () => runs(PYTHON, "-c", "import websockets"),
  go: () => runs("go", "version"),
  "golang-github-gorilla-websocket-dev": () => existsSync("/usr/share/gocode/src/github.com/gorilla/websocket"),
  etcd: () => runs("etcd", "--version"),
  openssl: () => runs("openssl", "version"),
  curl: () => runs("curl", "--version"),
  awk: () => runs("awk", "BEGIN { exit 0 }"),
};

const known = new Map<string, boolean>();

/** The `skip` of what needs `names`: false where all are installed. Throws for a name that `TOOLS` does not have. */
export function lacking(names: readonly string[]): string | false {
  const absent = names.filter((name) => {
    const test = TOOLS[name];
    if (test === undefined) throw new Error(`needs: nobody knows whether '${name}' is there`);
    const isThere = known.get(name) ?? test();
    known.set(name, isThere);
    return !isThere;
  });
  return skipUnless(absent.length === 0, `not installed: ${absent.join(", ")}`);
}

/** The port, given back at once; undefined: another program has it. Port 0: any. */
export function takePort(port: number): Promise<number | undefined> {
  const server = createServer();
  return new Promise((done) => {
    server.once("error", () => done(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" ? address?.port : undefined));
    });
  });
}

/** So many free ports. */
export async function otherPorts(count: number): Promise<number[]> {
  const ports = await Promise.all(Array.from({ length: count }, () => takePort(0)));
  return ports.map((port) => port ?? assert.fail("no port is free"));
}
