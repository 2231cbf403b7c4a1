/** Which routes of a lab somebody reaches: its admin API behind an ear that notes what is asked. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const FIRST_REFUSAL = 400;

export interface Ear {
  readonly url: string;
  /** What was asked: `GET /v1/lab/clock`. */
  readonly asked: readonly string[];
  /** What of it was answered by a refusal, with the status. */
  readonly refused: readonly string[];
  close(): void;
}

/** Passes everything on to an admin API, and notes it, until it is closed. */
export async function listenAhead(admin: string): Promise<Ear> {
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
  // A request that fails is one that its asker misses.
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

/** Every operation of a lab by its own description: `POST /v1/lab/checkpoints/{name}/restore`. */
export async function labOperations(admin: string): Promise<readonly string[]> {
  const document = (await (await fetch(`${admin}/openapi.json`)).json()) as Document;
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith("/v1/lab/"))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
}

/** The operations that nothing of what was asked has reached, in order. */
export const notReached = (operations: readonly string[], asked: readonly string[]): readonly string[] =>
  operations.filter((operation) => !asked.some((each) => patternOf(operation).test(each))).toSorted();

function patternOf(operation: string): RegExp {
  const parts = operation.split(/\{[^}]+\}/).map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}
