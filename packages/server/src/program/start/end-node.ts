/** How the parts of a node end, in turn: those that ask before those that answer, and those before the storage. */
import { removeAdminFile } from "../../platform/config/admin-file.ts";
import type { Logger } from "../../platform/observe/log.ts";

interface Stopping {
  stop(): Promise<unknown>;
}
interface Closing {
  close(): Promise<unknown>;
}
interface Draining extends Closing {
  drain(): Promise<unknown>;
}

export interface EndingNode {
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

/** Stops the whole node. Streams close once the last order is answered, so that their listeners hear of it. */
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
  // While the folder is still this node's own.
  leaveFolder(dataFolder, node.log);
  await stopRooms(node);
  cluster?.stop();
  clock.stop();
}

/** Ends what runs, but the ports stay open; whoever comes waits at the door of the lab. Nothing is under way. */
export async function endLife(node: EndingNode, keepsConnections: boolean): Promise<void> {
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

/** What stays behind says where a node was; on a disk that cannot be written the rest must stop all the same. */
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
