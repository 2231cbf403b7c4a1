/** Writes the answers of the admin port. */
import type { ServerResponse } from "node:http";
import type { Timers } from "../../platform/world/port.ts";
import type { WebFile } from "../../api/web/port.ts";
import type { Answer } from "./answer.ts";

export const BYTES_TYPE = "application/octet-stream";
/** A reader that takes nothing for this long holds a place that others wait for. */
const STALLED_READER_MS = 30_000;

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
export const JSON_TYPE = "application/json;charset=UTF-8";

/** What every answer tells browsers: it is what it says, and no page of another origin embeds it. */
const SAFE = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;
/** Answers of the API, too, tell nobody where they were asked for, and are kept by nobody. */
const SAFE_ANSWER = { ...SAFE, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store" } as const;

const KEPT: Readonly<Record<WebFile["keeping"], string>> = {
  "until changed": "no-cache",
  "for good": "public, max-age=31536000, immutable",
  "not at all": "no-store",
};

export function sendFile(response: ServerResponse, { status, contentType, headers, bytes, keeping }: WebFile): void {
  const own = ["Content-Type", contentType, "Content-Length", String(bytes.length), "Cache-Control", KEPT[keeping]];
  response.writeHead(status, [...Object.entries(SAFE).flat(), ...headers, ...own]);
  response.end(bytes);
}

export function sendJson(response: ServerResponse, { status, body, headers }: Answer): void {
  send(response, status, JSON_TYPE, `${JSON.stringify(body)}\n`, headers);
}

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Answer["headers"] = {},
): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    ...SAFE_ANSWER,
    ...headers,
  });
  response.end(text);
}

/**
 * Sends a stream as fast as it is read, a piece in each turn of the event loop. A reader that has gone, or takes nothing for long, ends it. Throws the error of
 * the bytes: the connection is then to be broken off, so that the reader sees that they are not whole.
 */
export async function sendStream(
  response: ServerResponse,
  {
    stream,
    type = BYTES_TYPE,
    fileName,
    headers = {},
  }: Pick<Answer, "type" | "fileName" | "headers"> & Required<Pick<Answer, "stream">>,
  timers: Pick<Timers, "after" | "soon">,
): Promise<void> {
  const source = stream[Symbol.asyncIterator]();
  const asFile = fileName === undefined ? {} : { "Content-Disposition": `attachment; filename="${fileName}"` };
  try {
    response.writeHead(200, { "Content-Type": type, ...asFile, ...SAFE_ANSWER, ...headers });
    for (;;) {
      const piece = await source.next();
      if (piece.done === true) break;
      if (response.destroyed || (!response.write(piece.value) && !(await isTaken(response, timers)))) {
        response.destroy();
        return;
      }
      await new Promise<void>((resolve) => timers.soon(resolve));
    }
    response.end();
  } finally {
    await source.return?.();
  }
}

/** Resolves to whether the reader has taken what was written. */
function isTaken(response: ServerResponse, timers: Pick<Timers, "after">): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isRead: boolean): void => {
      cancel();
      response.off("drain", onDrain).off("close", onClose);
      resolve(isRead);
    };
    const [onDrain, onClose] = [(): void => end(true), (): void => end(false)];
    const cancel = timers.after(STALLED_READER_MS, onClose);
    response.once("drain", onDrain).once("close", onClose);
  });
}
