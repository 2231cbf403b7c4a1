/**
 * Responses outside the endpoint table: the account API, the page that the link in a confirmation email opens, the
 * OpenAPI description, and the website.
 */
import { CONFIRM_PATH, openApiDocument } from "@pricetime/protocol";
import { type LongBody, LongText, LongTextWriter } from "./answers/long-text.ts";
import type { Document, GatewayRequest } from "./edge/request.ts";
import type { Web, WebFile } from "./web/file.ts";
import { isFromOwnMachine } from "./edge/http/own-page.ts";
import { Hsts } from "./edge/http/headers.ts";
import { ACCOUNT_API, type AccountRequests, type GatewayOptions } from "./options.ts";
import type { Venue } from "./call.ts";
import { WithdrawalConfirmation } from "./withdrawal-confirmation.ts";

export const OPENAPI_PATH = "/openapi.json";

function openApiBody(document: object): LongBody {
  const text = new LongTextWriter(true);
  text.add(JSON.stringify(document));
  return { head: "", text: text.text() };
}

// Files of the website. All clients share the text of a file, which is compressed once.

type Asked = Pick<GatewayRequest, "path" | "headers" | "peer">;

export class WebPages {
  readonly #web: Web | undefined;
  readonly #bodies = new WeakMap<WebFile, LongBody>();

  constructor(web: Web | undefined) {
    this.#web = web;
  }

  /**
   * Returns undefined if the website has no such page; a promise while the pages are being rendered. The promise
   * rejects if rendering fails.
   */
  find(request: Asked): Document | Promise<Document> | undefined {
    const { accept } = request.headers;
    const file = this.#web?.find(request.path, {
      accept: typeof accept === "string" ? accept : undefined,
      isOnOwnMachine: isFromOwnMachine(request),
    });
    if (file instanceof Promise) return file.then((made) => this.#documentOf(made));
    return file && this.#documentOf(file);
  }

  #documentOf(file: WebFile): Document {
    const { status, contentType, headers, keeping } = file;
    // Browsers must not cache the file, so it needs no ETag.
    const body = keeping === "not at all" ? file.bytes.toString() : this.#bodyOf(file);
    return { status, contentType, headers, keeping, body };
  }

  #bodyOf(file: WebFile): LongBody {
    let body = this.#bodies.get(file);
    if (body === undefined) {
      const { bytes, crc, tag } = file;
      body = { head: "", text: new LongText({ pieces: [bytes], length: bytes.length, crc }, `W/"${tag}"`) };
      this.#bodies.set(file, body);
    }
    return body;
  }
}

export class Documents {
  readonly #confirmation: WithdrawalConfirmation;
  readonly #describe: () => object;
  /** Generated on the first request. */
  #openApi: LongBody | undefined;
  readonly #pages: WebPages;
  readonly #accounts: AccountRequests | undefined;
  readonly #hsts: Hsts;

  constructor(
    venue: Venue,
    { web, branding, accounts, hstsSeconds = 0 }: Pick<GatewayOptions, "web" | "branding" | "accounts" | "hstsSeconds">,
  ) {
    this.#hsts = new Hsts(hstsSeconds);
    this.#accounts = accounts;
    this.#confirmation = new WithdrawalConfirmation(venue, branding);
    this.#describe = () => openApiDocument(web?.version, venue.venueInterface);
    this.#pages = new WebPages(web);
  }

  /** Returns false if no document has this path. Otherwise calls `reply` or `fail`, immediately or later. */
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
    const document = request.path === OPENAPI_PATH ? this.#openApiDocument() : this.#pages.find(request);
    if (document === undefined) return false;
    if (document instanceof Promise) document.then(answer, fail);
    else answer(document);
    return true;
  }

  #openApiDocument(): Document {
    this.#openApi ??= openApiBody(this.#describe());
    return { status: 200, body: this.#openApi };
  }
}
