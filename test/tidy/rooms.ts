/**
 * Who may import whom. A room is a folder of source, or one file; a file belongs to the innermost room that it stands
 * in, and may always import from that one.
 * `code` lists the rooms whose code a room may run; `contracts` those of which it may know the types
 * and the `port.ts`, no more. What is not listed is forbidden; only `main` and the command line put
 * things together. No two rooms import each other, directly or by way of others; types count too.
 */
export interface Room {
  readonly folder: string;
  readonly code: readonly string[];
  readonly contracts: readonly string[];
  /** May it import Node's own modules and packages of npm? */
  readonly outside: boolean;
}

const server = (room: string): string => `packages/server/src/${room}`;
/** The engine as its own rooms see it, and as everybody else does. */
const engine = (room: string): string => `packages/engine/src/${room}`;
const ENGINE = engine("index.ts");
const PROTOCOL = "packages/protocol/src";
const SIGNER = server("wallet/evm/signer");

const engineRoom = (room: string, code: readonly string[]): Room => ({
  folder: engine(room),
  code: code.map(engine),
  contracts: [],
  outside: false,
});

/** What every room of the engine above the lowest floor may use. */
const GROUND = ["assert.ts", "bytes.ts", "limits.ts", "number", "entry", "view"];
const STATE = [
  "state/order",
  "state/book",
  "state/market",
  "state/ledger",
  "state/accounts",
  "state/funds",
  "state/nodes",
  "state/exchange-state.ts",
];
const ACTS = ["trading", "funds", "listing", "access", "past", "nodes"];

/** From the ground up: imports run down only (decision 36). */
const ENGINE_ROOMS: readonly Room[] = [
  engineRoom("assert.ts", []),
  engineRoom("bytes.ts", ["assert.ts"]),
  engineRoom("limits.ts", []),
  engineRoom("number", []),
  // Words: commands, events, and what both tell of.
  engineRoom("entry", ["assert.ts", "bytes.ts", "limits.ts", "number"]),
  engineRoom("view", ["entry", "number"]),
  // Knowledge: what is true now.
  engineRoom("state/order", GROUND),
  engineRoom("state/book", [...GROUND, "state/order"]),
  engineRoom("state/market", [...GROUND, "state/order", "state/book"]),
  engineRoom("state/ledger", GROUND),
  engineRoom("state/accounts", [...GROUND, "state/ledger"]),
  engineRoom("state/funds", GROUND),
  engineRoom("state/nodes", GROUND),
  engineRoom("state/exchange-state.ts", [...GROUND, ...STATE]),
  // Acts: what a command does.
  engineRoom("trading", [...GROUND, ...STATE]),
  engineRoom("funds", [...GROUND, ...STATE]),
  engineRoom("listing", [...GROUND, ...STATE, "funds"]),
  engineRoom("access", [...GROUND, ...STATE]),
  engineRoom("past", [...GROUND, ...STATE]),
  engineRoom("nodes", [...GROUND, ...STATE]),
  engineRoom("state-hash.ts", ["entry"]),
  engineRoom("snapshot.ts", [...GROUND, ...STATE, ...ACTS]),
  engineRoom("invariants.ts", [...GROUND, ...STATE, ...ACTS]),
  engineRoom("state-hash.ts", ["entry"]),
  engineRoom("carry-out.ts", [...GROUND, ...STATE, ...ACTS]),
  engineRoom("engine.ts", [
    ...GROUND,
    ...STATE,
    ...ACTS,
    "carry-out.ts",
    "snapshot.ts",
    "state-hash.ts",
    "invariants.ts",
  ]),
  engineRoom("index.ts", [...GROUND, ...STATE, "past", "state-hash.ts", "engine.ts"]),
];

/** The terminal's, which runs in browsers. What is told between its halves are the two ports. */
const web = (room: string): string => `packages/web/src/${room}`;
const WEB_PORTS = [web("market/port.ts"), web("account/port.ts")];

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
  webRoom("exact", [], { outside: false }),
  webRoom("style", [], { outside: false }),
  webRoom("words", [...WEB_PORTS, "exact"], { outside: false }),
  webRoom("preferences.ts", WEB_PORTS, { outside: true }),
  webRoom("rules", [...WEB_PORTS, PROTOCOL, "exact", "words"], { outside: false }),
  webRoom("wire", [...WEB_PORTS, PROTOCOL, "exact", "words"], { outside: true }),
  webRoom("market", [...WEB_PORTS, PROTOCOL, "exact", "words", "wire"], { outside: true }),
  webRoom("account", [...WEB_PORTS, PROTOCOL, "exact", "words", "rules", "wire", "market"], { outside: true }),
  webRoom(
    "chart",
    [...WEB_PORTS, PROTOCOL, "exact", "words", "rules", "market", "account", "preferences.ts", "style"],
    {
      outside: true,
    },
  ),
  webRoom(
    "panels",
    [...WEB_PORTS, "exact", "words", "rules", "market", "account", "preferences.ts", "style", "chart"],
    {
      outside: true,
    },
  ),
];

export const ROOMS: readonly Room[] = [
  ...ENGINE_ROOMS,
  ...WEB_ROOMS,
  { folder: PROTOCOL, code: [], contracts: [], outside: false },
  { folder: server("disk"), code: [], contracts: [], outside: true },
  // Time, timers and dice: whoever needs them knows the port; who may import the machine's stands in machine.ts.
  { folder: server("world"), code: [], contracts: [server("observe")], outside: true },
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
  // Sockets that are bounded in what they carry: whoever listens on a port stands on them.
  { folder: server("transport"), code: [], contracts: [server("world")], outside: true },
  { folder: server("observe"), code: [], contracts: [ENGINE], outside: true },
  { folder: server("config"), code: [ENGINE], contracts: [server("world")], outside: true },
  {
    folder: server("mail"),
    code: [ENGINE, PROTOCOL],
    contracts: [server("sequencer"), server("observe"), server("world")],
    outside: true,
  },
  {
    folder: server("sequencer"),
    code: [ENGINE],
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
    code: [ENGINE],
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
    code: [ENGINE, PROTOCOL, server("answers"), server("transport")],
    contracts: [server("observe"), server("world")],
    outside: true,
  },
  // The endpoints, one file a family, over REST and WebSocket alike.
  {
    folder: server("api"),
    code: [ENGINE, PROTOCOL, server("answers"), server("edge"), server("shapes")],
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
    code: [ENGINE, PROTOCOL, server("answers"), server("api"), server("edge"), server("shapes")],
    contracts: [server("world"), server("history")],
    outside: true,
  },
  {
    folder: server("admin"),
    code: [ENGINE, server("config"), server("transport")],
    contracts: [
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
  {
    folder: server("demo"),
    code: [ENGINE, server("config")],
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
    code: [ENGINE, server("disk")],
    contracts: [server("sequencer"), server("config"), server("observe"), SIGNER, server("world")],
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
    contracts: [server("api"), server("demo"), server("journal"), server("streams")],
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
      server("backup"),
      server("cluster/catch-up"),
      server("cluster/moving"),
      server("cluster/port.ts"),
      server("config"),
      server("disk"),
      server("etcd"),
      server("replica"),
      server("observe"),
      server("start"),
      server("storage"),
      server("world"),
      SIGNER,
    ],
    contracts: [server("admin"), server("demo"), server("journal"), server("replica")],
    outside: true,
  },
];

/** The wiring, which may import everything: these files stand in no room. */
export const WIRING = [server("main.ts"), server("index.ts"), server("cli/pricetime.ts"), web("main.tsx")];
/** What the server's package shows to auditors, simulators and benchmarks; each may show what it will. */
export const EXPORTS = server("exports");

/** The files that a package's name opens. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@pricetime/engine": ENGINE,
  "@pricetime/protocol": `${PROTOCOL}/index.ts`,
};
