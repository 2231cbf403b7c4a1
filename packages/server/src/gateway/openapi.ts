/** The interface's description of itself. */
import { openApiDocument } from "@pricetime/protocol";

export const OPENAPI_PATH = "/openapi.json";

let text: string | undefined;

/** JSON, made when it is first asked for. */
export function openApiText(): string {
  text ??= JSON.stringify(openApiDocument());
  return text;
}
