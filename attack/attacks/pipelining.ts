/** Many requests in one chunk, without reading the responses: this once crashed the process. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { openHostile } from "../hostile.ts";
import { besiege, type Siege } from "../siege.ts";

/** Two addresses. One chunk that the system delivers at once contains half of each address's limit. */
const CONNECTIONS = ["127.0.0.2", "127.0.0.3", "127.0.0.2", "127.0.0.3"];
const ASK = "GET /api/v3/exchangeInfo HTTP/1.1\r\nHost: x\r\n\r\n";

/** The total number of requests. */
const FEW = 300;
/** As many as two addresses may send in a minute. A node that buffered all responses would take long. */
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
      for (const localAddress of CONNECTIONS) openHostile({ port, localAddress, neverReads: true, first });
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
