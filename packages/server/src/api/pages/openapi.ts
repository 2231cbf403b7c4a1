/** The interface's own description. */
import { openApiDocument } from "@pricetime/protocol";
import { type LongBody, LongTextWriter } from "../answers/long-text.ts";
import type { Document } from "../document.ts";

export const OPENAPI_PATH = "/openapi.json";

export class OpenApi {
  readonly #version: string | undefined;
  #body: LongBody | undefined;

  constructor(version: string | undefined) {
    this.#version = version;
  }

  /** JSON, made on the first request. */
  answer(): Document {
    if (this.#body === undefined) {
      const text = new LongTextWriter(true);
      text.add(JSON.stringify(openApiDocument(this.#version)));
      this.#body = { head: "", text: text.text() };
    }
    return { status: 200, body: this.#body };
  }
}
