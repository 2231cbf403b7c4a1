/** The interface's description of itself. */
import { openApiDocument } from "@pricetime/protocol";
import { type LongBody, LongTextWriter } from "../answers/long-text.ts";
import type { Document } from "./responder.ts";

export const OPENAPI_PATH = "/openapi.json";

export class OpenApi {
  readonly #version: string | undefined;
  #body: LongBody | undefined;

  constructor(version: string | undefined) {
    this.#version = version;
  }

  /** JSON, made when it is first asked for. */
  answer(): Document {
    if (this.#body === undefined) {
      const text = new LongTextWriter(true);
      text.add(JSON.stringify(openApiDocument(this.#version)));
      this.#body = { head: "", text: text.text() };
    }
    return { status: 200, body: this.#body };
  }
}
