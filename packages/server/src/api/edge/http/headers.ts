/** Headers of all responses: caching, content sniffing and CORS. Interface 1.13. */
import { STATUS_CODES } from "node:http";
import type { HeaderList } from "../rate-limits.ts";
import { textOf } from "../../answers/long-text.ts";
import type { GatewayResponse, Keeping, RequestHeaders } from "../request.ts";
import { hostName, isLoopbackName } from "../../../platform/transport/http.ts";

/** The default content type of responses. */
export const CONTENT_TYPE = "application/json;charset=UTF-8";

const ALLOW_METHODS = "GET, POST, PUT, DELETE, OPTIONS";
/** Request headers that scripts of other origins may send. */
export const ALLOWED_HEADERS: readonly string[] = ["X-MBX-APIKEY", "X-MBX-TIME-UNIT", "Content-Type"];
/** A quality value of RFC 9110, 12.4.2; some clients omit the 0. */
const WEIGHT = /^(?:[01]|[01]?\.[0-9]*)$/;
/** Browsers repeat the preflight request after one day. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/** Headers of every response: alternating names and values. */
export const ALWAYS_SENT: readonly string[] = [
  "Cache-Control",
  "no-cache, no-store, must-revalidate",
  "Pragma",
  "no-cache",
  "Expires",
  "0",
  "X-Content-Type-Options",
  "nosniff",
  "X-Frame-Options",
  "SAMEORIGIN",
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Allow-Methods",
  ALLOW_METHODS,
];

const CACHE_CONTROL: Readonly<Record<Keeping, string>> = {
  "until changed": "no-cache",
  "for good": "public, max-age=31536000, immutable",
  "for a moment": "public, max-age=10",
  "not at all": "no-store",
};

const sentWithPages = (keeping: Keeping): readonly string[] => [
  "Cache-Control",
  CACHE_CONTROL[keeping],
  "X-Content-Type-Options",
  "nosniff",
  "X-Frame-Options",
  "DENY",
  "Cross-Origin-Resource-Policy",
  "same-origin",
];

/** Headers of pages and their files, which scripts of other sites cannot read. */
export const SENT_WITH_PAGES: Readonly<Record<Keeping, readonly string[]>> = {
  "until changed": sentWithPages("until changed"),
  "for good": sentWithPages("for good"),
  "for a moment": sentWithPages("for a moment"),
  "not at all": sentWithPages("not at all"),
};

/**
 * The headers of a response besides the constant ones. `exposed` lists the headers that scripts of other origins may
 * read.
 */
export function ownHeaders(asked: RequestHeaders, answer: GatewayResponse, exposed: string): HeaderList {
  const type = answer.contentType ?? CONTENT_TYPE;
  return ["Content-Type", type, ...answer.headers, ...exposedHeaders(asked, exposed)];
}

const NONE: HeaderList = [];

/** The header that lists the `exposed` headers. Only for scripts of other origins. */
export function exposedHeaders(asked: RequestHeaders, exposed: string): HeaderList {
  return asked["origin"] === undefined ? NONE : ["Access-Control-Expose-Headers", exposed];
}

/** The headers of a response to a CORS preflight. `allowed` lists the headers that scripts may send. */
export function preflightHeaders(allowed: string): HeaderList {
  return [
    "Access-Control-Allow-Origin",
    "*",
    "Access-Control-Allow-Methods",
    ALLOW_METHODS,
    "Access-Control-Allow-Headers",
    allowed,
    "Access-Control-Max-Age",
    PREFLIGHT_MAX_AGE_SECONDS,
    "Cache-Control",
    "no-cache, no-store, must-revalidate",
  ];
}

/** Whether an Accept-Encoding header includes gzip. Takes time linear in its length. */
export function acceptsGzip(accepted: string | string[] | undefined): boolean {
  return typeof accepted === "string" && accepted.split(",").some(offersGzip);
}

/** Whether an item such as `gzip` or `*;q=0.5` accepts gzip. A weight of 0 means that it does not. */
function offersGzip(offer: string): boolean {
  const [coding = "", parameter, ...more] = offer.split(";");
  if (!/^(?:gzip|\*)$/i.test(coding.trim()) || more.length > 0) return false;
  if (parameter === undefined) return true;
  const [name = "", weight = ""] = parameter.split("=", 2).map((part) => part.trim());
  return name.toLowerCase() === "q" && WEIGHT.test(weight) && Number(weight) > 0;
}

/**
 * A complete response as text, for sockets that Node no longer treats as HTTP. Its headers announce that the connection
 * will be closed.
 */
export function answerText(answer: GatewayResponse): string {
  const { status, headers } = answer;
  const body = textOf(answer.body);
  let more = "";
  for (let i = 0; i < headers.length; i += 2) more += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: ${CONTENT_TYPE}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-cache, no-store, must-revalidate\r\n` +
    `Access-Control-Allow-Origin: *\r\nConnection: close\r\n${more}\r\n${body}`
  );
}

// HSTS (RFC 6797): browsers that receive the header connect to this host name only by TLS, on all ports. It is never
// sent for loopback names, where many programs use plain HTTP. Browsers ignore it for IP addresses.

const NOTHING_TOLD: HeaderList = [];

export class Hsts {
  readonly #told: HeaderList;

  /** No header is sent if `seconds` is 0. */
  constructor(seconds: number) {
    this.#told = seconds === 0 ? NOTHING_TOLD : ["Strict-Transport-Security", `max-age=${seconds}`];
  }

  /** The HSTS header for the response to this request, which was received over TLS. */
  of({ host }: RequestHeaders): HeaderList {
    const name = typeof host === "string" ? hostName(host) : undefined;
    return name === undefined || isLoopbackName(name) ? NOTHING_TOLD : this.#told;
  }
}
