/** The work of the commands that use etcd. Loaded only when one of them runs. */
import { CopyRefused } from "../../../journal/backup/copy.ts";
import { peersOf } from "../../../cluster/catch-up/fetch-rows.ts";
import { beginFrom, type Begun } from "../../../cluster/moving/begin-epoch.ts";
import { type CopiedOut, copyOut } from "../../../cluster/moving/copy-out.ts";
import { StoreUnfit } from "../../../cluster/port.ts";
import { type Config, loadConfig } from "../../../platform/config/config.ts";
import { splitList } from "../../../platform/config/environment.ts";
import { nodesOf } from "../../../cluster/etcd/epoch.ts";
import { CallFailed } from "../../../cluster/etcd/endpoint.ts";
import { nodeTokenOf } from "../../start/master-key.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { progress, told } from "./folder-commands.ts";
import { CommandFailed, type Terminal } from "../session/terminal.ts";

export interface ClusterWork {
  /** URLs of the etcd members, separated by commas; undefined: from the environment or the file. */
  readonly cluster?: string | undefined;
  /** The configuration file of a node. */
  readonly config?: string | undefined;
  readonly full?: boolean | undefined;
  readonly holdPayments?: boolean | undefined;
}

const FORESEEN = [CopyRefused, StoreUnfit, CallFailed];

/** Begins an epoch from a data folder. Rejects with `CommandFailed`, `ConfigError`. */
export function begin(folder: string, work: ClusterWork, terminal: Terminal): Promise<Begun> {
  const { settings } = clusterOf(work, folder, terminal);
  const onStep = progress("checked", terminal);
  const [isFull, holdsPayments] = [work.full === true, work.holdPayments === true];
  const options = { dataFolder: folder, store: settings, isFull, holdsPayments, world: MACHINE, onStep };
  return told(() => beginFrom(options), FORESEEN);
}

/** Copies a cluster's journal into a folder. Rejects with `CommandFailed`, `ConfigError`. */
export function copyFrom(folder: string, work: ClusterWork, terminal: Terminal): Promise<CopiedOut> {
  const { settings, token } = clusterOf(work, folder, terminal);
  const onStep = progress("copied", terminal);
  return told(async () => {
    const peers = peersOf(await nodesOf(settings, MACHINE), "");
    return copyOut({ peers, dataFolder: folder, isFull: work.full === true, token: token(), world: MACHINE, onStep });
  }, FORESEEN);
}

/** The configuration that a node would load. Throws `ConfigError`, and `CommandFailed` without members of etcd. */
function clusterOf(
  { cluster, config }: ClusterWork,
  data: string,
  { environment }: Terminal,
): { readonly settings: NonNullable<Config["cluster"]>; readonly token: () => string } {
  // The settings need some name; no node runs under this one.
  const named = { data, node: "operator" };
  const members = cluster === undefined ? {} : { cluster: splitList(cluster) };
  const loaded = loadConfig({ flags: { ...named, ...members, ...(config !== undefined && { config }) }, environment });
  if (loaded.cluster === null)
    throw new CommandFailed("No etcd members are configured. Specify their URLs with --cluster.");
  return { settings: loaded.cluster, token: () => nodeTokenOf(loaded) ?? "" };
}
