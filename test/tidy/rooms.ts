/**
 * Who may import whom. A room is a folder of source, or one file; a file belongs to the innermost room that it stands
 * in, and may import from that one wherever the room's floors allow it.
 * `code` lists the rooms whose code a room may run; `contracts` those of which it may know the types
 * and the `port.ts`, no more. What is not listed is forbidden; only `main` and the command line put
 * things together. No two rooms import each other, directly or by way of others; types count too.
 * `floors` are the parts of a room, which import each other downwards only; to other rooms they are one.
 */
import { ENGINE_ROOMS } from "./engine-rooms.ts";
import { LAB_ROOMS } from "./lab-rooms.ts";
import { NODE_LAB_ROOMS } from "./node-lab-rooms.ts";
import { OWN, type Room } from "./room.ts";
import { ENGINE, lab, PROTOCOL, server, web } from "./room-names.ts";
import { WEB_ROOMS } from "./web-rooms.ts";

const SIGNER = server("wallet/evm/signer");

export const ROOMS: readonly Room[] = [
  ...ENGINE_ROOMS,
  ...WEB_ROOMS,
  ...LAB_ROOMS,
  ...NODE_LAB_ROOMS,
  {
    folder: PROTOCOL,
    code: [],
    contracts: [],
    outside: false,
    floors: [
      ["endpoint.ts", "shapes"],
      ["order-types.ts"],
      ["endpoints"],
      ["endpoints.ts"],
      // What each endpoint answers: the one shape that knows the table.
      ["shapes/answers.ts"],
      [OWN],
      ["openapi/examples"],
      ["openapi"],
      ["index.ts"],
    ],
  },
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
    floors: [
      ["wallet-port.ts", "venue-port.ts", "desk-port.ts", "statement-port.ts"],
      ["port.ts"],
      ["question.ts", "table"],
      ["audit", "conduct", "desk", "klines", "orders", "trades"],
      ["days"],
      ["wallet", "statement"],
      ["venue"],
      ["schema.ts"],
      ["reading"],
      ["history-writer.ts"],
    ],
    outside: true,
  },
  // Files of markets, as others write and read them: it knows no journal.
  {
    folder: server("market-files"),
    code: [ENGINE, PROTOCOL],
    contracts: [],
    outside: true,
    floors: [[OWN], ["csv", "parquet", "public-archive"], ["lobster", "recording"], ["layouts.ts"], ["market-rows.ts"]],
  },
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
    // Certificates for the node's own TLS: read, checked, and read again when their files change.
    folder: server("certificates"),
    code: [server("config"), server("transport"), server("world")],
    contracts: [server("observe")],
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
  {
    folder: server("web"),
    code: [PROTOCOL],
    contracts: [],
    floors: [["port.ts"], ["file.ts"], ["html.ts"], ["docs"]],
    outside: true,
  },
  // Answers that grow with the venue or an account: made a piece a turn, shared, compressed once.
  { folder: server("answers"), code: [], contracts: [server("world")], outside: true },
  // Where strangers touch the node: HTTP, sockets, limits, keys and signatures. It knows no endpoint.
  {
    folder: server("edge"),
    code: [ENGINE, PROTOCOL, server("answers"), server("transport"), server("world/read-kept.ts")],
    floors: [
      ["refusals.ts", "spoilt-answer.ts", "telling-order.ts"],
      ["limits"],
      [OWN],
      ["http"],
      ["http/direct", "auth", "sockets"],
      ["http/edge.ts"],
      ["metrics.ts"],
    ],
    contracts: [server("observe"), server("world")],
    outside: true,
  },
  // The endpoints, one file a family, over REST and WebSocket alike.
  {
    folder: server("api"),
    code: [ENGINE, PROTOCOL, server("answers"), server("edge"), server("shapes"), server("world/read-kept.ts")],
    floors: [
      // A call and its answer: all families of endpoints stand on these.
      ["wallet-ports.ts", "ids.ts", "exchange-info.ts", "fresh-reads.ts", "diagnosis.ts", "document.ts"],
      ["account-door.ts"],
      ["call.ts", "options.ts"],
      ["responder.ts", "submit.ts", "balances.ts", "markets.ts", "windows.ts"],
      [OWN, "account", "confirmation", "market", "orders", "wallet", "ws"],
      ["handlers.ts", "pages"],
      ["gateway.ts"],
    ],
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
  // What pages of customers ask for beside the endpoints: signing in, and what is an account's own.
  {
    folder: server("customer"),
    code: [ENGINE, ...["answers", "api", "config", "edge", "sequencer", "shapes", "sign-in"].map(server)],
    contracts: ["history", "proof/folder", "wallet", "world"].map(server),
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
    floors: [
      ["port.ts", "faults-port.ts"],
      ["market", "user"],
    ],
    outside: true,
  },
  // What the venue owes, and proofs of it: how they are made and checked, of whatever state.
  { folder: server("proof"), code: [ENGINE], contracts: [], outside: true },
  {
    // The same of a data folder: its journal replayed, its proofs kept. A node asks a thread of its own.
    folder: server("proof/folder"),
    code: [ENGINE, ...["config", "disk", "proof", "replica", "storage", "world"].map(server)],
    contracts: [server("journal"), server("sequencer")],
    outside: true,
  },
  {
    // Passwords, sessions and pauses of those who guess: the same for customers and operators.
    folder: server("sign-in"),
    code: [ENGINE, PROTOCOL, server("config"), server("edge"), server("world/read-kept.ts")],
    contracts: [server("sequencer"), server("world")],
    outside: true,
  },
  {
    folder: server("admin"),
    code: [ENGINE, ...["answers", "config", "shapes", "sign-in", "transport"].map(server)],
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
    floors: [
      ["assets.ts", "bot-addresses.ts", "day-shape.ts", "markets.ts", "operator.ts"],
      ["bots"],
      ["agents"],
      ["lab-bots.ts"],
    ],
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
    floors: [[OWN], ["sandbox", "manual", "evm"], ["make-network.ts"], ["wallet.ts"], ["open-wallet.ts", "metrics.ts"]],
    outside: true,
  },
  {
    // What main needs of the process: addresses, signals, the one line that tells why a start failed; and the steps of a
    // start that are a subject of their own.
    folder: server("start"),
    code: [
      ENGINE,
      server("admin"),
      server("certificates"),
      server("transport"),
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
      ...["backup", "cluster/catch-up", "cluster/moving", "cluster/port.ts", "config", "disk", "etcd"].map(server),
      ...["extract", "lab/scenario", "market-files", "observe", "proof", "proof/folder", "replica"].map(server),
      ...["start", "storage", "world"].map(server),
      SIGNER,
      // A program that it starts.
      lab("play"),
    ],
    contracts: [server("admin"), server("demo"), server("journal"), server("wallet")],
    floors: [["session"], ["data-folder"], ["cluster", "lab", "proof", "trade", "venue"], ["money"]],
    outside: true,
  },
];

/** The wiring, which may import everything: these files stand in no room. */
export const WIRING = [
  server("main.ts"),
  server("index.ts"),
  server("cli/pricetime.ts"),
  web("main.tsx"),
  web("console.tsx"),
  web("customer.tsx"),
  lab("index.ts"),
];
/** What the server's package shows to auditors, simulators and benchmarks; each may show what it will. */
export const EXPORTS = server("exports");

/** The files that a package's name opens. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@pricetime/engine": ENGINE,
  "@pricetime/protocol": `${PROTOCOL}/index.ts`,
};
