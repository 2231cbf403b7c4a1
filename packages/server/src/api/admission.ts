/**
 * Which requests become calls: form of the key, parameters, the key itself, time, signature, unread parameters, in the
 * order of Interface 7.7.
 */
import type { ApiKey } from "@pricetime/engine";
import {
  checksKey,
  INVALID_SIGNATURE,
  isApiError,
  needsKey,
  needsSignature,
  parseRequest,
  parseValues,
  SERVER_BUSY,
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
import { checkTimeUnit, type GatewayRequest, type MethodRequest } from "./edge/request.ts";
import type { Session } from "./edge/session.ts";
import type { SavedState } from "../platform/world/port.ts";
import type { AccountDoor, GatewayOptions } from "./options.ts";
import type { Applicant, CallFields, Venue } from "./call.ts";

/** Signed methods whose effect outlasts their answer. */
const GIVES_WHAT_LASTS: ReadonlySet<string> = new Set(["session.logon", "userDataStream.subscribe.signature"]);

export class Admission {
  readonly #venue: Venue;
  readonly #secrets: Secrets;
  readonly #spent: SpentSignatures;
  readonly #judgingMs: GatewayOptions["timing"];
  readonly #accounts: AccountDoor | undefined;

  constructor(
    venue: Venue,
    { unseal, timing, accounts }: Pick<GatewayOptions, "unseal" | "timing" | "accounts">,
    saved: SavedState,
  ) {
    this.#venue = venue;
    this.#accounts = accounts;
    this.#secrets = new Secrets(unseal);
    this.#spent = new SpentSignatures(saved);
    this.#judgingMs = timing;
  }

  /** Forgets the secret of a deleted API key. */
  forget(apiKey: string): void {
    this.#secrets.forget(apiKey);
  }

  /** Throws `Refused`. */
  admit(request: GatewayRequest, endpoint: KnownEndpoint, applicant: Applicant): CallFields {
    checkTimeUnit(request.headers);
    if (this.#accounts !== undefined && isBySession(request, endpoint)) {
      return this.#admitSignedIn(this.#accounts, request, endpoint, applicant);
    }
    const isKeyTold = needsKey(endpoint) || (checksKey(endpoint) && namesApiKey(request.headers));
    const sentKey = isKeyTold ? sentApiKey(request.headers) : undefined;
    const parsed = parse(endpoint, request);
    const nowMs = this.#venue.sequencer.nowMs();
    const apiKey = this.#authenticate(endpoint, parsed, {
      sentKey,
      ip: request.ip,
      isLoggedOn: false,
      nowMs,
      skewMs: request.skewMs ?? 0,
    });
    return { applicant, endpoint, values: parsed.values, apiKey, nowMs };
  }

  /**
   * A session in place of key, time and signature. These keep whoever sees a request from sending it again or changing
   * it; here TLS does.
   */
  #admitSignedIn(
    accounts: AccountDoor,
    request: GatewayRequest,
    endpoint: KnownEndpoint,
    applicant: Applicant,
  ): CallFields {
    const apiKey = accounts.keyOf(request);
    checkPermission(apiKey, endpoint);
    const { values } = parse(withoutSignature(endpoint), request);
    return { applicant, endpoint, values, apiKey, isBySession: true, nowMs: this.#venue.sequencer.nowMs() };
  }

  /** Admits a method of the WebSocket API as `admit` does a request. */
  admitMethod(request: MethodRequest, endpoint: KnownEndpoint, applicant: Applicant): CallFields {
    const { ip, session, isLoggedOn } = request;
    // For market data, only the key in the request counts: the one that is logged on may lack the permission.
    const isKeyTold = needsKey(endpoint) || (checksKey(endpoint) && !isLoggedOn && request.apiKey !== undefined);
    const sentKey = isKeyTold ? wellFormedApiKey(request.apiKey) : undefined;
    const parsed = parsedOrRefused(parseValues(endpoint, request));
    const nowMs = this.#venue.sequencer.nowMs();
    const apiKey = this.#authenticate(endpoint, parsed, {
      sentKey,
      ip,
      isLoggedOn,
      nowMs,
      skewMs: request.skewMs ?? 0,
    });
    if (GIVES_WHAT_LASTS.has(endpoint.id) && apiKey !== undefined) this.#spend(apiKey, parsed, session, nowMs);
    return { applicant, endpoint, values: parsed.values, apiKey, session, nowMs };
  }

  /**
   * A signature is good for one connection: used on one, it is void on any other. A request with nulls uses up both texts
   * that its client may have signed: a copy without its nulls, or with the text "null", would have the other.
   */
  #spend(
    { apiKey }: ApiKey,
    { payload, payloadWithNulls = payload, timestampMs, recvWindowMs }: ParsedRequest,
    session: Session,
    nowMs: number,
  ): void {
    const lastMs = timestampMs + recvWindowMs;
    for (const text of new Set([payload, payloadWithNulls])) {
      const outcome = this.#spent.spend({ apiKey, payload: text, lastMs, session }, nowMs);
      if (outcome === "spent") throw new Refused(INVALID_SIGNATURE);
      if (outcome === "full") throw new Refused(SERVER_BUSY, 1);
    }
  }

  /** Authenticates the key, if the endpoint needs one. */
  #authenticate(endpoint: KnownEndpoint, parsed: ParsedRequest, claim: Claim): ApiKey | undefined {
    let key: ApiKey | undefined;
    if (claim.sentKey !== undefined) {
      key = knownApiKey(this.#venue.engine, claim.sentKey, endpoint, claim.ip);
      if (needsSignature(endpoint)) {
        const judgingMs = this.#judgingMs === undefined ? claim.nowMs : this.#judgingMs(claim.nowMs);
        if (judgingMs !== null) checkTimely(parsed, judgingMs + claim.skewMs);
        if (!claim.isLoggedOn) checkSigned(this.#secrets, key, parsed);
      }
    }
    if (parsed.unread !== null) throw new Refused(parsed.unread);
    return key;
  }
}

/** The sender that the request claims. */
interface Claim {
  /** Undefined when the endpoint needs none. */
  readonly sentKey: string | undefined;
  readonly ip: string;
  readonly isLoggedOn: boolean;
  readonly nowMs: number;
  /** How far the clock is ahead by which its time is judged. */
  readonly skewMs: number;
}

/** A page of the account names itself; a request with a key is that key's, whatever else it has. */
function isBySession({ headers }: GatewayRequest, endpoint: KnownEndpoint): boolean {
  return headers[PAGE_HEADER] !== undefined && needsKey(endpoint) && !namesApiKey(headers);
}

/** Endpoints as somebody who is signed in calls them; made once, because their checks are kept by endpoint. */
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
