/** The interface's description of itself. */
import { openApiDocument } from "@pricetime/protocol";
import { type LongBody, LongTextWriter } from "./long/long-text.ts";

export const OPENAPI_PATH = "/openapi.json";

let body: LongBody | undefined;

/** JSON, made when it is first asked for. */
export function openApiBody(): LongBody {
  if (body !== undefined) return body;
  const text = new LongTextWriter(true);
  text.add(JSON.stringify(openApiDocument()));
  body = { head: "", text: text.text() };
  return body;
}
