/**
 * The account API for the customers' pages: checks a request's origin and session, and calls its route. It shares the
 * port of the REST endpoints, which also accept its sessions.
 */
import { ACCOUNT_PAGE, namesOtherSession, OwnPageGuard, PAGE_HEADER } from "../../api/edge/http/own-page.ts";
import { openApiDocument } from "../http/openapi.ts";
import { WORK_ASKED } from "../sign-in/work.ts";
import { holderOf, MARK_COOKIE, NO_SESSION_COOKIE, SESSION_COOKIE } from "./requester.ts";
import {
  ACCOUNT_RIGHTS,
  type AccountRoute,
  type Asked,
  type CustomerParts,
  LOOK,
  PublicParts,
  type SignedIn,
  STATEMENT_LIMITS,
} from "./route.ts";
import { accountIdOf, type ApiKey, MAX_TEXT_LENGTH, PERMISSIONS } from "@pricetime/engine";
import { FileSlots } from "../../api/answers/file-answers.ts";
import { TrustedProxies } from "../../api/edge/client-address.ts";
import { cookieOf } from "../../api/edge/http/read-request.ts";
import { FOREIGN_REQUEST, Refused, REJECTED_SESSION } from "../../api/edge/refusals.ts";
import type { Document, GatewayRequest, RequestHeaders } from "../../api/edge/request.ts";
import type { AccountRequests } from "../../api/options.ts";
import { OPENAPI_PATH } from "../../api/pages.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Audits } from "../../funds/proof/folder/port.ts";
import { HistoryBehind } from "../../history/port.ts";
import { NotAccepted, OutcomeUnknown } from "../../journal/sequencer/port.ts";
import { type Answer, namedFile, Rejection } from "../http/answer.ts";
import { RouteTable } from "../http/route-table.ts";
import type { Shown } from "../sign-in/sessions.ts";
import { ADDRESS_ROUTES, DEPOSIT_ROUTES, DUST_ROUTES, WITHDRAWAL_ROUTES } from "./funds-routes.ts";
import { KEY_ROUTES } from "./key-routes.ts";
import { PASSWORD_ROUTES, RECOVERY_ROUTES } from "./password-routes.ts";
import { PORTFOLIO_ROUTES } from "./portfolio-routes.ts";
import { PROFILE_ROUTES, VENUE_ROUTES } from "./profile-routes.ts";
import { PROOF_ROUTES } from "./proof-routes.ts";
import { rejected } from "./rejections.ts";
import { INVITATION_ROUTES, SESSION_ROUTES, SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { STATEMENT_ROUTES } from "./statement-routes.ts";

const DESCRIPTION = `The API of the account pages. Your own programs can use it on the same machine or over TLS.

The session is a cookie, which \`POST /sign-in\` and \`POST /invitation/accept\` set. Every request needs the header
\`X-Pricetime-Page: account\`, and a body must be \`application/json\`; this keeps out pages of other sites. If the account has
two-factor authentication, every request with a \`code\` field requires one. A request with the header
\`X-Pricetime-Session\` is rejected unless it names the session of the cookie.

Errors are \`{"error": "NO_SESSION", "message": "…"}\`: an error word for programs and a message for people. If you can
retry later, \`retryAfterSeconds\` says when. Requests count against the request weight of their IP address, like those of the
trading interface: \`x-weight\` is the weight of a request.`;

/** `base`: the path prefix of the routes; `version`: the program's version. */
function accountDocument(routes: readonly AccountRoute[], base: string, version: string): object {
  return openApiDocument(routes, {
    ...{ title: "Pricetime: account API", version, description: DESCRIPTION, base },
    security: { session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE } },
    errorFields: { retryAfterSeconds: { type: "integer" }, work: WORK_ASKED },
    errors: {
      "4XX": "Nothing was changed. The error word says why.",
      "5XX":
        "SERVER_BUSY and HISTORY_BEHIND: retry. UNKNOWN_OUTCOME: check whether the request was carried out before you retry.",
    },
    answers: "An empty object.",
    parameters: {
      Page: { name: PAGE_HEADER, in: "header", required: true, schema: { type: "string", const: ACCOUNT_PAGE } },
    },
    fieldsOf: ({ weight }) => ({ "x-weight": weight }),
    isOpen: ({ needs }) => needs !== "session",
  });
}

export const ACCOUNT_ROUTES: readonly AccountRoute[] = [
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
  ...PORTFOLIO_ROUTES,
  ...PROOF_ROUTES,
];

/** The public port checks only customer rights. */
export const ACCOUNT_PORT = { grants: ACCOUNT_RIGHTS, isWeighed: true, takesAnyPart: true };
const TABLE = new RouteTable(ACCOUNT_ROUTES, ACCOUNT_PORT);

const ACCOUNT_PATH = "/account/v1";
/** Maximum size of a body in bytes. The longest one contains a password and an encrypted secret. */
const MAX_BODY_BYTES = 8192;
const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

class AccountApi implements AccountRequests {
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
    const found = TABLE.find(method, path.slice(ACCOUNT_PATH.length));
    return typeof found === "string" ? LOOK : (found.route.weight ?? LOOK);
  }

  async answer(request: GatewayRequest, method: string): Promise<Document> {
    if (method === "GET" && request.path === ACCOUNT_PATH + OPENAPI_PATH) return this.#description();
    try {
      return documentOf(await this.#answer(request, method));
    } catch (error) {
      const rejection = rejectionFor(error);
      if (rejection === undefined) throw error;
      return documentOf(answerOf(rejection));
    }
  }

  /** The OpenAPI document, which is public. */
  #description(): Document {
    this.#document ??= JSON.stringify(accountDocument(ACCOUNT_ROUTES, ACCOUNT_PATH, this.#version));
    return { status: 200, body: this.#document };
  }

  keyOf(request: GatewayRequest): ApiKey {
    if (this.#guard.refusalOf(request) !== null) throw new Refused(FOREIGN_REQUEST);
    const shown = this.#parts.room.sessions.find(cookieOf(request.headers, SESSION_COOKIE));
    const accountId = accountIdOf(shown?.session.holder ?? "");
    const isOther = shown !== undefined && namesOtherSession(request, shown.session.sessionId);
    if (shown === undefined || accountId === undefined || isOther) throw new Refused(REJECTED_SESSION);
    return {
      ...{ apiKey: "", accountId, sealedSecret: "", permissions: PERMISSIONS },
      ...{ ipAllowList: [], label: "", createdMs: shown.session.openedMs },
    };
  }

  async #answer(request: GatewayRequest, method: string): Promise<Answer> {
    const found = TABLE.find(method, request.path.slice(ACCOUNT_PATH.length));
    const isPublic = typeof found !== "string" && found.route.needs === "anyone";
    const refusal = isPublic ? null : this.#guard.refusalOf(request);
    if (refusal !== null) throw rejected(refusal);
    if (typeof found === "string") throw rejected(found === "unknown path" ? "NOT_FOUND" : "METHOD_NOT_ALLOWED");
    const { route, path } = found;
    const asked = this.#askedBy(request, path);
    if (route.needs !== "session") return route.handle(asked, this.#parts);
    const shown = this.#parts.room.sessions.find(asked.token);
    // The cookie stays: it is that of a newer session.
    if (shown !== undefined && namesOtherSession(request, shown.session.sessionId)) throw rejected("NO_SESSION");
    const signedIn = shown && this.#signedIn(asked, shown);
    if (signedIn !== undefined) return route.handle(signedIn, this.#parts);
    return { ...rejected("NO_SESSION").answer, headers: asked.token === undefined ? [] : NO_SESSION_COOKIE };
  }

  #signedIn(asked: Asked, shown: Shown): SignedIn | undefined {
    const accountId = accountIdOf(shown.session.holder);
    const account = accountId === undefined ? undefined : this.#parts.view.account(accountId);
    if (account === undefined) return undefined;
    return { ...asked, account, holder: holderOf(account.accountId), session: shown.session, shown };
  }

  #askedBy({ ip, headers, body, query }: GatewayRequest, path: Asked["path"]): Asked {
    return {
      ip,
      client: clientOf(headers),
      mark: cookieOf(headers, MARK_COOKIE),
      token: cookieOf(headers, SESSION_COOKIE),
      body: bodyOf(headers, body),
      search: new URLSearchParams(query),
      path,
      nowMs: this.#parts.sequencer.nowMs(),
    };
  }
}

/** Parses JSON only: pages of other sites can send forms without a CORS preflight. */
function bodyOf(headers: RequestHeaders, body: string): unknown {
  if (body === "") return undefined;
  const type = headers["content-type"];
  if (typeof type !== "string" || !JSON_TYPE.test(type)) throw rejected("NOT_JSON");
  if (body.length > MAX_BODY_BYTES) throw rejected("TOO_LARGE");
  try {
    return JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
  } catch {
    throw rejected("BAD_REQUEST", "The body is not JSON.");
  }
}

/** The User-Agent, reduced to printable ASCII and a limited length. */
function clientOf(headers: RequestHeaders): string {
  const sent = headers["user-agent"];
  return typeof sent === "string" ? sent.replace(/[^ -~]/g, "?").slice(0, MAX_TEXT_LENGTH) : "";
}

/** The rejection for an expected error; undefined for any other error. */
function rejectionFor(error: unknown): Rejection | undefined {
  if (error instanceof NotAccepted) return rejected("SERVER_BUSY", undefined, 1);
  if (error instanceof HistoryBehind) return rejected("HISTORY_BEHIND", undefined, 1);
  if (error instanceof OutcomeUnknown) return rejected("UNKNOWN_OUTCOME");
  return error instanceof Rejection ? error : undefined;
}

function answerOf({ answer, retryAfterSeconds }: Rejection): Answer {
  return retryAfterSeconds === 0 ? answer : { ...answer, headers: ["Retry-After", String(retryAfterSeconds)] };
}

function documentOf({ status, headers = [], body, type, stream, fileName, keeping }: Answer): Document {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const more = { ...(type !== undefined && { contentType: type }), ...(stream !== undefined && { stream }) };
  const all = fileName === undefined ? headers : [...headers, ...namedFile(fileName)];
  return { status, headers: all, body: text, keeping: keeping ?? "not at all", ...more };
}

type Configured =
  | "settings"
  | "audits"
  | "publicParts"
  | "statements"
  | "manualNetworks"
  | "language"
  | "hasMailServer";

export interface AccountApiOptions extends Omit<CustomerParts, Configured> {
  readonly accounts: CustomerParts["settings"];
  readonly audits: Pick<Audits, "customerPart" | "publicPart" | "makePublished">;
  /** The program's version. */
  readonly version?: string;
  /** The configured networks. Default: none. */
  readonly networks?: Config["wallet"]["networks"];
  readonly branding?: Pick<Config["branding"], "language">;
  /** Without `smtp`, emails are only stored. */
  readonly email?: { readonly smtp?: object | null };
  readonly http: { readonly trustedProxies: readonly string[] };
  /** Null or absent: plain HTTP. */
  readonly tls?: object | null;
}

export function openAccountApi(options: AccountApiOptions): AccountApi {
  const { accounts, http, tls = null, version = "0", networks = [], branding, email, ...parts } = options;
  const guard = new OwnPageGuard(new TrustedProxies(http.trustedProxies), tls !== null);
  const publicParts = new PublicParts(parts.audits);
  const statements = new FileSlots(STATEMENT_LIMITS.atOnce);
  const manualNetworks = networks.flatMap((each) =>
    each.kind === "manual" ? [{ network: each.network, transferDetails: [...(each.transferDetails ?? [])] }] : [],
  );
  const own = { settings: accounts, publicParts, statements, manualNetworks, language: branding?.language ?? "en" };
  const hasMailServer = (email?.smtp ?? null) !== null;
  return new AccountApi({ ...parts, ...own, hasMailServer }, guard, version);
}
