/** Connections that begin a request and do not complete it, or send nothing: at the public and the admin port. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Campaign, Row } from "../attack.ts";
import { type Hostile, openHostile } from "../hostile.ts";
import { openConnections } from "../starts.ts";
import { tryToOperate } from "@pricetime/testkit/venue";
import { besiege, type Siege } from "../siege.ts";

const INCOMPLETE = 110;
/** Truncated in the head and in the body. */
const CUT_REQUESTS = [
  "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n",
  "POST /api/v3/order HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 16384\r\n\r\nsymbol=",
];
const RENEW_EVERY_MS = 100;

/**
 * Keeps so many incomplete requests open until the time is over, and replaces closed ones. Returns how many were
 * opened.
 */
async function holdIncomplete(port: number, isOver: () => boolean): Promise<number> {
  const begin = (at: number): Hostile => openHostile({ port, first: CUT_REQUESTS[at % CUT_REQUESTS.length] ?? "" });
  const held = Array.from({ length: INCOMPLETE }, (_, at) => begin(at));
  let begun = INCOMPLETE;
  while (!isOver()) {
    await sleep(RENEW_EVERY_MS);
    for (const [at, { isClosed }] of held.entries()) {
      if (!isClosed) continue;
      held[at] = begin(at);
      begun++;
    }
  }
  for (const { socket } of held) socket.destroy();
  return begun;
}

const OPERATOR_EVERY_MS = 500;

const atAdminPort: Siege = {
  name: "incomplete requests",
  does: `${INCOMPLETE} incomplete requests at the admin port without a token, each started again when it is closed, while an operator sends requests`,
  strike: async ({ exchange, adminPort, endMs, isAlive }) => {
    const isOver = (): boolean => performance.now() >= endMs || !isAlive();
    const opened = holdIncomplete(adminPort, isOver);
    let [asked, answered] = [0, 0];
    while (!isOver()) {
      await sleep(OPERATOR_EVERY_MS);
      asked++;
      const answer = await tryToOperate(exchange, "GET", "/v1/maintenance").catch(() => undefined);
      if (answer?.status === 200) answered++;
    }
    const saw = `${await opened} incomplete requests; the operator got ${answered} of ${asked} answers`;
    return { saw, broken: answered === 0 ? ["the operator got no answer"] : [] };
  },
};

const atPublicPort: Siege = {
  name: "incomplete requests",
  does: `${INCOMPLETE} incomplete requests at the public port, each started again when it is closed`,
  strike: async ({ port, endMs, isAlive }) => {
    const begun = await holdIncomplete(port, () => performance.now() >= endMs || !isAlive());
    return { saw: `${begun} incomplete requests` };
  },
};

const IDLE = 3_000;
/** The default of `http.maxConnectionsPerIp`. */
const MOST_OF_ONE_ADDRESS = 2_000;
const OPENED_AT_A_TIME = 100;

const idle: Siege = {
  name: "idle connections",
  does: `${IDLE} connections from one address that send nothing; fails if more than ${MOST_OF_ONE_ADDRESS} stay open`,
  strike: async ({ exchange, port }) => {
    const before = await openConnections(exchange);
    for (let opened = 0; opened < IDLE; opened += OPENED_AT_A_TIME) {
      for (let i = 0; i < OPENED_AT_A_TIME; i++) openHostile({ port });
      await sleep(20);
    }
    await sleep(500);
    const held = (await openConnections(exchange)) - before;
    const broken = held > MOST_OF_ONE_ADDRESS ? [`one address has ${held} open connections`] : [];
    return { saw: `${held} open`, broken };
  },
};

async function run(campaign: Campaign): Promise<Row[]> {
  const rows: Row[] = [];
  for (const siege of campaign.isShort ? [atAdminPort] : [atAdminPort, atPublicPort, idle]) {
    rows.push(await besiege(campaign, siege));
  }
  return rows;
}

export const incompleteRequests: Attack = { name: "incomplete", run };
