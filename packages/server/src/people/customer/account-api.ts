/**
 * The account API, for the pages of customers: who asks, whether a page of this node does, and which route answers. It
 * stands on the port of REST beside the endpoints, and its sessions authenticate requests to those, too.
 */
import { accountIdOf, type ApiKey, MAX_TEXT_LENGTH, PERMISSIONS } from "@pricetime/engine";
import { REJECTED_SESSION, FOREIGN_REQUEST, Refused } from "../../api/edge/refusals.ts";
import { cookieOf } from "../../api/edge/http/cookies.ts";
import type { OwnPageGuard } from "../../api/edge/http/own-page-guard.ts";
import type { GatewayRequest, RequestHeaders } from "../../api/edge/request.ts";
import type { AccountDoor } from "../../api/account-door.ts";
import type { Document } from "../../api/document.ts";
import { OPENAPI_PATH } from "../../api/pages/openapi.ts";
import { HistoryBehind } from "../../history/port.ts";
import { NotAccepted, OutcomeUnknown } from "../../journal/sequencer/port.ts";
import { accountDocument } from "./account-document.ts";
import type { CustomerAnswer } from "./answer.ts";
import { MARK_COOKIE, NO_SESSION_COOKIE, SESSION_COOKIE } from "./cookies.ts";
import { answerOfRefusal, CustomerRefused } from "./refused.ts";
import type { Asked, CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { ACCOUNT_ROUTES, findRoute } from "./routes.ts";
import { holderOf } from "./who.ts";
import type { Shown } from "../sign-in/session-door.ts";
import { LOOK } from "./weights.ts";

const ACCOUNT_PATH = "/account/v1";
/** Bytes of a body: the longest is a password and a sealed secret. */
const MAX_BODY_BYTES = 8192;
const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

export class AccountApi implements AccountDoor {
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
