/** Files of the site as answers. Their text is made once and shared by all who get it, compressed once for them too. */
import type { Web, WebFile } from "../web/port.ts";
import { type LongBody, LongTextWriter } from "./long/long-text.ts";
import type { GatewayRequest } from "./request.ts";
import type { Document } from "./responder.ts";

export class WebPages {
  readonly #web: Web | undefined;
  readonly #bodies = new WeakMap<WebFile, LongBody>();

  constructor(web: Web | undefined) {
    this.#web = web;
  }

  /** Undefined: the site has no such page. Throws what the disk does, when it is read for the first time. */
  find({ path, headers }: Pick<GatewayRequest, "path" | "headers">): Document | undefined {
    const { accept } = headers;
    const file = this.#web?.find(path, typeof accept === "string" ? accept : undefined);
    if (file === undefined) return undefined;
    const { status, contentType } = file;
    return { status, contentType, headers: file.headers, isPage: true, body: this.#bodyOf(file) };
  }

  #bodyOf(file: WebFile): LongBody {
    let body = this.#bodies.get(file);
    if (body === undefined) {
      const text = new LongTextWriter(true);
      text.addBytes(file.bytes);
      body = { head: "", text: text.text() };
      this.#bodies.set(file, body);
    }
    return body;
  }
}
