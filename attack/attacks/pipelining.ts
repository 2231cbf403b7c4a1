/** Many requests in one chunk, none of whose answers is read: up to the end of the process, it was. */
import type { Attack } from "../attack.ts";
import { openHostile } from "../hostile.ts";
import { besiege, type Siege } from "../siege.ts";

const ADDRESSES = ["127.0.0.2", "127.0.0.3"];
const ASK = "GET /api/v3/exchangeInfo HTTP/1.1\r\nHost: x\r\n\r\n";

function siege(requests: number): Siege {
  return {
    name: "pipelining",
    does: `${requests} \`exchangeInfo\` of 1,500 symbols in one chunk from each of two addresses, half to each; nothing is read`,
    strike: async ({ port }) => {
      const first = ASK.repeat(requests / ADDRESSES.length);
      const sockets = ADDRESSES.map((localAddress) => openHostile({ port, localAddress, isDeaf: true, first }));
      return { saw: `${sockets.length} connections` };
    },
  };
}

export const pipelining: Attack = {
  name: "pipelining",
  run: async (campaign) => {
    const rows = [];
    for (const requests of campaign.isShort ? [300] : [300, 1_190]) rows.push(await besiege(campaign, siege(requests)));
    return rows;
  },
};
