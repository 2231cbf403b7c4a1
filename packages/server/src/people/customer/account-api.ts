/**
 * The account API, for the pages of customers: who asks, whether a page of this node does, and which route answers. It
 * stands on the port of REST beside the endpoints, and its sessions authenticate requests to those, too.
 */
import {
  jsonContent,
  operationIdOf,
  pathParameters,
  queryParameters,
  requestBody,
  templateOf,
} from "../../api/answers/described-route.ts";
import { ACCOUNT_PAGE, OwnPageGuard, PAGE_HEADER } from "../../api/edge/http/own-page.ts";
import { WORK_ASKED } from "../sign-in/work.ts";
import { holderOf, MARK_COOKIE, NO_SESSION_COOKIE, SESSION_COOKIE } from "./requester.ts";
import {
  type Asked,
  type CustomerParts,
  type CustomerRoute,
  LOOK,
  PublicParts,
  type SignedIn,
  STATEMENT_LIMITS,
} from "./route.ts";
import { ADDRESS_ROUTES, DEPOSIT_ROUTES, DUST_ROUTES, WITHDRAWAL_ROUTES } from "./funds-routes.ts";
import { KEY_ROUTES } from "./key-routes.ts";
import { PROFILE_ROUTES, VENUE_ROUTES } from "./profile-routes.ts";
import { PROOF_ROUTES } from "./proof-routes.ts";
import { STATEMENT_ROUTES } from "./statement-routes.ts";
import { INVITATION_ROUTES, SESSION_ROUTES, SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { PASSWORD_ROUTES, RECOVERY_ROUTES } from "./password-routes.ts";
import { accountIdOf, type ApiKey, MAX_TEXT_LENGTH, PERMISSIONS } from "@pricetime/engine";
import { FOREIGN_REQUEST, Refused, REJECTED_SESSION } from "../../api/edge/refusals.ts";
import { cookieOf } from "../../api/edge/http/read-request.ts";
import type { Document, GatewayRequest, RequestHeaders } from "../../api/edge/request.ts";
import type { AccountDoor } from "../../api/options.ts";
import { OPENAPI_PATH } from "../../api/pages.ts";
import { HistoryBehind } from "../../history/port.ts";
import { NotAccepted, OutcomeUnknown } from "../../journal/sequencer/port.ts";
import { answerOfRefusal, type CustomerAnswer, CustomerRefused } from "./answer.ts";
import type { Shown } from "../sign-in/sessions.ts";
import { FilePlaces } from "../../api/answers/file-answers.ts";
import { TrustedProxies } from "../../api/edge/client-address.ts";
import type { Audits } from "../../funds/proof/folder/port.ts";

// The OpenAPI 3.1 document of the account API, generated from its routes and their schemas.

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = `The API of the account pages. Your own programs can use it on the same machine or over TLS.

The session is a cookie, which \`POST /sign-in\` and \`POST /invitation/accept\` set. Every request needs the header
\`X-Pricetime-Page: account\`, and a body must be \`application/json\`; this keeps out pages of other sites. If the account has
two-factor authentication, every request with a \`code\` field requires one.

Errors are \`{"error": "NO_SESSION", "message": "…"}\`: an error word for programs and a message for people. If you can
retry later, \`retryAfterSeconds\` says when. Requests count against the request weight of their IP address, like those of the
trading interface: \`x-weight\` is the weight of a request.`;

const ERROR: Json = {
  type: "object",
  required: ["error", "message"],
  properties: {
    error: { type: "string" },
    message: { type: "string" },
    retryAfterSeconds: { type: "integer" },
    work: WORK_ASKED,
  },
};

const refusal = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: "#/components/schemas/Error" }),
});

const REFUSALS: Json = {
  "4XX": refusal("Nothing was changed. The error word says why."),
  "5XX": refusal(
    "SERVER_BUSY and HISTORY_BEHIND: retry. UNKNOWN_OUTCOME: check whether the request was carried out before you retry.",
  ),
};

const PAGE: Json = {
  ...{ name: PAGE_HEADER, in: "header", required: true },
  schema: { type: "string", const: ACCOUNT_PAGE },
};

/** Returns a new document on each call. `base`: the path of the routes; `version`: that of Pricetime. */
function accountDocument(routes: readonly CustomerRoute[], base: string, version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[templateOf(route.path)] ??= {})[route.method.toLowerCase()] = operation(route);
  return {
    openapi: "3.1.0",
    info: { title: "Pricetime: account API", version, description: DESCRIPTION },
    servers: [{ url: base }],
    security: [{ session: [] }],
    paths,
    components: {
      schemas: { Error: ERROR },
      parameters: { Page: PAGE },
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE } },
    },
  };
}

function operation(route: CustomerRoute): object {
  const { method, path, weight, summary, answers = "An empty object.", status = 200, body, query } = route;
  const { types = ["application/json"] } = route;
  return {
    operationId: operationIdOf(method, path),
    summary,
    "x-weight": weight,
    ...(route.isOpen === true && { security: [] }),
    parameters: [{ $ref: "#/components/parameters/Page" }, ...pathParameters(path), ...queryParameters(query)],
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: {
      [status]: { description: answers, content: Object.fromEntries(types.map((type) => [type, {}])) },
      ...REFUSALS,
    },
  };
}

// The routes of the account API, and matching a request to one.

/** Every route of the account API. */
export const ACCOUNT_ROUTES: readonly CustomerRoute[] = [
  ...VENUE_ROUTES,
  ...INVITATION_ROUTES,
  ...SIGN_IN_ROUTES,
  ...SESSION_ROUTES,
  ...PASSWORD_ROUTES,
  ...RECOVERY_ROUTES,
  ...PROFILE_ROUTES,
  ...KEY_ROUTES,
  ...ADDRESS_ROUTES,
  ...DEPOSIT_ROUTES,
  ...WITHDRAWAL_ROUTES,
  ...DUST_ROUTES,
  ...STATEMENT_ROUTES,
  ...PROOF_ROUTES,
];

export interface FoundRoute {
  readonly route: CustomerRoute;
  readonly named: Readonly<Record<string, string>>;
}

/** `path` is below `/account/v1`. "wrong method": the path has other methods. */
function findRoute(method: string, path: string): FoundRoute | "unknown" | "wrong method" {
  let isKnown = false;
  for (const route of ACCOUNT_ROUTES) {
    const named = namesIn(route.path, path);
    if (named === undefined) continue;
    if (route.method === method) return { route, named };
    isKnown = true;
  }
  return isKnown ? "wrong method" : "unknown";
}

/** The values of `:name` parameters; undefined when the path does not match. */
function namesIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const named: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? "";
    if (part.startsWith(":")) named[part.slice(1)] = unescaped(value);
    else if (part !== value) return undefined;
  }
  return named;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ACCOUNT_PATH = "/account/v1";
/** Bytes of a body: the longest is a password and a sealed secret. */
const MAX_BODY_BYTES = 8192;
const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

class AccountApi implements AccountDoor {
  readonly #parts: CustomerParts;
  readonly #guard: OwnPageGuard;
  readonly #version: string;
  #document: string | undefined;

  constructor(parts: CustomerParts, guard: OwnPageGuard, version: string) {
    this.#parts = parts;
    this.#guard = guard;
    this.#version = version;
  }

  weightOf(method: string, path: string): number {
    const found = findRoute(method, path.slice(ACCOUNT_PATH.length));
    return typeof found === "string" ? LOOK : found.route.weight;
  }

  async answer(request: GatewayRequest, method: string): Promise<Document> {
    if (method === "GET" && request.path === ACCOUNT_PATH + OPENAPI_PATH) return this.#description();
    try {
      return documentOf(await this.#answer(request, method));
    } catch (error) {
      const refusal = answerOfRefusal(toldRefusal(error));
      if (refusal === undefined) throw error;
      return documentOf(refusal);
    }
  }

  /** It is no secret: anybody may read it, with whatever reads such documents. */
  #description(): Document {
    this.#document ??= JSON.stringify(accountDocument(ACCOUNT_ROUTES, ACCOUNT_PATH, this.#version));
    return { status: 200, body: this.#document };
  }

  keyOf(request: GatewayRequest): ApiKey {
    if (this.#guard.refusalOf(request) !== null) throw new Refused(FOREIGN_REQUEST);
    const shown = this.#parts.room.sessions.find(cookieOf(request.headers, SESSION_COOKIE));
    const accountId = accountIdOf(shown?.session.holder ?? "");
    if (shown === undefined || accountId === undefined) throw new Refused(REJECTED_SESSION);
    return {
      ...{ apiKey: "", accountId, sealedSecret: "", permissions: PERMISSIONS },
      ...{ ipAllowList: [], label: "", createdMs: shown.session.openedMs },
    };
  }

  async #answer(request: GatewayRequest, method: string): Promise<CustomerAnswer> {
    const found = findRoute(method, request.path.slice(ACCOUNT_PATH.length));
    const isPublic = typeof found !== "string" && found.route.isOpen === true && found.route.isPublic === true;
    const refusal = isPublic ? null : this.#guard.refusalOf(request);
    if (refusal !== null) throw new CustomerRefused(refusal);
    if (typeof found === "string") throw new CustomerRefused(found === "unknown" ? "NOT_FOUND" : "METHOD_NOT_ALLOWED");
    const { route, named } = found;
    const asked = this.#askedBy(request, named);
    return route.isOpen === true ? route.handle(asked, this.#parts) : this.#answerSignedIn(route, asked);
  }

  async #answerSignedIn(route: Exclude<CustomerRoute, { isOpen: true }>, asked: Asked): Promise<CustomerAnswer> {
    const shown = this.#parts.room.sessions.find(asked.token);
    const signedIn = shown && this.#signedIn(asked, shown);
    if (signedIn !== undefined) return route.handle(signedIn, this.#parts);
    const refusal = answerOfRefusal(new CustomerRefused("NO_SESSION"));
    return { ...(refusal as CustomerAnswer), headers: asked.token === undefined ? [] : NO_SESSION_COOKIE };
  }

  #signedIn(asked: Asked, shown: Shown): SignedIn | undefined {
    const accountId = accountIdOf(shown.session.holder);
    const account = accountId === undefined ? undefined : this.#parts.view.account(accountId);
    if (account === undefined) return undefined;
    return { ...asked, account, holder: holderOf(account.accountId), session: shown.session, shown };
  }

  #askedBy({ ip, headers, body, query }: GatewayRequest, named: Readonly<Record<string, string>>): Asked {
    return {
      ip,
      client: clientOf(headers),
      mark: cookieOf(headers, MARK_COOKIE),
      token: cookieOf(headers, SESSION_COOKIE),
      body: bodyOf(headers, body),
      query: new URLSearchParams(query),
      named,
      nowMs: this.#parts.sequencer.nowMs(),
    };
  }
}

/** A form is never read: a page of another site may send one without asking. */
function bodyOf(headers: RequestHeaders, body: string): unknown {
  if (body === "") return undefined;
  const type = headers["content-type"];
  if (typeof type !== "string" || !JSON_TYPE.test(type)) throw new CustomerRefused("NOT_JSON");
  if (body.length > MAX_BODY_BYTES) throw new CustomerRefused("TOO_LARGE");
  try {
    return JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
  } catch {
    throw new CustomerRefused("BAD_REQUEST", "The body is not JSON.");
  }
}

/** What the browser calls itself: visible ASCII, so that the journal and every page can hold it. */
function clientOf(headers: RequestHeaders): string {
  const sent = headers["user-agent"];
  return typeof sent === "string" ? sent.replace(/[^ -~]/g, "?").slice(0, MAX_TEXT_LENGTH) : "";
}

function toldRefusal(error: unknown): unknown {
  if (error instanceof NotAccepted) return new CustomerRefused("SERVER_BUSY", undefined, 1);
  if (error instanceof HistoryBehind) return new CustomerRefused("HISTORY_BEHIND", undefined, 1);
  if (error instanceof OutcomeUnknown) return new CustomerRefused("UNKNOWN_OUTCOME");
  return error;
}

function documentOf({ status, headers, body, contentType, stream, keeping }: CustomerAnswer): Document {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const more = { ...(contentType !== undefined && { contentType }), ...(stream !== undefined && { stream }) };
  return { status, headers, body: text, keeping: keeping ?? "not at all", ...more };
}

export interface AccountApiOptions extends Omit<CustomerParts, "settings" | "audits" | "publicParts" | "statements"> {
  readonly accounts: CustomerParts["settings"];
  readonly audits: Pick<Audits, "customerPart" | "publicPart" | "makePublished">;
  /** The program's. */
  readonly version?: string;
  readonly http: { readonly trustedProxies: readonly string[] };
  /** Null or absent: clients connect by plain HTTP. */
  readonly tls?: object | null;
}

export function openAccountApi({ accounts, http, tls = null, version = "0", ...parts }: AccountApiOptions): AccountApi {
  const guard = new OwnPageGuard(new TrustedProxies(http.trustedProxies), tls !== null);
  const publicParts = new PublicParts(parts.audits);
  const statements = new FilePlaces(STATEMENT_LIMITS.atOnce);
  return new AccountApi({ ...parts, settings: accounts, publicParts, statements }, guard, version);
}
