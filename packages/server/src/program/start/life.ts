/** The life of a node on its folder: one, except in a lab, which goes back and begins another. */
import type { AdminServer } from "../../people/admin/door/server.ts";
import type { HttpEdge } from "../../api/edge/http/edge.ts";
import type { TellingOrder } from "../../api/edge/telling-order.ts";
import type { Kept, Rebuilding } from "../../lab/checkpoints/port.ts";
import type { DiskRoom } from "../../platform/observe/disk-room.ts";
import type { LastHour } from "../../platform/observe/last-hour.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { SilentSequencer } from "../../journal/sequencer/silent-sequencer.ts";
import type { LastingStreams } from "../../api/streams/lasting-streams.ts";
import type { Addresses, OwnAddress } from "./address.ts";
import { beginWork, type WorkingNode } from "./begin-work.ts";
import { endLife, type EndingNode, stopInTurn } from "./end-node.ts";
import { prepareJournal, type PreparedNode } from "./prepare-journal.ts";

/** Nothing of a node but what outlasts it: whatever it held would be held by every node after it. */
interface Ports {
  readonly address: OwnAddress;
  readonly metrics: Metrics;
  readonly disk: DiskRoom;
  readonly hour: LastHour;
  readonly telling: TellingOrder;
  readonly edge: HttpEdge;
  readonly admin: AdminServer;
  readonly token: string;
  /** Undefined: whoever is connected is sent away. */
  readonly streams: LastingStreams | undefined;
}

/** The node before this one, of which the ports stay, and what its rooms kept, or those of a checkpoint. */
export interface Before {
  readonly ports: Ports;
  readonly kept: Kept;
}

type LivingNode = EndingNode &
  WorkingNode &
  PreparedNode &
  Pick<Ports, "address" | "metrics" | "disk" | "hour" | "telling" | "admin" | "token"> & {
    readonly gateway: { readonly edge: HttpEdge };
    readonly streams: { readonly lasting: LastingStreams; goOn(): void };
    readonly health: { isServing: boolean };
  };

export class Life {
  #running: LivingNode;
  /** What runs has ended, and the next could not be made: a file's contents did not fit. */
  #hasEnded = false;
  readonly #dataFolder: string;
  readonly #makeAnew: (before: Before) => Promise<LivingNode>;

  /** `makeAnew`: makes everything but the ports on the folder as it is then. */
  constructor(first: LivingNode, dataFolder: string, makeAnew: (before: Before) => Promise<LivingNode>) {
    this.#running = first;
    this.#dataFolder = dataFolder;
    this.#makeAnew = makeAnew;
  }

  /**
   * A lab goes back: all but the ports is made anew, from the folder as it is then and from what the rooms kept. After
   * an error it may be called again: whatever had begun by then ends first.
   */
  async goBack(at: Addresses, { bringBack, kept, keepsConnections, ...told }: Rebuilding): Promise<void> {
    const last = this.#running;
    if (!this.#hasEnded) await endLife(last, keepsConnections);
    this.#hasEnded = true;
    last.health.isServing = false;
    bringBack();
    const next = await this.#makeAnew({ ports: portsIn(last, keepsConnections), kept });
    this.#running = next;
    this.#hasEnded = false;
    next.sequencer.start();
    const silent = new SilentSequencer(next.sequencer);
    await prepareJournal({ ...next, node: { ...next.node, sequencer: silent } });
    told.onPrepared();
    silent.speak();
    await beginWork(next, at, kept["demo"]);
    await told.onRebuilt();
    next.streams.goOn();
    next.health.isServing = true;
  }

  /** Resolves when nothing of the node runs any more but its folder. */
  stop(): Promise<void> {
    this.#running.health.isServing = false;
    return stopInTurn(this.#running, this.#dataFolder);
  }
}

function portsIn(node: LivingNode, keepsConnections: boolean): Ports {
  const { address, metrics, disk, hour, telling, gateway, admin, token } = node;
  const streams = keepsConnections ? node.streams.lasting : undefined;
  return { address, metrics, disk, hour, telling, edge: gateway.edge, admin, token, streams };
}
