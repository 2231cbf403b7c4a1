/** Reads the JSON body of an admin request, within limits. */
import type { IncomingMessage } from "node:http";
import { AdminRefusal } from "./answer.ts";

const MAX_BODY_BYTES = 256 * 1024;

/** Returns the parsed body, undefined without one. Throws `AdminRefusal`: 413 when too long, 400 when not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new AdminRefusal(400, "BAD_REQUEST", `The request body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Throws `AdminRefusal` 413 when there are more. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes)
      throw new AdminRefusal(413, "TOO_LARGE", `The request body is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
