/** The rooms of the library for tests, which speaks to a node from outside: `rooms.ts` says what a room is. */
import { OWN, type Room } from "./room.ts";
import { ENGINE, lab, PROTOCOL } from "./room-names.ts";

const labRoom = (room: string, code: readonly string[]): Room => ({
  folder: lab(room),
  code: code.map((one) => (one.startsWith("packages/") ? one : lab(one))),
  contracts: [],
  outside: true,
});

export const LAB_ROOMS: readonly Room[] = [
  labRoom("types", []),
  labRoom("types.ts", ["types"]),
  // What a bot runs under: it knows nothing of the rest, but by which variables it finds the lab.
  labRoom("hold", ["types.ts"]),
  labRoom("client", [PROTOCOL, "types.ts"]),
  // Where a node is begun: `@pricetime/server` inside a process, or a process of its own.
  labRoom("start", [ENGINE, "types.ts", "client", "hold"]),
  labRoom("fixture.ts", ["types.ts", "start"]),
  // Scenarios, played on a lab in the same process; their files are the server's to read, by its package's entries.
  {
    ...labRoom("play", ["types.ts", "client", "hold", "start"]),
    floors: [[OWN], ["report"], ["play.ts"]],
  },
];
