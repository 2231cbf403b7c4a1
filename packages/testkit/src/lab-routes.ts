/** Measures which routes of a lab's admin API are used, with a proxy that records requests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const FIRST_REFUSAL = 400;

export interface RequestRecorder {
  readonly url: string;
  /** The recorded requests, for example `GET /v1/lab/clock`. */
  readonly asked: readonly string[];
  /** The recorded requests that were rejected, with their status. */
  readonly refused: readonly string[];
  close(): void;
}

/** Starts a proxy in front of an admin API, which records all requests until it is closed. */
export async function recordRequests(admin: string): Promise<RequestRecorder> {
  const asked: string[] = [];
  const refused: string[] = [];
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const operation = `${method} ${url.split("?")[0]}`;
    asked.push(operation);
    const body = await buffer(request);
    const answer = await fetch(admin + url, {
      method,
      headers: { authorization: headers.authorization ?? "" },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    if (answer.status >= FIRST_REFUSAL) refused.push(`${operation}: ${answer.status}`);
    response.writeHead(answer.status);
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  // A failed request appears as missing in the results.
  const server = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, refused, close };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/**
 * Resolves to every operation in a lab's own OpenAPI description, for example `POST
 * /v1/lab/checkpoints/{name}/restore`.
 */
export async function labOperations(admin: string): Promise<readonly string[]> {
  const document = (await (await fetch(`${admin}/openapi.json`)).json()) as Document;
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith("/v1/lab/"))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
}

/** Returns the operations that no recorded request has used, sorted. */
export const notReached = (operations: readonly string[], asked: readonly string[]): readonly string[] =>
  operations.filter((operation) => !asked.some((each) => patternOf(operation).test(each))).toSorted();

function patternOf(operation: string): RegExp {
  const parts = operation.split(/\{[^}]+\}/).map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}
