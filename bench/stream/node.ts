/** A node without REST: journal, engine and streams as in the program, and two accounts that trade. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { PlaceOrder, Side } from "@pricetime/engine";
import { DEFAULT_LIMITS, GroupCommitSequencer, MACHINE, Streams, SendQueue } from "@pricetime/server/parts";
import { openStorage } from "@pricetime/server/data-folder";
import { placeOrder } from "@pricetime/testkit/commands";
import { FIRST_ACCOUNT, venueCommands } from "../engine/flow-venue.ts";

export interface TradingNode {
  readonly port: number;
  /** Called with each trade as soon as it is durable. */
  onTrade: (tradeId: number) => void;
  /** Places two orders that trade with each other. */
  trade(): void;
}

const dies = (error: Error): never => {
  throw error;
};
export async function startNode(folder: string): Promise<TradingNode> {
  const { journal, recovery, projector, history } = openStorage({
    world: MACHINE,
    folder,
    snapshotEveryEntries: 0,
    onFatal: dies,
  });
  const { engine } = recovery;
  const server = createServer();
  const sequencer: GroupCommitSequencer = new GroupCommitSequencer({
    world: MACHINE,
    journal,
    engine,
    node: "bench",
    onFatal: dies,
    onApplied: (entry, events) => {
      for (const event of events) if (event.type === "trade") node.onTrade(event.tradeId);
      streams.applied(entry, events);
    },
    onBatch: ({ firstSeq, count }) => projector.publish(firstSeq + count - 1),
  });
  const none = (): never => dies(new Error("this node has no REST API"));
  const streams = new Streams({
    world: MACHINE,
    sendQueue: new SendQueue(),
    engine,
    clock: sequencer,
    history,
    sink: { processMethod: none, turnAway: none, ban: () => null, charge: () => null },
    config: {
      limits: { ...DEFAULT_LIMITS, enabled: false },
      http: { trustedProxies: [], allowedOrigins: [] },
      publicUrl: null,
      demo: false,
      streams: { maxConnectionsPerIp: 10_000, maxSendBufferBytesPerIp: 1024 ** 3 },
    },
    log: { error: none },
  });
  server.on("upgrade", (request, socket, head) => streams.upgrade(request, socket, head, () => {}));
  for (const command of venueCommands()) await sequencer.run(command);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  let trades = 0;
  const node: TradingNode = {
    port: (server.address() as AddressInfo).port,
    onTrade: () => {},
    trade: () => {
      const sides = trades++ % 2 === 0 ? (["SELL", "BUY"] as const) : (["BUY", "SELL"] as const);
      for (const [n, side] of sides.entries()) sequencer.submit(order(FIRST_ACCOUNT + n, side, engine.seq), () => {});
    },
  };
  return node;
}

function order(accountId: number, side: Side, seq: number): PlaceOrder {
  return placeOrder({
    accountId,
    side,
    priceTicks: 5_000_000,
    quantityLots: 1000,
    clientOrderId: `${accountId}-${seq}`,
  });
}
