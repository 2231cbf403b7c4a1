/**
 * `cluster` and `journal migrate`: all except `cluster status` work on data folders and etcd, not through a node. The code
 * for etcd is loaded when one of them runs: a single node, started by the same program, does not load it.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Epoch } from "../../../cluster/port.ts";
import { type ComparedFolder, compareFolders, leaveCluster } from "../../../cluster/moving/leave.ts";
import { heldPaymentsPath } from "../../../platform/config/held-payments.ts";
import { told } from "./folder-commands.ts";
import { dataFolder } from "../session/connection.ts";
import { CommandFailed, createOutput, type Row, type Terminal } from "../session/terminal.ts";
import { action } from "../session/session.ts";

interface Options {
  readonly from?: string;
  readonly cluster?: string;
  readonly data?: string;
  readonly config?: string;
  readonly full?: boolean;
  readonly holdPayments?: boolean;
  readonly json?: boolean;
}

const ENDPOINTS = /^https?:\/\//;
const CLUSTER_FLAG = ["--cluster <urls>", "Client URLs of the etcd members, separated by commas"] as const;
const CONFIG_FLAG = [
  "--config <file>",
  "Configuration file of a node, with certificates, login, prefix and keys for etcd",
] as const;
const FULL_FLAG = ["--full", "Replay the journal from its first batch, not from a snapshot"] as const;

export function addClusterCommands(program: Command, terminal: Terminal): void {
  const cluster = program
    .command("cluster")
    .description("Bootstrap or inspect a cluster of nodes, or detach a node from it.");
  action(
    cluster
      .command("status")
      .description("Show the nodes of the cluster, their positions and tasks, as one node sees them."),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/cluster")),
  );
  cluster
    .command("bootstrap")
    .description("Bootstrap a cluster in an empty etcd from a data folder's journal.")
    .requiredOption("--from <folder>", "Data folder, whose node is stopped")
    .option(...CLUSTER_FLAG)
    .option(...CONFIG_FLAG)
    .option(...FULL_FLAG)
    .option("--hold-payments", "Hold payments on all networks until you release them, as after a restore")
    .option("--json", "print JSON")
    .action(async ({ from = "", json = false, ...options }: Options) => {
      const { begin } = await import("./cluster-work.ts");
      const begun = await begin(resolve(from), options, terminal);
      createOutput(json, terminal.print).one({ from: resolve(from), ...begun });
      if (!json) printNextSteps(begun, terminal);
    });
  cluster
    .command("compare <folders...>")
    .description("Compare data folders: which has the longest journal, and which hold a prefix of it.")
    .option("--json", "print JSON")
    .action(async (folders: string[], { json = false }: Options) => {
      const compared = await told(async () => compareFolders(folders.map((folder) => resolve(folder))));
      report(compared, json, terminal);
    });
  addDetach(cluster, terminal);
}

function addDetach(cluster: Command, terminal: Terminal): void {
  cluster
    .command("detach")
    .description("Detach a data folder from its cluster, to run it as a single node. Stop all nodes first.")
    .option("--data <folder>", "Data folder (default: ./data)")
    .action(async ({ data }: Options) => {
      const folder = dataFolder(data, terminal.environment);
      const place = await told(() => leaveCluster(folder));
      terminal.print(
        place === null ? `${folder} is not part of a cluster.` : `Detached ${folder} from epoch ${place.epoch}.`,
      );
    });
}

const NEXT_STEPS =
  "Start the node of this folder first, then the others. Shorter journals catch up; journals that differ are rejected.";

function printNextSteps({ arePaymentsHeld }: Pick<Epoch, "arePaymentsHeld">, terminal: Terminal): void {
  terminal.complain(NEXT_STEPS);
  if (arePaymentsHeld !== true) return;
  terminal.complain("Payments are held until you remove payments.held from the data folder of every node.");
}

/** Adds `migrate` to the `journal` command. */
export function addJournalMigrate(journal: Command, terminal: Terminal): void {
  journal
    .command("migrate <from> <to>")
    .description("Migrate the journal from a data folder to an empty etcd, or from a cluster to a data folder.")
    .option(...CONFIG_FLAG)
    .option(...FULL_FLAG)
    .option("--json", "print JSON")
    .action(async (from: string, to: string, { json = false, ...options }: Options) => {
      const [isOut, isIn] = [ENDPOINTS.test(from), ENDPOINTS.test(to)];
      if (isOut === isIn)
        throw new CommandFailed("Specify one data folder, and the etcd URLs as http://HOST:PORT,… for the other.");
      const output = createOutput(json, terminal.print);
      const { begin, copyFrom } = await import("./cluster-work.ts");
      if (isIn) {
        const begun = await begin(resolve(from), { ...options, cluster: to }, terminal);
        output.one({ from: resolve(from), to, ...begun });
        if (!json) printNextSteps(begun, terminal);
        return;
      }
      const folder = resolve(to);
      output.one({ from, to: folder, ...(await copyFrom(folder, { ...options, cluster: from }, terminal)) });
      if (json) return;
      terminal.complain(
        "Later commands of the cluster are not included. Block clients from the nodes, then run the command again.",
      );
      terminal.complain(
        `Payments are held until you remove ${heldPaymentsPath(folder)}. Stop the nodes of the cluster first.`,
      );
    });
}

function report(compared: readonly ComparedFolder[], json: boolean, terminal: Terminal): void {
  const longest = compared.reduce((best, each) => (each.lastSeq > best.lastSeq ? each : best));
  const verdictOf = ({ lastSeq, differsFrom }: ComparedFolder): string => {
    if (differsFrom !== null) return `differs from entry ${differsFrom}`;
    return lastSeq === longest.lastSeq ? "longest" : "prefix";
  };
  const rows = compared.map((each) => ({ ...each, verdict: verdictOf(each) }));
  createOutput(json, terminal.print).rows(rows, ["folder", "lastSeq", "chainHash", "epoch", "verdict"]);
  const others = compared.filter(({ differsFrom }) => differsFrom !== null).map(({ folder }) => folder);
  if (others.length > 0) {
    throw new CommandFailed(
      `These journals are of another exchange, or diverged from the longest one: ${others.join(", ")}`,
    );
  }
  if (!json) terminal.complain(`Bootstrap from ${longest.folder}.`);
}
