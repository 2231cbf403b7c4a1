/**
 * `cluster` and `journal copy`: all but `cluster status` run beside data folders and etcd, not through a node. What they do
 * with etcd is loaded when one of them runs: a node that is alone, started by the same program, does not load it.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Epoch } from "../../cluster/port.ts";
import { compareFolders, type ComparedFolder } from "../../cluster/moving/compare-folders.ts";
import { leaveCluster } from "../../cluster/moving/leave.ts";
import { heldPaymentsPath } from "../../config/held-payments.ts";
import { told } from "../data-folder/backup-commands.ts";
import { dataFolder } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import { createOutput, type Row } from "../session/output.ts";
import { action } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
const CLUSTER_FLAG = ["--cluster <urls>", "the members of etcd, separated by commas"] as const;
const CONFIG_FLAG = ["--config <file>", "the configuration file of a node: certificates, login, prefix, keys"] as const;
const FULL_FLAG = ["--full", "replay every row from the first, not from a snapshot on"] as const;

export function addClusterCommands(program: Command, terminal: Terminal): void {
  const cluster = program.command("cluster").description("several nodes that are one exchange");
  action(
    cluster.command("status").description("the nodes, how far each is, and who holds which role, as one node sees it"),
    terminal,
    async ({ connection, output }) => output.one(await connection.call<Row>("GET", "/v1/cluster")),
  );
  cluster
    .command("begin")
    .description("begin an epoch in an empty etcd: the nodes go on from a data folder's journal")
    .requiredOption("--from <folder>", "the data folder; its node is stopped")
    .option(...CLUSTER_FLAG)
    .option(...CONFIG_FLAG)
    .option(...FULL_FLAG)
    .option("--hold-payments", "pay nothing on networks until you allow it, as after a restore")
    .option("--json", "print JSON")
    .action(async ({ from = "", json = false, ...options }: Options) => {
      const { begin } = await import("./cluster-work.ts");
      const begun = await begin(resolve(from), options, terminal);
      createOutput(json, terminal.print).one({ from: resolve(from), ...begun });
      if (!json) tellBegun(begun, terminal);
    });
  cluster
    .command("compare <folders...>")
    .description("which data folder holds the longest journal, and whether the others hold its beginning")
    .option("--json", "print JSON")
    .action(async (folders: string[], { json = false }: Options) => {
      const compared = await told(async () => compareFolders(folders.map((folder) => resolve(folder))));
      report(compared, json, terminal);
    });
  addLeave(cluster, terminal);
}

function addLeave(cluster: Command, terminal: Terminal): void {
  cluster
    .command("leave")
    .description("let a node go on alone from the folder of a cluster that is no more; with all nodes stopped")
    .option("--data <folder>", "the data folder (./data)")
    .action(async ({ data }: Options) => {
      const folder = dataFolder(data, terminal.environment);
      const place = await told(() => leaveCluster(folder));
      terminal.print(place === null ? `${folder} is in no cluster` : `${folder} has left epoch ${place.epoch}`);
    });
}

const HOW_TO_GO_ON =
  "Start the node of this folder first, then the others: shorter journals catch up, and others are refused.";

function tellBegun({ arePaymentsHeld }: Pick<Epoch, "arePaymentsHeld">, terminal: Terminal): void {
  terminal.complain(HOW_TO_GO_ON);
  if (arePaymentsHeld !== true) return;
  terminal.complain("Nothing is paid on networks until you remove payments.held from the folder of every node.");
}

/** Adds `copy` to the `journal` command. */
export function addJournalCopy(journal: Command, terminal: Terminal): void {
  journal
    .command("copy <from> <to>")
    .description("move house: a data folder into an empty etcd, or a running cluster into a data folder")
    .option(...CONFIG_FLAG)
    .option(...FULL_FLAG)
    .option("--json", "print JSON")
    .action(async (from: string, to: string, { json = false, ...options }: Options) => {
      const [isOut, isIn] = [ENDPOINTS.test(from), ENDPOINTS.test(to)];
      if (isOut === isIn)
        throw new CommandFailed("one of the two is a folder, the other one http://HOST:PORT,… of etcd");
      const output = createOutput(json, terminal.print);
      const { begin, copyFrom } = await import("./cluster-work.ts");
      if (isIn) {
        const begun = await begin(resolve(from), { ...options, cluster: to }, terminal);
        output.one({ from: resolve(from), to, ...begun });
        if (!json) tellBegun(begun, terminal);
        return;
      }
      const folder = resolve(to);
      output.one({ from, to: folder, ...(await copyFrom(folder, { ...options, cluster: from }, terminal)) });
      if (json) return;
      terminal.complain(
        "What the cluster takes from now on is not in it: run it again once the nodes are stopped for clients.",
      );
      terminal.complain(
        `Nothing is paid on networks until you remove ${heldPaymentsPath(folder)}: stop the nodes first.`,
      );
    });
}

function report(compared: readonly ComparedFolder[], json: boolean, terminal: Terminal): void {
  const longest = compared.reduce((best, each) => (each.lastSeq > best.lastSeq ? each : best));
  const verdictOf = ({ lastSeq, differsFrom }: ComparedFolder): string => {
    if (differsFrom !== null) return `differs from entry ${differsFrom} on`;
    return lastSeq === longest.lastSeq ? "longest" : "its beginning";
  };
  const rows = compared.map((each) => ({ ...each, verdict: verdictOf(each) }));
  createOutput(json, terminal.print).rows(rows, ["folder", "lastSeq", "chainHash", "epoch", "verdict"]);
  const others = compared.filter(({ differsFrom }) => differsFrom !== null).map(({ folder }) => folder);
  if (others.length > 0) {
    throw new CommandFailed(`not journals of one exchange, or a node went its own way: ${others.join(", ")}`);
  }
  if (!json) terminal.complain(`Begin from ${longest.folder}.`);
}
