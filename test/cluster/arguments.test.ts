/** What the words behind `npm run cluster --` mean. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { UsageError, parseCommand } from "../../cluster/arguments.ts";
import { etcdProgram } from "../../cluster/programs.ts";

const folder = resolve("d");

test("options are read, and only those that were given", () => {
  assert.deepEqual(parseCommand([]), { what: "run", folder: resolve("data/cluster"), given: {} });
  const words = ["--nodes", "5", "--data", "d", "--port=0", "--demo", "--bots", "off", "--limits", "on"];
  const given = { nodes: 5, port: 0, demo: true, bots: "off", limits: "on" };
  assert.deepEqual(parseCommand(words), { what: "run", folder, given });
  assert.deepEqual(parseCommand(["--no-demo", "--data", "d"]), { what: "run", folder, given: { demo: false } });
});

test("commands name a part and a folder", () => {
  assert.deepEqual(parseCommand(["node", "n2", "--data", "d"]), { what: "again", folder, kind: "node", name: "n2" });
  assert.deepEqual(parseCommand(["--data", "d", "etcd", "e1"]), { what: "again", folder, kind: "etcd", name: "e1" });
  assert.deepEqual(parseCommand(["stop", "--data", "d"]), { what: "stop", folder });
  assert.deepEqual(parseCommand(["--help"]), { what: "help" });
});

test("what is not understood is told in one line", () => {
  const cases: readonly (readonly [words: readonly string[], line: RegExp])[] = [
    [["--nodes", "0"], /^--nodes must be a whole number from 1 to 16, not '0'$/],
    [["--nodes", "3.5"], /--nodes/],
    [["--port", "65536"], /--port/],
    [["--bots", "yes"], /^--bots must be on or off, not 'yes'$/],
    [["--demo", "--no-demo"], /either --demo or --no-demo/],
    [["--nope"], /--nope/],
    [["--nodes"], /--nodes/],
    [["node"], /^Missing name: node NAME$/],
    [["node", "n1", "n2"], /'node n1 n2' is not a command/],
    [["node", "n1", "--nodes", "2"], /^--nodes does not apply to 'node'$/],
    [["begin"], /'begin' is not a command/],
  ];
  for (const [words, line] of cases) {
    const isTold = (error: Error): boolean =>
      error instanceof UsageError && line.test(error.message) && !error.message.includes("\n");
    assert.throws(() => parseCommand(words), isTold, words.join(" "));
  }
});

test("a machine without etcd is told how to get it, in one line", () => {
  const isTold = (error: Error): boolean =>
    error instanceof UsageError && /^etcd is not installed\. .*etcd-server[^\n]*$/.test(error.message);
  assert.throws(() => etcdProgram([]), isTold);
  assert.throws(() => etcdProgram(["/nowhere", import.meta.dirname]), isTold);
});
