/** A node in a separate process, which exits when this process exits for any reason. */
import { type ChildProcess, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { NodeAddress, NodeFlags, RunningNode } from "./exchange.ts";

/** The timeout of a start. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
/** The maximum length of the standard error output, from its end, that is part of the error message. */
const MAX_ERROR_OUTPUT = 4000;

/** Starts a node. Rejects with its output if it does not serve. */
export async function startOwnProcess(flags: NodeFlags): Promise<RunningNode> {
  const [command, ...args] = program();
  const child = spawn(command, [...args, JSON.stringify(flags)], { stdio: ["pipe", "pipe", "pipe"] });
  let errorOutput = "";
  child.stderr.on("data", (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-MAX_ERROR_OUTPUT)));
  // 'close' instead of 'exit', because output may still arrive after the exit.
  const closed = new Promise<string>((resolve) =>
    child.once("close", (code, signal) => resolve(`the node exited with ${signal ?? `code ${code}`}\n${errorOutput}`)),
  );
  let gone: string | undefined;
  void closed.then((why) => (gone = why));
  const address = await firstLine(child, closed);
  // The node must not keep the test running. It exits with this process, because its standard input then closes.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
  return { ...address, whyGone: () => gone, stop: () => stopped(child, closed) };
}

/** In the package, a launcher finds a Node that is recent enough. Sources are run by the current Node. */
function program(): [command: string, ...args: string[]] {
  const path = fileURLToPath(new URL("./lab-process.ts", import.meta.url));
  const quiet = "--disable-warning=ExperimentalWarning";
  if (path.endsWith(".ts")) return [process.execPath, quiet, path];
  return [process.execPath, join(dirname(path), "../bin/pricetime.cjs"), "lab-process"];
}

function firstLine(child: ChildProcess, closed: Promise<string>): Promise<NodeAddress> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(late);
      child.kill("SIGKILL");
      reject(new Error(`The lab did not start: ${why}`));
    };
    const late = setTimeout(() => fail(`it was not ready within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    child.once("error", (error) => fail(error.message));
    void closed.then(fail);
    if (child.stdout === null) throw new TypeError("a child without output");
    createInterface({ input: child.stdout }).once("line", (line) => {
      clearTimeout(late);
      try {
        resolve(JSON.parse(line) as NodeAddress);
      } catch {
        fail(`unexpected output: ${line}`);
      }
    });
  });
}

async function stopped(child: ChildProcess, closed: Promise<string>): Promise<void> {
  child.ref();
  child.stdin?.end();
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await closed;
  clearTimeout(late);
}
