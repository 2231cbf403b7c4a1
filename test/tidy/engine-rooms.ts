/** The rooms of the engine: `rooms.ts` says what a room is. */
import type { Room } from "./room.ts";

/** The engine as its own rooms see it, and as everybody else does. */
export const engine = (room: string): string => `packages/engine/src/${room}`;

const engineRoom = (room: string, code: readonly string[]): Room => ({
  folder: engine(room),
  code: code.map(engine),
  contracts: [],
  outside: false,
});

/** What every room of the engine above the lowest floor may use. */
const GROUND = ["assert.ts", "bytes.ts", "limits.ts", "number", "entry", "view"];
const TABLES = [
  "state/order",
  "state/book",
  "state/market",
  "state/ledger",
  "state/accounts",
  "state/funds",
  "state/nodes",
  "state/access",
  "state/venue",
];
const STATE = [...TABLES, "state/exchange-state.ts"];
const ACTS = ["trading", "funds", "listing", "access", "past", "nodes", "venue"];

/** Floors from the ground up: imports run down only (decision 36). */
export const ENGINE_ROOMS: readonly Room[] = [
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
  engineRoom("state/access", GROUND),
  engineRoom("state/venue", [...GROUND, "state/funds"]),
  engineRoom("state/exchange-state.ts", [...GROUND, ...TABLES]),
  // Acts: what a command does.
  engineRoom("trading", [...GROUND, ...STATE]),
  {
    ...engineRoom("funds", [...GROUND, ...STATE, "access"]),
    floors: [
      ["amount.ts", "by-hand.ts"],
      ["networks.ts"],
      ["deposits", "withdrawals", "dust", "permissions"],
      ["transfers"],
      ["funds-reader.ts", "invariants.ts"],
    ],
  },
  engineRoom("listing", [...GROUND, ...STATE, "funds", "trading"]),
  engineRoom("access", [...GROUND, ...STATE, "trading"]),
  engineRoom("past", [...GROUND, ...STATE]),
  engineRoom("nodes", [...GROUND, ...STATE]),
  engineRoom("venue", [...GROUND, ...STATE, "trading", "funds", "access"]),
  engineRoom("state-hash.ts", ["entry"]),
  engineRoom("snapshot.ts", [...GROUND, ...STATE, ...ACTS]),
  engineRoom("invariants.ts", [...GROUND, ...STATE, ...ACTS]),
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
  engineRoom("index.ts", [...GROUND, ...STATE, "past", "access", "venue", "state-hash.ts", "engine.ts"]),
];
