/** Writes the answers of the admin port. */
import type { ServerResponse } from "node:http";
import type { WebFile } from "../web/port.ts";
import type { Answer } from "./answer.ts";

export const JSON_TYPE = "application/json;charset=UTF-8";

export function sendFile(response: ServerResponse, { status, contentType, headers, bytes }: WebFile): void {
  const always = ["X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY", "Cache-Control", "no-cache"];
  const own = ["Content-Type", contentType, "Content-Length", String(bytes.length)];
  response.writeHead(status, [...always, ...headers, ...own]);
  response.end(bytes);
}

export function sendJson(response: ServerResponse, { status, body }: Answer): void {
  send(response, status, JSON_TYPE, `${JSON.stringify(body)}\n`);
}

export function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  response.end(text);
}
