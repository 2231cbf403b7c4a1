/**
 * Authenticates and parses a request into the fields of a call. Checks the form of the key, parameters, the key itself,
 * time, signature and unread parameters, in the order of Interface 7.7.
 */
import type { ApiKey } from "@pricetime/engine";
import {
  checksKey,
  DEFAULT_RECV_WINDOW_MS,
  INVALID_SIGNATURE,
  isApiError,
  needsKey,
  needsSignature,
  parseRequest,
  parseValues,
  SERVER_BUSY,
  timeOf,
} from "@pricetime/protocol";
import type { ApiError, Endpoint, KnownEndpoint, ParsedRequest } from "@pricetime/protocol";
import {
  checkPermission,
  checkSigned,
  checkTimely,
  knownApiKey,
  namesApiKey,
  Secrets,
  sentApiKey,
  SpentSignatures,
  wellFormedApiKey,
} from "./edge/authentication.ts";
import { PAGE_HEADER } from "./edge/http/own-page.ts";
import { isForm } from "./edge/http/read-request.ts";
import { NOT_A_FORM, Refused } from "./edge/refusals.ts";
import type { GatewayRequest, MethodRequest } from "./edge/request.ts";
import type { Session } from "./edge/session.ts";
import { checkTimeUnit } from "./edge/time-unit.ts";
import type { SavedState } from "../platform/world/port.ts";
import type { AccountRequests, GatewayOptions } from "./options.ts";
import type { IncomingRequest, CallFields, Venue } from "./call.ts";

/** Signed methods with an effect that lasts as long as the connection. */
const LASTING_METHODS: ReadonlySet<string> = new Set(["session.logon", "userDataStream.subscribe.signature"]);

export class Admission {
  readonly #venue: Venue;
  readonly #secrets: Secrets;
  readonly #spent: SpentSignatures;
  readonly #timing: GatewayOptions["timing"];
  readonly #accounts: AccountRequests | undefined;

  constructor(
    venue: Venue,
    { unseal, timing, accounts }: Pick<GatewayOptions, "unseal" | "timing" | "accounts">,
    saved: SavedState,
  ) {
    this.#venue = venue;
    this.#accounts = accounts;
    this.#secrets = new Secrets(unseal);
    this.#spent = new SpentSignatures(saved);
    this.#timing = timing;
  }

  /** Drops the cached secret of a deleted API key. */
  forget(apiKey: string): void {
    this.#secrets.forget(apiKey);
  }

  /** Checks a request over HTTP. Throws `Refused` if it is rejected. */
  admit(request: GatewayRequest, endpoint: KnownEndpoint, incoming: IncomingRequest): CallFields {
    checkTimeUnit(request.headers);
    if (this.#accounts !== undefined && isBySession(request, endpoint)) {
      return this.#admitSignedIn(this.#accounts, request, endpoint, incoming);
    }
    const needsSentKey = needsKey(endpoint) || (checksKey(endpoint) && namesApiKey(request.headers));
    const sentKey = needsSentKey ? sentApiKey(request.headers) : undefined;
    const parsed = parse(endpoint, request);
    const nowMs = this.#venue.sequencer.nowMs();
    const apiKey = this.#authenticate(endpoint, parsed, {
      sentKey,
      ip: request.ip,
      isLoggedOn: false,
      nowMs,
      skewMs: request.skewMs ?? 0,
    });
    return { incoming, endpoint, values: parsed.values, apiKey, nowMs };
  }

  /**
   * Checks a request with a session, which needs no API key, timestamp or signature. Those protect against replayed or
   * modified requests; with a session, TLS does.
   */
  #admitSignedIn(
    accounts: AccountRequests,
    request: GatewayRequest,
    endpoint: KnownEndpoint,
    incoming: IncomingRequest,
  ): CallFields {
    const apiKey = accounts.keyOf(request);
    checkPermission(apiKey, endpoint);
    const { values } = parse(withoutSignature(endpoint), request);
    const nowMs = this.#venue.sequencer.nowMs();
    this.#checkPageTime(values, nowMs + (request.skewMs ?? 0));
    return { incoming, endpoint, values, apiKey, isBySession: true, nowMs };
  }

  /** A page may send a timestamp, so that its request is carried out in time or never, as a signed one. */
  #checkPageTime(values: CallFields["values"], nowMs: number): void {
    const timestampMs = timeOf(values, "timestamp");
    const checkMs = this.#timing === undefined ? nowMs : this.#timing(nowMs);
    if (timestampMs === undefined || checkMs === null) return;
    const recvWindowMs = Number(values.get("recvWindow") ?? DEFAULT_RECV_WINDOW_MS);
    checkTimely({ timestampMs, recvWindowMs }, checkMs);
  }

  /** Like `admit`, for a method of the WebSocket API. */
  admitMethod(request: MethodRequest, endpoint: KnownEndpoint, incoming: IncomingRequest): CallFields {
    const { ip, session, isLoggedOn } = request;
    // For market data, only a key in the request counts, because the logged-on key may lack the permission.
    const needsSentKey = needsKey(endpoint) || (checksKey(endpoint) && !isLoggedOn && request.apiKey !== undefined);
    const sentKey = needsSentKey ? wellFormedApiKey(request.apiKey) : undefined;
    const parsed = parsedOrRefused(parseValues(endpoint, request));
    const nowMs = this.#venue.sequencer.nowMs();
    const apiKey = this.#authenticate(endpoint, parsed, {
      sentKey,
      ip,
      isLoggedOn,
      nowMs,
      skewMs: request.skewMs ?? 0,
    });
    if (LASTING_METHODS.has(endpoint.id) && apiKey !== undefined) this.#spend(apiKey, parsed, session, nowMs);
    return { incoming, endpoint, values: parsed.values, apiKey, session, nowMs };
  }

  /**
   * Allows each signature on one connection only: once used, it is rejected on every other connection. A request with
   * nulls uses up both payloads that its client may have signed, so that a copy without the nulls cannot use the other
   * one.
   */
  #spend(
    { apiKey }: ApiKey,
    { payload, payloadWithNulls = payload, timestampMs, recvWindowMs }: ParsedRequest,
    session: Session,
    nowMs: number,
  ): void {
    const lastMs = Math.ceil(timestampMs + recvWindowMs);
    for (const text of new Set([payload, payloadWithNulls])) {
      const outcome = this.#spent.spend({ apiKey, payload: text, lastMs, session }, nowMs);
      if (outcome === "spent") throw new Refused(INVALID_SIGNATURE);
      if (outcome === "full") throw new Refused(SERVER_BUSY, 1);
    }
  }

  /** Returns the API key after all checks; undefined if the endpoint needs none. */
  #authenticate(endpoint: KnownEndpoint, parsed: ParsedRequest, claim: Claim): ApiKey | undefined {
    let key: ApiKey | undefined;
    if (claim.sentKey !== undefined) {
      key = knownApiKey(this.#venue.engine, claim.sentKey, endpoint, claim.ip);
      if (needsSignature(endpoint)) {
        const checkMs = this.#timing === undefined ? claim.nowMs : this.#timing(claim.nowMs);
        if (checkMs !== null) checkTimely(parsed, checkMs + claim.skewMs);
        if (!claim.isLoggedOn) checkSigned(this.#secrets, key, parsed);
      }
    }
    if (parsed.unread !== null) throw new Refused(parsed.unread);
    return key;
  }
}

/** The credentials of a request and the time to check them against. */
interface Claim {
  /** The key in the request; undefined if the endpoint needs no key. */
  readonly sentKey: string | undefined;
  readonly ip: string;
  readonly isLoggedOn: boolean;
  readonly nowMs: number;
  /** Milliseconds by which the clock that checks timestamps is ahead. */
  readonly skewMs: number;
}

/**
 * Whether the request comes from an account page, which sends a header that identifies it. A request with an API key is
 * always authenticated by the key.
 */
function isBySession({ headers }: GatewayRequest, endpoint: KnownEndpoint): boolean {
  return headers[PAGE_HEADER] !== undefined && needsKey(endpoint) && !namesApiKey(headers);
}

/**
 * Endpoints without a signature, as sessions call them. Cached, because the checks of an endpoint are cached by its
 * object.
 */
const unsigned = new WeakMap<Endpoint, Endpoint>();

function withoutSignature(endpoint: Endpoint): Endpoint {
  const known = unsigned.get(endpoint);
  if (known !== undefined) return known;
  const { signed: _, ...rest } = endpoint;
  const made: Endpoint = { ...rest, security: "NONE" };
  unsigned.set(endpoint, made);
  return made;
}

function parse(endpoint: Endpoint, { query, body, headers }: GatewayRequest): ParsedRequest {
  if (body !== "" && endpoint.method !== "GET" && !isForm(headers["content-type"])) throw new Refused(NOT_A_FORM);
  return parsedOrRefused(parseRequest(endpoint, query, body));
}

function parsedOrRefused(parsed: ParsedRequest | ApiError): ParsedRequest {
  if (isApiError(parsed)) throw new Refused(parsed);
  return parsed;
}
