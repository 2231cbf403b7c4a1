/**
 * The implementation of `cluster` and `journal migrate`, on data folders and etcd. Loaded only when one of these
 * commands runs.
 */
import { resolve } from "node:path";
import { type ComparedFolder, compareFolders, leaveCluster } from "../../../cluster/moving/leave.ts";
import { heldPaymentsPath } from "../../../platform/config/held-payments.ts";
import { dataFolder } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import { peersOf } from "../../../cluster/catch-up/fetch-rows.ts";
import { beginFrom, type Begun } from "../../../cluster/moving/begin-epoch.ts";
import { type CopiedOut, copyOut } from "../../../cluster/moving/copy-out.ts";
import type { Epoch } from "../../../cluster/port.ts";
import { type Config, loadConfig } from "../../../platform/config/config.ts";
import { splitList } from "../../../platform/config/environment.ts";
import { nodesOf } from "../../../cluster/etcd/epoch.ts";
import { nodeTokenOf } from "../../start/master-key.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { progress, told } from "./folder-work.ts";
import { CommandFailed, type Terminal } from "../session/terminal.ts";

const ENDPOINTS = /^https?:\/\//;

interface ClusterWork {
  /** URLs of the etcd members, separated by commas. Undefined: taken from the environment or the file. */
  readonly cluster?: string | undefined;
  /** The path of a node's configuration file. */
  readonly config?: string | undefined;
  readonly full?: boolean | undefined;
  readonly holdPayments?: boolean | undefined;
}

export async function bootstrap(session: Session, { from, ...options }: ClusterWork & { from: string }): Promise<void> {
  const { output, terminal } = session;
  const begun = await begin(resolve(from), options, terminal);
  output.one({ from: resolve(from), ...begun });
  if (!output.isJson) printNextSteps(begun, terminal);
}

const NEXT_STEPS =
  "Start the node of this folder first, then the others. Shorter journals catch up; journals that differ are rejected.";

function printNextSteps({ arePaymentsHeld }: Pick<Epoch, "arePaymentsHeld">, terminal: Terminal): void {
  terminal.complain(NEXT_STEPS);
  if (arePaymentsHeld !== true) return;
  terminal.complain("Payments are held until you remove payments.held from the data folder of every node.");
}

interface Migration extends ClusterWork {
  readonly from: string;
  readonly to: string;
}

export async function migrate({ output, terminal }: Session, { from, to, ...options }: Migration): Promise<void> {
  const [isOut, isIn] = [ENDPOINTS.test(from), ENDPOINTS.test(to)];
  if (isOut === isIn)
    throw new CommandFailed("Specify one data folder, and the etcd URLs as http://HOST:PORT,… for the other.");
  if (isIn) {
    const begun = await begin(resolve(from), { ...options, cluster: to }, terminal);
    output.one({ from: resolve(from), to, ...begun });
    if (!output.isJson) printNextSteps(begun, terminal);
    return;
  }
  const folder = resolve(to);
  output.one({ from, to: folder, ...(await copyFrom(folder, { ...options, cluster: from }, terminal)) });
  if (output.isJson) return;
  terminal.complain(
    "Later commands of the cluster are not included. Block clients from the nodes, then run the command again.",
  );
  terminal.complain(
    `Payments are held until you remove ${heldPaymentsPath(folder)}. Stop the nodes of the cluster first.`,
  );
}

export async function compare(session: Session, { folders }: { readonly folders: readonly string[] }): Promise<void> {
  report(await told(() => compareFolders(folders.map((folder) => resolve(folder)))), session);
}

function report(compared: readonly ComparedFolder[], { output, terminal }: Session): void {
  const longest = compared.reduce((best, each) => (each.lastSeq > best.lastSeq ? each : best));
  const verdictOf = ({ lastSeq, differsFrom }: ComparedFolder): string => {
    if (differsFrom !== null) return `differs from entry ${differsFrom}`;
    return lastSeq === longest.lastSeq ? "longest" : "prefix";
  };
  const rows = compared.map((each) => ({ ...each, verdict: verdictOf(each) }));
  output.rows(rows, ["folder", "lastSeq", "chainHash", "epoch", "verdict"]);
  const others = compared.filter(({ differsFrom }) => differsFrom !== null).map(({ folder }) => folder);
  if (others.length > 0) {
    throw new CommandFailed(
      `These journals are of another exchange, or diverged from the longest one: ${others.join(", ")}`,
    );
  }
  if (!output.isJson) terminal.complain(`Bootstrap from ${longest.folder}.`);
}

export async function detach({ terminal }: Session, { data }: { readonly data?: string }): Promise<void> {
  const folder = dataFolder(data, terminal.environment);
  const place = await told(() => leaveCluster(folder));
  terminal.print(
    place === null ? `${folder} is not part of a cluster.` : `Detached ${folder} from epoch ${place.epoch}.`,
  );
}

/** Bootstraps a cluster from a data folder. Rejects with `CommandFailed` or `ConfigError`. */
function begin(folder: string, work: ClusterWork, terminal: Terminal): Promise<Begun> {
  const { settings } = clusterOf(work, folder, terminal);
  const onStep = progress("checked", terminal);
  const [isFull, holdsPayments] = [work.full === true, work.holdPayments === true];
  const options = { dataFolder: folder, store: settings, isFull, holdsPayments, world: MACHINE, onStep };
  return told(() => beginFrom(options));
}

/** Copies a cluster's journal into a folder. Rejects with `CommandFailed` or `ConfigError`. */
function copyFrom(folder: string, work: ClusterWork, terminal: Terminal): Promise<CopiedOut> {
  const { settings, token } = clusterOf(work, folder, terminal);
  const onStep = progress("copied", terminal);
  return told(async () => {
    const peers = peersOf(await nodesOf(settings, MACHINE), "");
    return copyOut({ peers, dataFolder: folder, isFull: work.full === true, token: token(), world: MACHINE, onStep });
  });
}

/**
 * The cluster settings that a node would load. Throws `ConfigError`, or `CommandFailed` if no etcd members are
 * configured.
 */
function clusterOf(
  { cluster, config }: ClusterWork,
  data: string,
  { environment }: Terminal,
): { readonly settings: NonNullable<Config["cluster"]>; readonly token: () => string } {
  // The settings require a node name. No node runs under this one.
  const named = { data, node: "operator" };
  const members = cluster === undefined ? {} : { cluster: splitList(cluster) };
  const loaded = loadConfig({ flags: { ...named, ...members, ...(config !== undefined && { config }) }, environment });
  if (loaded.cluster === null)
    throw new CommandFailed("No etcd members are configured. Specify their URLs with --cluster.");
  return { settings: loaded.cluster, token: () => nodeTokenOf(loaded) ?? "" };
}
