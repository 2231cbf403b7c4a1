/** `npm run cluster`: a complete cluster on one machine. README.md describes its purpose. */
import { FolderInUse, lockFolder, MACHINE, machineSignals, untilStopSignal } from "@pricetime/server/program";
import { UsageError, type Settings, USAGE, parseCommand } from "./arguments.ts";
import { Cluster } from "./cluster.ts";
import { askToStart, type Asked, Control } from "./control.ts";
import { ClusterFolder, type Started } from "./folder.ts";
import { layoutFor } from "./layout.ts";
import { stopLeftBehind } from "./left-behind.ts";
import { etcdProgram } from "./programs.ts";

const LOOK_EVERY_MS = 50;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const wanted = parseCommand(process.argv.slice(2));
  if (wanted.what === "help") say(USAGE);
  else if (wanted.what === "again") await startAgain(new ClusterFolder(wanted.folder), wanted);
  else if (wanted.what === "stop") await stop(new ClusterFolder(wanted.folder));
  else await run(wanted.folder, wanted.given);
}

/** Runs a cluster until a signal stops it. */
async function run(path: string, given: Partial<Settings>): Promise<void> {
  const told = untilStopSignal(machineSignals(MACHINE));
  etcdProgram();
  const folder = new ClusterFolder(path);
  if (isInUse(folder)) throw new UsageError(`a cluster already runs in ${path}`);
  const lock = lockFolder(path);
  const left = await stopLeftBehind(folder.runner.read()?.started ?? []);
  if (left > 0) say(`stopped ${left} processes of an earlier run`);
  folder.cluster.remove();
  const layout = await layoutFor(folder.layout.read(), given);
  folder.layout.write(layout);
  const control = new Control((asked) => cluster.startAgain(asked));
  const address = await control.listen();
  const onProcesses = (started: readonly Started[]): void => {
    folder.runner.write({ pid: process.pid, control: address, token: control.token, started });
  };
  const cluster: Cluster = new Cluster({ folder, layout, say, onProcesses });
  try {
    const isTold = await Promise.race([cluster.start().then(() => false), told.then(() => true)]);
    if (!isTold) {
      say(`${banner(path, layout.settings)}\nready ${cluster.url}`);
      await told;
    }
  } finally {
    control.close();
    await cluster.stop();
    folder.runner.remove();
    lock.release();
  }
}

function banner(path: string, { nodes, demo, bots, limits }: Settings): string {
  const kind = demo ? `a demo exchange, bots ${bots}` : "an exchange";
  return [
    "",
    `${kind}, limits ${limits}: ${nodes} nodes, three etcd members and a proxy`,
    "",
    `  addresses, process ids and keys  ${path}/cluster.json`,
    `  logs                             ${path}/logs`,
    "",
    "Kill any of these processes: the others continue. Then start it again:",
    "",
    `  npm run cluster -- node n1 --data ${path}`,
    `  npm run cluster -- etcd e1 --data ${path}`,
    "",
  ].join("\n");
}

async function startAgain(folder: ClusterFolder, asked: Asked): Promise<void> {
  const runner = folder.runner.read();
  if (runner !== undefined && isInUse(folder)) say(await askToStart(runner, asked));
  else
    throw new UsageError(`no cluster runs in ${folder.of()}. Start it with: npm run cluster -- --data ${folder.of()}`);
}

/** Also stops processes left behind by a killed runner. */
async function stop(folder: ClusterFolder): Promise<void> {
  const runner = folder.runner.read();
  if (runner === undefined) return;
  if (isInUse(folder)) process.kill(runner.pid, "SIGTERM");
  else await stopLeftBehind(runner.started);
  while (isInUse(folder)) await MACHINE.pause(LOOK_EVERY_MS);
}

function isInUse(folder: ClusterFolder): boolean {
  try {
    lockFolder(folder.of()).release();
    return false;
  } catch (error) {
    if (error instanceof FolderInUse) return true;
    throw error;
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const isTold = error instanceof UsageError || error instanceof FolderInUse;
  process.stderr.write(`cluster: ${isTold ? error.message : (error as Error).stack}\n`);
  process.exit(1);
}
