/**
 * What a node answers beside the endpoints: the account API, the page behind a mailed link, the interface's description,
 * the site.
 */
import { CONFIRM_PATH } from "@pricetime/protocol";
import { Hsts } from "../edge/http/hsts.ts";
import type { GatewayRequest } from "../edge/request.ts";
import type { Web } from "../web/port.ts";
import { ACCOUNT_API, type AccountDoor } from "../account-door.ts";
import type { Venue } from "../call.ts";
import { WithdrawalConfirmation } from "../confirmation/withdrawal-confirmation.ts";
import { OPENAPI_PATH, OpenApi } from "./openapi.ts";
import type { Document } from "../document.ts";
import { WebPages } from "./web-pages.ts";

export class Documents {
  readonly #confirmation: WithdrawalConfirmation;
  readonly #openApi: OpenApi;
  readonly #pages: WebPages;
  readonly #accounts: AccountDoor | undefined;
  readonly #hsts: Hsts;

  /** `hstsSeconds`: 0 where clients do not connect by TLS. */
  constructor(venue: Venue, web: Web | undefined, accounts: AccountDoor | undefined, hstsSeconds: number) {
    this.#hsts = new Hsts(hstsSeconds);
    this.#accounts = accounts;
    this.#confirmation = new WithdrawalConfirmation(venue);
    this.#openApi = new OpenApi(web?.version);
    this.#pages = new WebPages(web);
  }

  /** Answers now or later; false when the request is for none of them. `fail` hears why one could not be made. */
  find(
    request: GatewayRequest,
    method: string,
    reply: (document: Document) => void,
    fail: (error: unknown) => void,
  ): boolean {
    const hsts = this.#hsts.of(request.headers);
    const answer = (document: Document): void =>
      reply(hsts.length === 0 ? document : { ...document, headers: [...(document.headers ?? []), ...hsts] });
    if (request.path === CONFIRM_PATH) {
      this.#confirmation.process(method, request.query, answer);
      return true;
    }
    if (this.#accounts !== undefined && request.path.startsWith(ACCOUNT_API)) {
      this.#accounts.answer(request, method).then(answer, fail);
      return true;
    }
    if (method !== "GET") return false;
    const document = request.path === OPENAPI_PATH ? this.#openApi.answer() : this.#pages.find(request);
    if (document === undefined) return false;
    if (document instanceof Promise) document.then(answer, fail);
    else answer(document);
    return true;
  }
}
