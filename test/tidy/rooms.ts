/**
 * Who may import whom. A room is a folder of source, or one file; a file belongs to the innermost room that it stands
 * in, and may always import from that one.
 * `code` lists the rooms whose code a room may run; `contracts` those of which it may know the types
 * and the `port.ts`, no more. What is not listed is forbidden; only `main` and the command line put
 * things together.
 */
export interface Room {
  readonly folder: string;
  readonly code: readonly string[];
  readonly contracts: readonly string[];
  /** May it import Node's own modules and packages of npm? */
  readonly outside: boolean;
}

const server = (room: string): string => `packages/server/src/${room}`;
const ENGINE = "packages/engine/src";
const PROTOCOL = "packages/protocol/src";
const SIGNER = server("wallet/evm/signer");

export const ROOMS: readonly Room[] = [
  { folder: ENGINE, code: [], contracts: [], outside: false },
  { folder: PROTOCOL, code: [], contracts: [], outside: false },
  { folder: server("disk"), code: [], contracts: [], outside: true },
  { folder: server("clock"), code: [], contracts: [], outside: true },
  { folder: server("journal"), code: [ENGINE, server("disk")], contracts: [], outside: true },
  {
    // Rows of history as the interface's JSON: pure, run by the thread that reads and by the gateway.
    folder: server("pages"),
    code: [PROTOCOL],
    contracts: [server("history")],
    outside: false,
  },
  {
    folder: server("history"),
    code: [ENGINE, PROTOCOL, server("pages"), server("disk")],
    contracts: [],
    outside: true,
  },
  // Sockets that are bounded in what they carry: whoever listens on a port stands on them.
  { folder: server("transport"), code: [], contracts: [], outside: true },
  { folder: server("observe"), code: [], contracts: [ENGINE], outside: true },
  { folder: server("config"), code: [ENGINE], contracts: [], outside: true },
  { folder: server("mail"), code: [ENGINE], contracts: [server("observe")], outside: true },
  {
    folder: server("sequencer"),
    code: [ENGINE],
    contracts: [server("journal"), server("replica")],
    outside: true,
  },
  {
    folder: server("replica"),
    code: [ENGINE, server("journal"), server("history"), server("disk")],
    contracts: [server("sequencer")],
    outside: true,
  },
  {
    folder: server("trading-rules"),
    code: [ENGINE],
    contracts: [server("sequencer"), server("history"), server("observe")],
    outside: true,
  },
  // Pages served to browsers: they know nothing of the exchange but what they are told.
  { folder: server("web"), code: [PROTOCOL], contracts: [], outside: true },
  {
    folder: server("gateway"),
    code: [ENGINE, PROTOCOL, server("pages"), server("transport")],
    contracts: [
      server("sequencer"),
      server("replica"),
      server("history"),
      server("config"),
      server("observe"),
      server("trading-rules"),
      server("mail"),
      server("wallet"),
      server("web"),
    ],
    outside: true,
  },
  {
    folder: server("admin"),
    code: [ENGINE, server("config"), server("transport")],
    contracts: [
      server("sequencer"),
      server("replica"),
      server("history"),
      server("journal"),
      server("observe"),
      server("mail"),
      server("wallet"),
      server("web"),
    ],
    outside: true,
  },
  {
    folder: server("demo"),
    code: [ENGINE, server("config")],
    contracts: [server("sequencer"), server("gateway"), server("observe")],
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
    contracts: [server("sequencer"), server("config"), server("observe"), SIGNER],
    outside: true,
  },
  {
    // What main needs of the process: addresses, signals, the one line that tells why a start failed.
    folder: server("start"),
    code: [
      ENGINE,
      server("admin"),
      server("clock"),
      server("config"),
      server("disk"),
      server("history"),
      server("journal"),
      server("replica"),
    ],
    contracts: [server("wallet"), server("sequencer"), server("demo")],
    outside: true,
  },
  {
    folder: server("backup"),
    code: [server("config"), server("journal"), server("replica")],
    contracts: [],
    outside: true,
  },
  {
    folder: server("cli"),
    code: [
      ENGINE,
      server("backup"),
      server("config"),
      server("disk"),
      server("journal"),
      server("observe"),
      server("replica"),
      server("start"),
      SIGNER,
    ],
    contracts: [server("admin")],
    outside: true,
  },
];

/**
 * Rooms of which no two may import each other, directly or by way of others; types count too. Rows of `pages` are made
 * of what `history` reads: that room is not on the list yet.
 */
export const ONE_WAY = ROOMS.map(({ folder }) => folder).filter((folder) => folder !== server("pages"));

/** The wiring, which may import everything: these files stand in no room. */
export const WIRING = [server("main.ts"), server("index.ts"), server("cli/pricetime.ts")];

/** The rooms that a package's name opens. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@pricetime/engine": ENGINE,
  "@pricetime/protocol": PROTOCOL,
};
