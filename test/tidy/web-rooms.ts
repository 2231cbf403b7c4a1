/** The rooms of the terminal, the console and the customers' pages, which run in browsers: `rooms.ts` says what a room is. */
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
  webRoom("proof", [], { outside: false }),
  // What pages of operators and of customers are made of alike.
  webRoom("pages", [PROTOCOL, "exact", "words", "preferences.ts", "wire", "panels"], { outside: true }),
  {
    // The pages of operators. Of the terminal they have what draws any page, and none of its market or account.
    ...webRoom("console", ["exact", "words", "style", "preferences.ts", "wire", "panels", "proof", "pages"], {
      outside: true,
    }),
    floors: [
      ["routes.ts", "wire"],
      ["place.ts"],
      ["desk.ts"],
      ["rights.ts"],
      ["asked.ts", "paged.ts"],
      ["forms"],
      ["draw"],
      ["acts", "stops/stop.ts"],
      ["overview/overview.ts"],
      [OWN, "accounts", "assets", "deposits", "journal", "mail", "markets", "me", "operators", "proposals", "stops"],
      ["networks", "overview", "treasury", "venue", "withdrawals"],
      ["frame"],
    ],
  },
  {
    // The pages of customers. They know nothing of the console.
    ...webRoom("customer", ["exact", "words", "style", "preferences.ts", "wire", "panels", "proof", "pages"], {
      outside: true,
    }),
    floors: [
      ["wire", "place.ts"],
      ["proof/check-own-part.ts"],
      ["desk.ts"],
      ["asked.ts", "draw"],
      ["coins.ts", "demo.ts", "addresses/addresses.ts"],
      [OWN, "deposits", "withdrawals", "fees", "overview", "statements", "outside", "proof"],
      ["addresses", "histories", "keys", "security", "sub-accounts"],
      ["dust"],
      ["frame"],
    ],
  },
];
