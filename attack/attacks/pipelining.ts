/** Many requests in one chunk, none of whose answers is read: up to the end of the process, it was. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { openHostile } from "../hostile.ts";
import { besiege, type Siege } from "../siege.ts";

/** Two addresses; one chunk that the system hands over whole holds half of what each may ask for. */
const CONNECTIONS = ["127.0.0.2", "127.0.0.3", "127.0.0.2", "127.0.0.3"];
const ASK = "GET /api/v3/exchangeInfo HTTP/1.1\r\nHost: x\r\n\r\n";

/** In all. */
const FEW = 300;
/** As many as two addresses may ask for in a minute. What they make of a node that keeps all answers takes its time. */
const MANY = 2_380;
const MANY_MS = 25_000;
const WATCH_EVERY_MS = 200;

function siege(requests: number): Siege {
  return {
    name: "pipelining",
    does: `${requests} \`exchangeInfo\` of 1,500 symbols from two addresses, in one chunk on each of four connections; no answer is read`,
    strike: async ({ port, isAlive }) => {
      const startMs = performance.now();
      const first = ASK.repeat(requests / CONNECTIONS.length);
      for (const localAddress of CONNECTIONS) openHostile({ port, localAddress, isDeaf: true, first });
      const watchMs = requests < MANY ? 0 : MANY_MS;
      while (isAlive() && performance.now() < startMs + watchMs) await sleep(WATCH_EVERY_MS);
      return { saw: "" };
    },
  };
}

export const pipelining: Attack = {
  name: "pipelining",
  run: async (campaign) => {
    const rows = [];
    for (const requests of campaign.isShort ? [FEW] : [FEW, MANY]) rows.push(await besiege(campaign, siege(requests)));
    return rows;
  },
};
