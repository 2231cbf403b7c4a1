/**
 * Starts the work of a node, and stops its parts in order. When a lab restores a checkpoint, replaces the parts with
 * new ones.
 */
import type { ClusterNode } from "../../cluster/cluster-node.ts";
import type { TaskPart } from "../../cluster/tasks.ts";
import type { Demo } from "../../lab/demo/port.ts";
import type { GroupCommitSequencer } from "../../journal/sequencer/group-commit.ts";
import type { Addresses, OwnAddress } from "./address.ts";
import { removeAdminFile } from "../../platform/config/admin-file.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { AdminServer } from "../../people/admin/server.ts";
import type { HttpEdge } from "../../api/edge/http/edge.ts";
import type { SendQueue } from "../../api/edge/send-queue.ts";
import type { Rebuilding } from "../../lab/port.ts";
import type { DiskSpace } from "../../platform/observe/health.ts";
import type { LastHour } from "../../platform/observe/last-hour.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { SuppressedSequencer } from "../../journal/sequencer/start.ts";
import type { LastingStreams } from "../../api/streams/streams.ts";
import { type PreparedNode, prepareJournal } from "./prepare-journal.ts";

// The tasks that a node performs: all of them on a single node, otherwise those that it owns in the cluster.

interface WorkingNode {
  /** Undefined on a single node. */
  readonly cluster: ClusterNode | undefined;
  readonly sequencer: GroupCommitSequencer;
  readonly demo: Demo;
  readonly tradingRules: { readonly part: TaskPart; start(): void };
  readonly wallet: { readonly parts: readonly TaskPart[]; start(): void };
  readonly mail: { readonly parts: readonly TaskPart[] };
  readonly dailyProofs: { readonly part: TaskPart; start(): void };
}

/** Starts the node's tasks. On a single node, resolves when the demo, if there is one, has created its markets. */
export async function beginWork(node: WorkingNode, at: Addresses): Promise<void> {
  const { cluster, sequencer, demo, tradingRules, wallet, mail, dailyProofs } = node;
  if (cluster !== undefined) {
    await demo.show(at);
    const parts = [...wallet.parts, ...mail.parts, tradingRules.part, dailyProofs.part, ...demo.parts];
    cluster.ownTasks(parts, sequencer);
    return;
  }
  await demo.start(at);
  tradingRules.start();
  wallet.start();
  dailyProofs.start();
}

// Parts that send requests stop before the parts that answer them. The storage stops last.

interface Stopping {
  stop(): Promise<unknown>;
}
interface Closing {
  close(): Promise<unknown>;
}
interface Draining extends Closing {
  drain(): Promise<unknown>;
}

interface EndingNode {
  readonly faults: { end(): void } | undefined;
  readonly cluster: { endRoles(): Promise<void>; stop(): void } | undefined;
  readonly demo: Stopping;
  readonly gateway: Draining;
  readonly streams: Draining;
  readonly admin: Closing;
  readonly source: Closing;
  readonly audits: Closing;
  readonly tradingRules: Stopping;
  readonly dailyProofs: Stopping;
  readonly wallet: Stopping;
  readonly mail: { readonly outbox: Closing };
  readonly sequencer: Stopping;
  readonly clock: { stop(): void };
  readonly hour: { stop(): void };
  readonly log: Pick<Logger, "warn">;
}

/** Stops the node. Streams are closed after the last order is answered, so that they send its events. */
export async function stopInTurn(node: EndingNode, dataFolder: string): Promise<void> {
  const { faults, cluster, demo, gateway, streams, admin, clock, hour } = node;
  faults?.end();
  await cluster?.endRoles();
  await demo.stop();
  await Promise.all([gateway.drain(), streams.drain()]);
  await streams.close();
  await gateway.close();
  await admin.close();
  hour.stop();
  await closeFiles(node);
  // This node still holds the lock of the folder.
  leaveFolder(dataFolder, node.log);
  await stopRooms(node);
  cluster?.stop();
  clock.stop();
}

/** Stops everything except a lab's ports, at which new requests wait. The node must be idle. */
async function endLife(node: EndingNode, keepsConnections: boolean): Promise<void> {
  const { faults, demo, streams } = node;
  faults?.end();
  await demo.stop();
  if (!keepsConnections) {
    await streams.drain();
    await streams.close();
  }
  await closeFiles(node);
  await stopRooms(node);
}

/** Deletes `admin.json`. An error must not prevent the other parts from stopping. */
function leaveFolder(dataFolder: string, log: Pick<Logger, "warn">): void {
  try {
    removeAdminFile(dataFolder);
  } catch (error) {
    log.warn({ why: (error as Error).message }, "cannot remove admin.json");
  }
}

async function closeFiles({ source, audits, dailyProofs }: EndingNode): Promise<void> {
  await dailyProofs.stop();
  await Promise.all([source.close(), audits.close()]);
}

async function stopRooms({ tradingRules, wallet, mail, sequencer }: EndingNode): Promise<void> {
  await tradingRules.stop();
  await wallet.stop();
  await mail.outbox.close();
  await sequencer.stop();
}

/**
 * The parts of a node that survive a restore and are passed to the node that replaces it. They must not refer to the
 * old node, which could then not be garbage collected.
 */
export interface Ports {
  readonly address: OwnAddress;
  readonly metrics: Metrics;
  readonly disk: DiskSpace;
  readonly hour: LastHour;
  readonly sendQueue: SendQueue;
  readonly edge: HttpEdge;
  readonly admin: AdminServer;
  readonly token: string;
  /** Undefined: open streams are closed at a restore. */
  readonly streams: LastingStreams | undefined;
}

type LivingNode = EndingNode &
  WorkingNode &
  PreparedNode &
  Pick<Ports, "address" | "metrics" | "disk" | "hour" | "sendQueue" | "admin" | "token"> & {
    readonly gateway: { readonly edge: HttpEdge };
    readonly streams: { readonly lasting: LastingStreams; goOn(): void };
    readonly health: { isServing: boolean };
  };

export class Life {
  #running: LivingNode;
  /** Whether the old node has ended and creating the new one failed, because of an invalid checkpoint file. */
  #hasEnded = false;
  readonly #dataFolder: string;
  readonly #makeAnew: (before: Ports) => Promise<LivingNode>;

  /** `makeAnew`: creates all parts except the ports from the current contents of the folder. */
  constructor(first: LivingNode, dataFolder: string, makeAnew: (before: Ports) => Promise<LivingNode>) {
    this.#running = first;
    this.#dataFolder = dataFolder;
    this.#makeAnew = makeAnew;
  }

  /** Restores a lab's checkpoint by replacing all parts except the ports. Can be called again after an error. */
  async goBack(at: Addresses, { bringBack, keepsConnections, ...told }: Rebuilding): Promise<void> {
    const last = this.#running;
    if (!this.#hasEnded) await endLife(last, keepsConnections);
    this.#hasEnded = true;
    last.health.isServing = false;
    bringBack();
    const next = await this.#makeAnew(portsIn(last, keepsConnections));
    this.#running = next;
    this.#hasEnded = false;
    next.sequencer.start();
    const silent = new SuppressedSequencer(next.sequencer);
    await prepareJournal({ ...next, node: { ...next.node, sequencer: silent } });
    told.onPrepared();
    silent.speak();
    await beginWork(next, at);
    await told.onRebuilt();
    next.streams.goOn();
    next.health.isServing = true;
  }

  /** Resolves when everything except the folder has stopped. */
  stop(): Promise<void> {
    this.#running.health.isServing = false;
    return stopInTurn(this.#running, this.#dataFolder);
  }
}

function portsIn(node: LivingNode, keepsConnections: boolean): Ports {
  const { address, metrics, disk, hour, sendQueue, gateway, admin, token } = node;
  const streams = keepsConnections ? node.streams.lasting : undefined;
  return { address, metrics, disk, hour, sendQueue, edge: gateway.edge, admin, token, streams };
}
