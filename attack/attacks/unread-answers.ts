/**
 * Clients that do not read their responses, or read them very slowly, so that responses are buffered in the node's
 * memory.
 */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Attack, Row } from "../attack.ts";
import { hostileSocket, openHostile } from "../hostile.ts";
import { openConnections } from "../starts.ts";
import { besiege, type Siege, type Target } from "../siege.ts";

const ADDRESSES = ["127.0.0.2", "127.0.0.3"];
const CONNECTIONS = 60;
const REQUESTS = 10;
const PAUSE_MS = 50;
const INFO = "/api/v3/exchangeInfo";
/** The largest file of the pages: 1.7 MB with a weight of 1. */
const PAGE = "/assets/swagger-ui-bundle.js";
const ask = (headers = "", path = INFO): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
/** An ordinary request, and one that `node:http` parses. */
const PATHS = [ask(), ask("TE: trailers\r\n")];
const PAGES = [ask("", PAGE), ask("TE: trailers\r\n", PAGE), ask("Accept-Encoding: gzip\r\n", PAGE)];
const PACKED = [ask("Accept-Encoding: gzip\r\n"), ask("Accept-Encoding: gzip\r\nTE: trailers\r\n")];

const DROP_BYTES = 512;
const DROP_EVERY_MS = 200;
/** The time after which a connection that is not read must be closed. */
const PATIENCE_MS = 60_000;
/** The connections of the quiet client, the supervisor and the campaign itself. */
const OTHERS_CONNECTIONS = 8;

const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

/** Each of 60 connections sends 10 requests, one after another. */
async function askWithoutReading({ port }: Target, requests: readonly string[]): Promise<void> {
  const sockets = Array.from({ length: CONNECTIONS }, (_, i) =>
    openHostile({ port, localAddress: pick(ADDRESSES, i), neverReads: true }),
  );
  for (let turn = 0; turn < REQUESTS; turn++) {
    for (const [i, { socket }] of sockets.entries()) if (socket.writable) socket.write(pick(requests, i >> 1));
    await sleep(PAUSE_MS);
  }
}

const AT_A_TIME = 25;

/** Clients on the same machine need no token for the pages there. */
const adminPages: Siege = {
  name: "unread answers",
  does: `${AT_A_TIME} more connections at the admin port every ${PAUSE_MS * 2} ms request \`${PAGE}\` without a token and never read`,
  strike: async ({ adminPort: port, endMs, isAlive }) => {
    const first = ask("", PAGE).replace("Host: x", "Host: 127.0.0.1");
    let begun = 0;
    while (performance.now() < endMs && isAlive()) {
      for (let i = 0; i < AT_A_TIME; i++) openHostile({ port, first, neverReads: true });
      begun += AT_A_TIME;
      await sleep(PAUSE_MS * 2);
    }
    return { saw: `${begun} requests` };
  },
};

function deaf(what: string, requests: readonly string[]): Siege {
  return {
    name: "unread answers",
    does: `${CONNECTIONS} connections from two addresses request ${what} ${REQUESTS} times each and never read; some of them with requests that \`node:http\` parses`,
    strike: async (target) => {
      await askWithoutReading(target, requests);
      return { saw: "" };
    },
  };
}

/** Reads 512 bytes five times a second; the system's buffers not counted. */
function dropReader(port: number, localAddress: string, first: string): void {
  const onread = { buffer: Buffer.alloc(DROP_BYTES), callback: () => false };
  const socket = hostileSocket(connect({ port, host: "127.0.0.1", localAddress, onread }, () => socket.write(first)));
  const timer = setInterval(() => socket.resume(), DROP_EVERY_MS);
  socket.on("error", () => {}).on("close", () => clearInterval(timer));
}

function drops(awaitsEnd: boolean): Siege {
  const end = awaitsEnd ? `; fails unless closed within ${PATIENCE_MS / 1000} s` : "";
  return {
    name: "unread answers",
    does: `${CONNECTIONS} connections pipeline ${REQUESTS} \`exchangeInfo\` each and read ${DROP_BYTES} bytes every ${DROP_EVERY_MS} ms${end}`,
    strike: async ({ port, exchange, isAlive }) => {
      for (let i = 0; i < CONNECTIONS; i++) dropReader(port, pick(ADDRESSES, i), pick(PATHS, i >> 1).repeat(REQUESTS));
      if (!awaitsEnd) return { saw: "" };
      const startMs = performance.now();
      let left = CONNECTIONS;
      while (left > 0 && isAlive() && performance.now() < startMs + PATIENCE_MS) {
        await sleep(1_000);
        left = await openConnections(exchange).catch(() => left);
        if (left <= OTHERS_CONNECTIONS) left = 0;
      }
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
      if (left === 0) return { saw: `all closed after ${seconds} s` };
      return { saw: "", broken: [`${left} connections are open after ${seconds} s`] };
    },
  };
}

const FRAMES = 10;
const webSockets: Siege = {
  name: "unread answers",
  does: `${CONNECTIONS} connections of the WebSocket API request \`exchangeInfo\` ${FRAMES} times each and never read`,
  strike: async ({ exchange, endMs }) => {
    const sockets = Array.from({ length: CONNECTIONS }, (_, i) => {
      const options = { localAddress: pick(ADDRESSES, i), perMessageDeflate: false };
      const socket = new WebSocket(`${exchange.ws}/ws-api/v3`, options);
      socket.on("error", () => {}).on("open", () => socket.pause());
      return socket;
    });
    for (let turn = 0; turn < FRAMES; turn++) {
      await sleep(PAUSE_MS * 4);
      const frame = JSON.stringify({ id: turn, method: "exchangeInfo", params: {} });
      for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(frame, () => {});
    }
    await sleep(Math.max(0, endMs - performance.now()));
    for (const socket of sockets) socket.terminate();
    return { saw: "" };
  },
};

export const unreadAnswers: Attack = {
  name: "unread",
  run: async (campaign) => {
    const sieges = campaign.isShort
      ? [drops(false)]
      : [
          deaf("`exchangeInfo`", PATHS),
          deaf("`exchangeInfo`, compressed,", PACKED),
          deaf(`\`${PAGE}\``, PAGES),
          adminPages,
          drops(true),
          webSockets,
        ];
    const rows: Row[] = [];
    for (const siege of sieges) rows.push(await besiege(campaign, siege));
    return rows;
  },
};
