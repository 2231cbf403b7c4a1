/** The default limits of a node. */
import { MAX_DEPTH_LIMIT, MAX_LIST_LIMIT, MAX_PARAMETERS } from "@pricetime/protocol";
import { LISTEN_KEY_LIFE_MS } from "../../packages/engine/src/limits.ts";
import { DEFAULT_HTTP_LIMITS, STREAM_LIMITS } from "../../packages/server/src/api/edge/limits.ts";
import { BAN_AT_MULTIPLE, BAN_LADDER_MS } from "../../packages/server/src/api/edge/rate-limits.ts";
import { DEFAULT_LIMITS } from "../../packages/server/src/api/edge/rate-limit-rules.ts";
import { MAX_SUBSCRIPTIONS } from "../../packages/server/src/api/edge/session.ts";
import { MAX_REQUESTS_IN_FLIGHT_PER_IP, MAX_REQUESTS_WAITING } from "../../packages/server/src/api/ws-api.ts";
import { MAX_FRAME_LENGTH } from "../../packages/server/src/api/ws-frame.ts";
import { code, table } from "./markdown.ts";

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
];

function span(ms: number): string {
  const [unitMs, unit] = UNITS.find(([each]) => ms % each === 0) ?? [1, "millisecond"];
  const count = ms / unitMs;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const number = (of: number): string => of.toLocaleString("en-US");
const bytes = (of: number): string => (of % (1024 * 1024) === 0 ? `${of / 1024 / 1024} MiB` : `${of / 1024} KiB`);

/** In the format of exchangeInfo. */
export function limiterTable(): string {
  return table(
    ["limiter", "interval", "limit", "counted by"],
    DEFAULT_LIMITS.rules.map(({ rateLimitType, interval, intervalNum, limit }) => [
      code(rateLimitType),
      `${intervalNum} ${interval}`,
      number(limit),
      rateLimitType === "ORDERS" ? "account" : "address",
    ]),
  );
}

export function banTable(): string {
  return table(
    ["ban", "lasts"],
    BAN_LADDER_MS.map((ms, i) => [i === BAN_LADDER_MS.length - 1 ? `${i + 1}. and later` : `${i + 1}.`, span(ms)]),
  );
}

export function otherLimitTable(): string {
  const http = DEFAULT_HTTP_LIMITS;
  return table(
    ["limit on", "limit", "beyond it"],
    [
      ["rows of a list (`limit`)", number(MAX_LIST_LIMIT), "is reduced to the limit"],
      ["levels of the book (`limit` of depth)", number(MAX_DEPTH_LIMIT), "is rejected: -1130"],
      ["parameters of a request", number(MAX_PARAMETERS), "is rejected: -1101"],
      ["path and query", bytes(http.maxUrlBytes), "is rejected: 403"],
      ["request line and headers", bytes(http.maxHeaderBytes), "is rejected: 431"],
      ["body", bytes(http.maxBodyBytes), "is rejected: 413"],
      ["use of a window, in multiples of its limit", number(BAN_AT_MULTIPLE), "leads to a ban: 418"],
      ["open HTTP connections of an address", number(http.maxConnectionsPerIp), "is rejected: 429"],
      ["pending requests of an address", number(http.maxRequestsInFlightPerIp), "is rejected: 429"],
      ["time to send the headers of a request", span(http.headersTimeoutMs), "is rejected: 408"],
      ["time on an idle connection", span(http.keepAliveTimeoutMs), "closes the connection"],
      ["time to read a response", span(http.readTimeoutMs), "closes the connection"],
      ["lifetime of a listen key that is not extended", span(LISTEN_KEY_LIFE_MS), "ends its stream"],
    ],
  );
}

export function streamLimitTable(): string {
  const of = STREAM_LIMITS;
  return table(
    ["limit on", "limit", "beyond it"],
    [
      ["streams of a connection", number(of.maxStreams), "an error; no part of the request is executed"],
      ["messages from a client per second, including pings and pongs", number(of.maxMessagesASecond), "1008"],
      [`connection attempts of an address in ${span(of.attemptsWindowMs)}`, number(of.maxAttempts), "429"],
      ["open connections of an address", number(of.maxConnectionsPerIp), "429"],
      ["size of a message from a client", bytes(of.maxMessageBytes), "1009"],
      ["frames of such a message", number(of.maxMessageParts), "1008"],
      ["send buffer: bytes that a client has not read", bytes(of.maxBufferedBytes), "1008"],
      ["time to read the send buffer", span(of.readTimeoutMs), "the connection is closed"],
      [`response to a ping, sent every ${span(of.pingEveryMs)}`, span(of.pongTimeoutMs), "1008"],
      ["lifetime of a connection", span(of.connectionLifeMs), "1001"],
    ],
  );
}

export function methodLimitTable(): string {
  return table(
    ["limit on", "limit", "beyond it"],
    [
      ["characters of a request", number(MAX_FRAME_LENGTH), "413, -1013"],
      ["pending requests of a connection", number(MAX_REQUESTS_WAITING), "429, -1003"],
      ["pending requests of an address", number(MAX_REQUESTS_IN_FLIGHT_PER_IP), "429, -1003"],
      ["accounts whose events a connection receives", number(MAX_SUBSCRIPTIONS), "400, -1191"],
    ],
  );
}
