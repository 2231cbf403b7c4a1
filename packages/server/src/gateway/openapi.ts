/** The interface's description of itself. */
import { openApiDocument } from "@pricetime/protocol";
import { keptText } from "./long/long-text.ts";
import type { LongBody } from "./long/long-text.ts";

export const OPENAPI_PATH = "/openapi.json";

let body: LongBody | undefined;

/** JSON, made when it is first asked for. */
export function openApiBody(): LongBody {
  body ??= { head: "", text: keptText([Buffer.from(JSON.stringify(openApiDocument()))]) };
  return body;
}
