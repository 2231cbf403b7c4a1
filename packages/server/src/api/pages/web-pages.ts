/** Files of the site as answers. All who get a file share its text, which is compressed once. */
import type { Web, WebFile } from "../web/port.ts";
import { type LongBody, LongText } from "../answers/long-text.ts";
import { isFromOwnMachine } from "../edge/http/own-machine.ts";
import type { GatewayRequest } from "../edge/request.ts";
import type { Document } from "../document.ts";

type Asked = Pick<GatewayRequest, "path" | "headers" | "peer">;

export class WebPages {
  readonly #web: Web | undefined;
  readonly #bodies = new WeakMap<WebFile, LongBody>();

  constructor(web: Web | undefined) {
    this.#web = web;
  }

  /** Undefined when the site has no such page. A promise while the pages are made; it rejects when that fails. */
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
    // A file that browsers must not keep needs no tag.
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
