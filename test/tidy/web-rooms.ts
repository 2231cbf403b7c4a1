/** The rooms of the terminal and the console, which run in browsers: `rooms.ts` says what a room is. */
import { OWN, type Room } from "./room.ts";
import { PROTOCOL, web } from "./room-names.ts";

/** What is told between the halves of the terminal. */
const WEB_PORTS = [web("market/port.ts"), web("account/port.ts"), web("lab/port.ts")];

const webRoom = (room: string, code: readonly string[], { outside }: { readonly outside: boolean }): Room => ({
  folder: web(room),
  code: code.map((one) => (one.startsWith("packages/") ? one : web(one))),
  contracts: [],
  outside,
});

/** From the ground up, as in the engine. */
export const WEB_ROOMS: readonly Room[] = [
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
  {
    // The pages of operators. Of the terminal they have what draws any page, and none of its market or account.
    ...webRoom("console", ["exact", "words", "style", "preferences.ts", "wire", "panels"], { outside: true }),
    floors: [
      ["routes.ts", "wire"],
      ["place.ts"],
      ["desk.ts"],
      ["rights.ts"],
      ["asked.ts", "paged.ts"],
      ["draw/denied-text.tsx", "draw/save-blob.ts"],
      ["forms"],
      ["draw"],
      ["acts", "stops/stop.ts"],
      ["overview/overview.ts"],
      [OWN, "accounts", "assets", "deposits", "journal", "mail", "markets", "me", "operators", "proposals", "stops"],
      ["networks", "overview", "treasury", "venue", "withdrawals"],
      ["frame"],
    ],
  },
];
