/** Processes of a cluster: how they are known, started, ended and remembered. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { UsageError } from "../../cluster/arguments.ts";
import { layoutFor } from "../../cluster/layout.ts";
import { isRunning, stopLeftBehind } from "../../cluster/left-behind.ts";
import { Part } from "../../cluster/part.ts";

const skip = process.platform === "win32";
const FOR_EVER = "setInterval(() => {}, 1000);";

function part(t: TestContext, code: string, whyNotReady = async (): Promise<string | null> => null): Part {
  const folder = scratchFolder(t);
  const mark = join(folder, "mark");
  const made = new Part({
    ...{ kind: "node", name: "p", url: "", program: process.execPath, args: ["-e", code, mark], mark },
    ...{ logFile: join(folder, "log"), whyNotReady, patienceMs: 200 },
  });
  inTheEnd(t, async () => made.stop());
  return made;
}

test("a part is started, killed, started again and stopped", { skip }, async (t) => {
  const made = part(t, FOR_EVER);
  const ends: string[] = [];
  made.onEnded((how) => ends.push(how));
  await made.start();
  await made.ready();
  const [first] = made.started;
  assert.ok(first !== undefined && isRunning(first));
  assert.equal(await made.hasEnded(), false);
  process.kill(made.pid, "SIGKILL");
  assert.equal(await made.hasEnded(), true);
  assert.deepEqual([made.pid, made.started, ends], [first.pid, [], ["SIGKILL"]]);
  await made.start();
  assert.notEqual(made.pid, first.pid);
  process.kill(made.pid, "SIGSTOP");
  assert.equal(await made.stop(), false);
  assert.deepEqual(ends, ["SIGKILL"], "an end that was asked for is told to nobody");
});

test("why a part does not serve is told in a few words", { skip }, async (t) => {
  const dying = part(t, 'console.error("no such thing"); process.exitCode = 1;', async () => "refused");
  await dying.start();
  await until("its end is known", () => !dying.isRunning);
  await assert.rejects(dying.ready(), /p has exited\. Last lines of .*log:\nno such thing$/s);
  const idle = part(t, FOR_EVER, async () => "no quorum");
  await idle.start();
  await assert.rejects(idle.ready(), /p is running but not ready: no quorum/);
});

test("what a killed runner has left behind is stopped, and nobody else's process", { skip }, async (t) => {
  const mark = join(scratchFolder(t), "mark");
  const left = spawn(process.execPath, ["-e", FOR_EVER, mark]);
  const other = spawn(process.execPath, ["-e", FOR_EVER]);
  inTheEnd(t, () => other.kill());
  await Promise.all([left, other].map((child) => once(child, "spawn")));
  const started = [left, other].map(({ pid = 0 }) => ({ pid, mark }));
  await until("it has its own command line", () => started.some(isRunning));
  assert.equal(await stopLeftBehind(started), 1);
  // The system knows of its end before this process hears of it.
  await until("its end is heard", () => left.signalCode !== null);
  assert.deepEqual([left.signalCode, other.exitCode, other.signalCode], ["SIGTERM", null, null]);
  assert.equal(await stopLeftBehind(started), 0);
});

test("a folder keeps its ports; what others have taken meanwhile is replaced, except between members", async (t) => {
  const first = await layoutFor(undefined, { port: 0, nodes: 2 });
  const ports = [first.proxy, ...[...first.etcd, ...first.nodes].flatMap((each) => Object.values(each))];
  const numbers = ports.filter((port) => typeof port === "number");
  assert.equal(new Set(numbers).size, 1 + 3 * 2 + 2 * 2);
  assert.deepEqual(await layoutFor(first, {}), first);
  const three = await layoutFor(first, { nodes: 3 });
  assert.deepEqual(three.nodes.slice(0, 2), first.nodes);

  const take = async (port: number): Promise<void> => {
    const server = createServer();
    inTheEnd(t, () => server.close());
    await once(server.listen(port, "127.0.0.1"), "listening");
  };
  await take(first.nodes[0]?.rest ?? 0);
  const other = await layoutFor(first, {});
  assert.notEqual(other.nodes[0]?.rest, first.nodes[0]?.rest);
  assert.equal(other.nodes[0]?.admin, first.nodes[0]?.admin);
  await take(first.etcd[0]?.peer ?? 0);
  await assert.rejects(
    layoutFor(first, {}),
    (error: Error) => error instanceof UsageError && /peer port/.test(error.message),
  );
});
