/** The rooms of a node for experiments, which is wired only with `--lab`: `rooms.ts` says what a room is. */
import { OWN, type Room } from "./room.ts";
import { ENGINE, PROTOCOL, server } from "./room-names.ts";

/** From the ground up. */
export const NODE_LAB_ROOMS: readonly Room[] = [
  {
    // What a lab keeps, in the node's own thread: it opens journal and history, as a data folder does.
    folder: server("lab/storage"),
    code: [ENGINE, ...["disk", "history", "journal", "replica", "storage", "world"].map(server)],
    contracts: [],
    outside: true,
  },
  {
    // What goes wrong on demand, through the ports of the rooms where it does: edge, streams and wallet.
    folder: server("lab/faults"),
    code: [
      ENGINE,
      PROTOCOL,
      ...["admin", "config", "demo/exact.ts", "edge", "shapes", "streams", "world", "world/read-kept.ts"].map(server),
    ],
    contracts: [server("sequencer"), server("wallet")],
    outside: true,
  },
  {
    // The hand on a lab's markets, and its routes.
    folder: server("lab/markets"),
    code: [ENGINE, ...["admin", "config", "demo/exact.ts", "world/read-kept.ts"].map(server)],
    contracts: [server("demo"), server("sequencer"), server("world")],
    outside: true,
  },
  {
    // Recorded markets, played as orders.
    folder: server("lab/replay"),
    code: [ENGINE, ...["admin", "config", "market-files", "world/read-kept.ts"].map(server)],
    contracts: [server("demo"), server("edge"), server("sequencer"), server("world")],
    outside: true,
    floors: [[OWN], ["lobster"], ["survey.ts"], ["replay.ts"], ["replays.ts"], ["replay-routes.ts"]],
  },
  {
    // Who trades beside the bots of a lab: the routes alone, for agents are of the demo's market.
    folder: server("lab/agents"),
    code: [ENGINE, server("admin"), server("config")],
    contracts: [server("demo")],
    outside: true,
  },
  {
    // What accounts live through, for whoever holds the lab: it sees answers as faults see requests.
    folder: server("lab/watch"),
    code: [ENGINE, PROTOCOL, ...["admin", "config", "edge", "lab/faults"].map(server)],
    contracts: [],
    outside: true,
  },
  {
    // How long all is on its way.
    folder: server("lab/latency"),
    code: [PROTOCOL, ...["admin", "edge", "lab/faults", "streams", "world", "world/read-kept.ts"].map(server)],
    contracts: [],
    outside: true,
  },
  {
    // Scenario files, read and checked, and what a player tells of one.
    folder: server("lab/scenario"),
    code: [ENGINE, ...["admin", "config", "lab/faults", "lab/markets", "lab/latency", "lab/replay"].map(server)],
    contracts: [],
    outside: true,
  },
  {
    // A node for experiments: it holds the exchange's clock and its door, and tells operators so.
    folder: server("lab"),
    code: [
      ENGINE,
      PROTOCOL,
      server("admin"),
      server("config"),
      server("disk"),
      server("edge"),
      server("history"),
      server("journal"),
      server("lab/agents"),
      server("lab/faults"),
      server("lab/latency"),
      server("lab/markets"),
      server("lab/replay"),
      server("lab/scenario"),
      server("lab/storage"),
      server("lab/watch"),
      server("replica"),
      server("storage"),
      server("world"),
      server("world/read-kept.ts"),
    ],
    contracts: [
      server("api"),
      server("demo"),
      server("observe"),
      server("sequencer"),
      server("streams"),
      server("wallet"),
    ],
    outside: true,
  },
];
