/**
 * The kinds of faults that can be injected into a lab: the objects that each applies to, and its times.
 * docs/guides/lab-faults.md
 */
import { DAY_MS } from "@pricetime/engine";
import { WS_API_PATH } from "@pricetime/protocol";
import { z } from "zod";
import { accountName } from "../../people/admin/parse.ts";
import { assetName, decimal, text } from "../../platform/config/listing-schema.ts";

/** The maximum number of faults at a time; further ones are rejected. */
export const MAX_FAULTS = 200;
/**
 * The maximum number of affected objects that a fault lists: the first and the latest ones. All of them are counted.
 */
export const MAX_STRUCK_TOLD = 100;
/** The maximum number of characters that are shown of a request or a message. */
export const MAX_TOLD_CHARS = 500;
/** The maximum delay of one request or message. */
export const MAX_WAIT_MS = DAY_MS;
/** The maximum sigma of random delays. A delay of e^(3 sigma) times the median is not rare. */
export const MAX_SIGMA = 3;
/** The maximum clock skew in either direction. */
const MAX_SKEW_MS = DAY_MS;
/** The maximum value of `count`, `skip` and `every`. */
const MAX_COUNT = 1_000_000_000;
const MAX_CHUNKS = 1000;
const MAX_KBPS = 1_000_000;
const MAX_TRUNCATE_BYTES = 1_000_000_000;
/** The maximum length of the body of `reply`. */
const MAX_REPLY_CHARS = 64 * 1024;
export const MAX_REPLY_HEADERS = 20;
const MAX_HEADER_CHARS = 1000;
const MAX_MESSAGE_CHARS = 1000;
/** The maximum number of copies of a message in addition to the message itself. */
const MAX_COPIES = 10;
/**
 * The maximum number of messages held at a time. When it is exceeded, the oldest held message of a stream is sent
 * early.
 */
export const MAX_HELD_MESSAGES = 100_000;
/** The maximum number of deposits that one fault delays at a time; further ones are not delayed. */
export const MAX_STUCK_DEPOSITS = 1000;
/** The interval between the slices of a bandwidth-limited response. */
export const BANDWIDTH_SLICE_MS = 100;

/** The paths at which clients open WebSockets. */
const SOCKET_PATHS = ["/ws", "/stream", WS_API_PATH] as const;
const spanMs = z.int().min(1).max(MAX_WAIT_MS);
const timeMs = z.int().min(0);
const count = z.int().min(1).max(MAX_COUNT);
/** Whether the fault happens before or after the exchange executes the request. */
const when = z.enum(["before", "after"]);

/** The event that arms a fault. Exactly one field is set. */
const afterSchema = z.strictObject({
  fill: z.strictObject({ account: accountName.exactOptional(), symbol: text.exactOptional() }).exactOptional(),
  order: z.strictObject({ account: accountName.exactOptional(), symbol: text.exactOptional() }).exactOptional(),
  price: z
    .strictObject({ symbol: text, atLeast: decimal.exactOptional(), atMost: decimal.exactOptional() })
    .exactOptional(),
  deposit: z.strictObject({ account: accountName.exactOptional(), coin: assetName.exactOptional() }).exactOptional(),
  fault: z.int().min(1).exactOptional(),
});
export type After = z.output<typeof afterSchema>;

/** The time or event at which a fault becomes active. */
const moment = { fromMs: timeMs.exactOptional(), after: afterSchema.exactOptional() };
/** Fields that narrow down the matching requests, messages or deposits. */
const choice = {
  ...moment,
  toMs: timeMs.exactOptional(),
  count: count.exactOptional(),
  skip: count.exactOptional(),
  every: count.exactOptional(),
  probability: z.number().positive().max(1).exactOptional(),
};
/** A delay: `ms`, or the median and the sigma of a log-normal distribution. */
const wait = {
  ms: spanMs.exactOptional(),
  medianMs: spanMs.exactOptional(),
  sigma: z.number().min(0).max(MAX_SIGMA).exactOptional(),
};
const code = z.int().min(-99_999).max(-1);
const msg = z.string().max(MAX_MESSAGE_CHARS);

const requestWhere = z.strictObject({
  endpoint: text.exactOptional(),
  account: accountName.exactOptional(),
  symbol: text.exactOptional(),
  method: z.enum(["GET", "POST", "PUT", "DELETE"]).exactOptional(),
  over: z.enum(["rest", "websocket"]).exactOptional(),
});
const streamWhere = z.strictObject({
  stream: text.exactOptional(),
  account: accountName.exactOptional(),
  symbol: text.exactOptional(),
});
const coinWhere = z.strictObject({
  account: accountName.exactOptional(),
  coin: assetName.exactOptional(),
  network: text.exactOptional(),
});

const ofRequests = { where: requestWhere.default({}), ...choice };
const ofStreams = { where: streamWhere.default({}), ...choice };
const ofCoins = { where: coinWhere.default({}), ...choice };

const requestFaults = [
  z.strictObject({ fault: z.literal("delay"), ...wait, when: when.default("before"), ...ofRequests }),
  z.strictObject({ fault: z.literal("fail-before"), ...failure(), ...ofRequests }),
  z.strictObject({ fault: z.literal("fail-after"), ...failure(), ...ofRequests }),
  z.strictObject({ fault: z.literal("disconnect"), when: when.default("before"), ...ofRequests }),
  z.strictObject({ fault: z.literal("reset"), when: when.default("before"), ...ofRequests }),
  z.strictObject({ fault: z.literal("hang"), when: when.default("before"), ...ofRequests }),
  z.strictObject({
    fault: z.literal("reply"),
    status: z.int().min(200).max(599).exactOptional(),
    code: code.exactOptional(),
    msg: msg.exactOptional(),
    body: z.string().max(MAX_REPLY_CHARS).exactOptional(),
    headers: z
      .record(
        z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, "a header's name has letters, digits and -"),
        z
          .string()
          .max(MAX_HEADER_CHARS)
          .regex(/^[\x20-\x7e]*$/, "a header has visible ASCII characters"),
      )
      .default({}),
    when: when.default("before"),
    ...ofRequests,
  }),
  z.strictObject({
    fault: z.literal("dribble"),
    chunks: z.int().min(2).max(MAX_CHUNKS),
    ms: spanMs,
    ...ofRequests,
  }),
  z.strictObject({ fault: z.literal("bandwidth"), kbps: z.int().min(1).max(MAX_KBPS), ...ofRequests }),
  z.strictObject({ fault: z.literal("truncate"), bytes: z.int().min(0).max(MAX_TRUNCATE_BYTES), ...ofRequests }),
  z.strictObject({ fault: z.literal("garble"), ...ofRequests }),
  z.strictObject({ fault: z.literal("skew"), ms: z.int().min(-MAX_SKEW_MS).max(MAX_SKEW_MS), ...ofRequests }),
] as const;

const streamFaults = [
  z.strictObject({ fault: z.literal("drop"), ...ofStreams }),
  z.strictObject({ fault: z.literal("hold"), ...wait, ...ofStreams }),
  z.strictObject({ fault: z.literal("duplicate"), copies: z.int().min(1).max(MAX_COPIES).default(1), ...ofStreams }),
  z.strictObject({ fault: z.literal("gap"), ...ofStreams }),
  z.strictObject({ fault: z.literal("late"), ...ofStreams }),
  z.strictObject({ fault: z.literal("cut"), code: z.int().min(1000).max(4999).exactOptional(), ...ofStreams }),
] as const;

const coinFaults = [
  z.strictObject({ fault: z.literal("deposit-stuck"), ms: spanMs.exactOptional(), ...ofCoins }),
  z.strictObject({ fault: z.literal("withdrawal-fails"), ...ofCoins }),
  z.strictObject({ fault: z.literal("withdrawal-rejected"), msg: msg.default("rejected"), ...ofCoins }),
] as const;

/** Faults that affect connections before any request. */
const connectionFaults = [
  z.strictObject({ fault: z.literal("refuse"), where: z.strictObject({}).default({}), ...choice }),
  z.strictObject({
    fault: z.literal("handshake"),
    status: z.int().min(400).max(599).default(503),
    where: z.strictObject({ path: z.enum(SOCKET_PATHS).exactOptional() }).default({}),
    ...choice,
  }),
] as const;

const acts = [
  z.strictObject({
    fault: z.literal("reorg"),
    where: z.strictObject({ network: text.exactOptional() }).default({}),
    depth: z.int().min(1),
    fate: z.enum(["lost", "waiting", "mined"]).default("lost"),
    ...moment,
  }),
  z.strictObject({
    fault: z.literal("listen-key-expires"),
    where: z.strictObject({ account: accountName }),
    ...moment,
  }),
] as const;

/** A 5XX response, which leaves open whether the request was executed. */
function failure() {
  return { status: z.int().min(500).max(599).exactOptional(), code: code.exactOptional(), msg: msg.exactOptional() };
}

export const faultSchema = z.discriminatedUnion("fault", [
  ...requestFaults,
  ...streamFaults,
  ...coinFaults,
  ...connectionFaults,
  ...acts,
]);

export type Fault = z.output<typeof faultSchema>;
export type RequestFault = z.output<(typeof requestFaults)[number]>;
export type StreamFault = z.output<(typeof streamFaults)[number]>;
export type CoinFault = z.output<(typeof coinFaults)[number]>;
export type ConnectionFault = z.output<(typeof connectionFaults)[number]>;
/** A fault that happens once. */
export type Act = z.output<(typeof acts)[number]>;
export type Wait = { readonly [Name in keyof typeof wait]?: number };

const namesOf = (schemas: readonly z.ZodObject<{ fault: z.ZodLiteral<string> }>[]): ReadonlySet<string> =>
  new Set(schemas.map(({ shape }) => shape.fault.value));
const OF_REQUESTS = namesOf(requestFaults);
const OF_STREAMS = namesOf(streamFaults);
const OF_COINS = namesOf(coinFaults);
const OF_CONNECTIONS = namesOf(connectionFaults);

export function isRequestFault(fault: Fault): fault is RequestFault {
  return OF_REQUESTS.has(fault.fault);
}
export function isStreamFault(fault: Fault): fault is StreamFault {
  return OF_STREAMS.has(fault.fault);
}
export function isConnectionFault(fault: Fault): fault is ConnectionFault {
  return OF_CONNECTIONS.has(fault.fault);
}
/** Whether the fault applies to matching requests, messages, deposits or connections, rather than happening once. */
export function isChoosing(fault: Fault): fault is Exclude<Fault, Act> {
  return isRequestFault(fault) || isStreamFault(fault) || isCoinFault(fault) || isConnectionFault(fault);
}
export function isCoinFault(fault: Fault): fault is CoinFault {
  return OF_COINS.has(fault.fault);
}
