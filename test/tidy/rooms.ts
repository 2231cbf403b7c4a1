/**
 * Who may import whom. A room is a folder of source, or one file; a file belongs to the innermost room that it stands
 * in, and may always import from that one.
 * `code` lists the rooms whose code a room may run; `contracts` those of which it may know the types
 * and the `port.ts`, no more. What is not listed is forbidden; only `main` and the command line put
 * things together. No two rooms import each other, directly or by way of others; types count too.
 */
import { engine, ENGINE_ROOMS } from "./engine-rooms.ts";
import type { Room } from "./room.ts";

const server = (room: string): string => `packages/server/src/${room}`;
const ENGINE = engine("index.ts");
const PROTOCOL = "packages/protocol/src";
const SIGNER = server("wallet/evm/signer");

/** The terminal's, which runs in browsers. What is told between its halves are the two ports. */
const web = (room: string): string => `packages/web/src/${room}`;
const WEB_PORTS = [web("market/port.ts"), web("account/port.ts"), web("lab/port.ts")];

const webRoom = (room: string, code: readonly string[], { outside }: { readonly outside: boolean }): Room => ({
  folder: web(room),
  code: code.map((one) => (one.startsWith("packages/") ? one : web(one))),
  contracts: [],
  outside,
});

/** From the ground up, as in the engine. */
const WEB_ROOMS: readonly Room[] = [
  webRoom("market/port.ts", [PROTOCOL], { outside: true }),
  webRoom("account/port.ts", ["market/port.ts"], { outside: true }),
  webRoom("lab/port.ts", [], { outside: true }),
  webRoom("exact", [], { outside: false }),
  webRoom("style", [], { outside: false }),
  webRoom("words", [...WEB_PORTS, "exact"], { outside: false }),
  webRoom("preferences.ts", WEB_PORTS, { outside: true }),
  webRoom("rules", [...WEB_PORTS, PROTOCOL, "exact", "words"], { outside: false }),
  webRoom("wire", [...WEB_PORTS, PROTOCOL, "exact", "words"], { outside: true }),
  webRoom("market", [...WEB_PORTS, PROTOCOL, "exact", "words", "wire"], { outside: true }),
  webRoom("account", [...WEB_PORTS, PROTOCOL, "exact", "words", "rules", "wire", "market"], { outside: true }),
  webRoom("lab", [...WEB_PORTS, "words", "wire"], { outside: true }),
  webRoom(
    "chart",
    [...WEB_PORTS, PROTOCOL, "exact", "words", "rules", "market", "account", "preferences.ts", "style"],
    {
      outside: true,
    },
  ),
  webRoom(
    "panels",
    [...WEB_PORTS, "exact", "words", "rules", "market", "account", "lab", "preferences.ts", "style", "chart"],
    {
      outside: true,
    },
  ),
];

/** The library for tests, which speaks to a node from outside. */
const lab = (room: string): string => `packages/lab/src/${room}`;
const labRoom = (room: string, code: readonly string[]): Room => ({
  folder: lab(room),
  code: code.map((one) => (one.startsWith("packages/") ? one : lab(one))),
  contracts: [],
  outside: true,
});

const LAB_ROOMS: readonly Room[] = [
  labRoom("types.ts", []),
  // What a bot runs under: it knows nothing of the rest, but by which variables it finds the lab.
  labRoom("hold", ["types.ts"]),
  labRoom("client", [PROTOCOL, "types.ts"]),
  // Where a node is begun: `@pricetime/server` inside a process, or a process of its own.
  labRoom("start", [ENGINE, "types.ts", "client", "hold"]),
  labRoom("fixture.ts", ["types.ts", "start"]),
  // Scenarios, played on a lab in the same process; their files are the server's to read.
  labRoom("play", [server("exports"), "types.ts", "client", "hold", "start"]),
];

export const ROOMS: readonly Room[] = [
  ...ENGINE_ROOMS,
  ...WEB_ROOMS,
  ...LAB_ROOMS,
  { folder: PROTOCOL, code: [], contracts: [], outside: false },
  { folder: server("disk"), code: [], contracts: [], outside: true },
  // Time, timers and dice: whoever needs them knows the port; who may import the machine's stands in machine.ts.
  { folder: server("world"), code: [], contracts: [server("observe")], outside: true },
  // What rooms have kept for a lab's checkpoint, read back: whoever keeps something runs it.
  { folder: server("world/read-kept.ts"), code: [], contracts: [server("world")], outside: true },
  // It knows nothing of what the bytes mean.
  { folder: server("journal"), code: [server("disk"), server("world")], contracts: [], outside: true },
  // What several nodes share beside the order of batches: known to many by its port,
  { folder: server("cluster/port.ts"), code: [], contracts: [server("journal")], outside: false },
  // shown to operators,
  { folder: server("cluster/status.ts"), code: [], contracts: [], outside: false },
  // and kept by etcd.
  {
    folder: server("etcd"),
    code: [server("cluster/port.ts"), server("world")],
    contracts: [server("journal")],
    outside: true,
  },
  // What is kept or known as the interface tells it, rows of history among them: pure, run by the threads that read and serve.
  { folder: server("shapes"), code: [ENGINE, PROTOCOL], contracts: [], outside: false },
  {
    folder: server("history"),
    code: [ENGINE, PROTOCOL, server("shapes"), server("disk")],
    contracts: [server("world")],
    outside: true,
  },
  // Files of markets, as others write and read them: it knows no journal.
  { folder: server("market-files"), code: [ENGINE], contracts: [], outside: true },
  {
    // Rows made of a journal by replaying it, for those who study a market or audit one.
    folder: server("extract"),
    code: [ENGINE, PROTOCOL, server("history"), server("market-files"), server("replica"), server("world")],
    contracts: [server("journal")],
    outside: true,
  },
  // Sockets that are bounded in what they carry: whoever listens on a port stands on them.
  { folder: server("transport"), code: [], contracts: [server("world")], outside: true },
  { folder: server("observe"), code: [], contracts: [ENGINE], outside: true },
  {
    folder: server("config"),
    code: [ENGINE, server("world/read-kept.ts")],
    contracts: [server("world")],
    outside: true,
  },
  {
    folder: server("mail"),
    code: [ENGINE, PROTOCOL, server("world/read-kept.ts")],
    contracts: [server("sequencer"), server("observe"), server("world")],
    outside: true,
  },
  {
    folder: server("sequencer"),
    code: [ENGINE, server("world/read-kept.ts")],
    contracts: [server("journal"), server("replica"), server("world")],
    outside: true,
  },
  {
    folder: server("replica"),
    code: [ENGINE, server("history"), server("disk"), server("world")],
    contracts: [server("journal"), server("observe")],
    outside: true,
  },
  {
    // A data folder: the only room that knows what the journal and history are made of, and opens them.
    folder: server("storage"),
    code: [ENGINE, server("disk"), server("history"), server("journal"), server("replica"), server("world")],
    contracts: [],
    outside: true,
  },
  {
    // What a lab keeps, in the node's own thread: it opens journal and history, as a data folder does.
    folder: server("lab/storage"),
    code: [ENGINE, ...["disk", "history", "journal", "replica", "storage", "world"].map(server)],
    contracts: [],
    outside: true,
  },
  {
    // What one process did alone: a part runs while its node holds the role. It knows no part.
    folder: server("cluster/roles"),
    code: [],
    contracts: [ENGINE, server("cluster/port.ts"), server("sequencer"), server("observe"), server("world")],
    outside: false,
  },
  {
    // Rows of a journal from node to node, where the log does not have them any more.
    folder: server("cluster/catch-up"),
    code: [
      ENGINE,
      server("backup"),
      server("replica"),
      server("sequencer"),
      server("storage"),
      server("cluster/port.ts"),
    ],
    contracts: [server("journal"), server("observe"), server("world")],
    outside: true,
  },
  {
    // Into a cluster, out of it, and begun anew: what operators do beside the nodes.
    folder: server("cluster/moving"),
    code: [
      server("backup"),
      server("config"),
      server("etcd"),
      server("replica"),
      server("storage"),
      server("cluster/port.ts"),
      server("cluster/catch-up"),
    ],
    contracts: [server("journal"), server("world")],
    outside: true,
  },
  {
    // A node as one of several: who is there, how far, by whose clock, and what it may do.
    folder: server("cluster"),
    code: [
      ENGINE,
      server("etcd"),
      server("replica"),
      server("storage"),
      server("cluster/port.ts"),
      server("cluster/status.ts"),
      server("cluster/catch-up"),
      server("cluster/roles"),
      server("observe"),
    ],
    contracts: [server("journal"), server("sequencer"), server("world")],
    outside: true,
  },
  {
    folder: server("trading-rules"),
    code: [ENGINE, server("world/read-kept.ts")],
    contracts: [server("sequencer"), server("history"), server("observe"), server("world")],
    outside: true,
  },
  // Pages served to browsers: they know nothing of the exchange but what they are told.
  { folder: server("web"), code: [PROTOCOL], contracts: [], outside: true },
  // Answers that grow with the venue or an account: made a piece a turn, shared, compressed once.
  { folder: server("answers"), code: [], contracts: [server("world")], outside: true },
  // Where strangers touch the node: HTTP, sockets, limits, keys and signatures. It knows no endpoint.
  {
    folder: server("edge"),
    code: [ENGINE, PROTOCOL, server("answers"), server("transport"), server("world/read-kept.ts")],
    contracts: [server("observe"), server("world")],
    outside: true,
  },
  // The endpoints, one file a family, over REST and WebSocket alike.
  {
    folder: server("api"),
    code: [ENGINE, PROTOCOL, server("answers"), server("edge"), server("shapes"), server("world/read-kept.ts")],
    contracts: [
      server("sequencer"),
      server("history"),
      server("config"),
      server("trading-rules"),
      server("wallet"),
      server("web"),
      server("cluster/port.ts"),
      server("world"),
    ],
    outside: true,
  },
  // What a node sends by itself: of markets, and to the owners of accounts.
  {
    folder: server("streams"),
    code: [
      ENGINE,
      PROTOCOL,
      server("answers"),
      server("api"),
      server("edge"),
      server("shapes"),
      server("world/read-kept.ts"),
    ],
    contracts: [server("world"), server("history")],
    outside: true,
  },
  // What the venue owes, and proofs of it: how they are made and checked, of whatever state.
  { folder: server("proof"), code: [ENGINE], contracts: [], outside: true },
  {
    // The same of a data folder: its journal replayed, its proofs kept. A node asks a thread of its own.
    folder: server("proof/folder"),
    code: [ENGINE, ...["config", "disk", "proof", "replica", "storage", "world"].map(server)],
    contracts: [server("journal")],
    outside: true,
  },
  {
    folder: server("admin"),
    code: [ENGINE, server("config"), server("transport")],
    contracts: [
      server("proof/folder"),
      server("cluster/catch-up"),
      server("sequencer"),
      server("replica"),
      server("history"),
      server("journal"),
      server("observe"),
      server("mail"),
      server("wallet"),
      server("cluster/status.ts"),
      server("web"),
      server("world"),
    ],
    outside: true,
  },
  // Exponentials and their like, the same on every machine: for whoever draws what is journaled.
  { folder: server("demo/exact.ts"), code: [], contracts: [], outside: true },
  {
    folder: server("demo"),
    code: [ENGINE, server("config"), server("demo/exact.ts"), server("world/read-kept.ts")],
    contracts: [server("sequencer"), server("api"), server("edge"), server("observe"), server("world")],
    outside: true,
  },
  {
    // The process that holds the keys of an EVM network: the node's own code knows its port alone.
    folder: SIGNER,
    code: [ENGINE, server("config")],
    contracts: [],
    outside: true,
  },
  {
    folder: server("wallet"),
    code: [ENGINE, server("disk"), server("world/read-kept.ts")],
    contracts: [server("sequencer"), server("config"), server("observe"), SIGNER, server("world")],
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
  // Files of recorded markets: layouts that others have made, and ours.
  { folder: server("market-files"), code: [], contracts: [ENGINE], outside: true },
  {
    // Recorded markets, played as orders.
    folder: server("lab/replay"),
    code: [ENGINE, ...["admin", "config", "market-files", "world/read-kept.ts"].map(server)],
    contracts: [server("demo"), server("edge"), server("sequencer"), server("world")],
    outside: true,
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
    code: [ENGINE, ...["admin", "config", "lab/faults", "lab/markets", "lab/latency"].map(server)],
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
  {
    // What main needs of the process: addresses, signals, the one line that tells why a start failed; and the steps of a
    // start that are a subject of their own.
    folder: server("start"),
    code: [
      ENGINE,
      server("admin"),
      server("world"),
      server("cluster"),
      server("cluster/catch-up"),
      server("cluster/port.ts"),
      server("config"),
      server("disk"),
      server("edge"),
      server("history"),
      server("mail"),
      server("observe"),
      server("replica"),
      server("sequencer"),
      server("storage"),
      server("wallet"),
    ],
    contracts: [
      server("api"),
      server("cluster/roles"),
      server("demo"),
      server("journal"),
      server("lab"),
      server("streams"),
    ],
    outside: true,
  },
  {
    folder: server("backup"),
    code: [server("config"), server("disk"), server("replica"), server("storage"), server("world")],
    contracts: [server("journal")],
    outside: true,
  },
  {
    folder: server("cli"),
    code: [
      ENGINE,
      PROTOCOL,
      server("backup"),
      server("cluster/catch-up"),
      server("cluster/moving"),
      server("cluster/port.ts"),
      server("config"),
      server("disk"),
      server("etcd"),
      server("extract"),
      server("market-files"),
      server("replica"),
      server("observe"),
      server("proof"),
      server("proof/folder"),
      server("start"),
      server("storage"),
      server("world"),
      ...["backup", "cluster/catch-up", "cluster/moving", "cluster/port.ts", "config", "disk", "etcd"].map(server),
      ...["lab/scenario", "replica", "observe", "start", "storage", "world"].map(server),
      SIGNER,
      // A program that it starts.
      lab("play"),
    ],
    contracts: [server("admin"), server("demo"), server("journal"), server("replica"), server("wallet")],
    outside: true,
  },
];

/** The wiring, which may import everything: these files stand in no room. */
export const WIRING = [
  server("main.ts"),
  server("index.ts"),
  server("cli/pricetime.ts"),
  web("main.tsx"),
  lab("index.ts"),
];
/** What the server's package shows to auditors, simulators and benchmarks; each may show what it will. */
export const EXPORTS = server("exports");

/** The files that a package's name opens. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@pricetime/engine": ENGINE,
  "@pricetime/protocol": `${PROTOCOL}/index.ts`,
};
