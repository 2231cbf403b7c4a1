/**
 * How `npm run cluster -- node NAME` sends requests to the program that runs the cluster: over loopback, with a token
 * from a file.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Kind, UsageError } from "./arguments.ts";
import type { RunnerFile } from "./folder.ts";
import { HOST } from "./ports.ts";

export interface Asked {
  readonly kind: Kind;
  readonly name: string;
}

/** Restarts the part and returns a message in one line; rejects with `UsageError`. */
export type StartAgain = (asked: Asked) => Promise<string>;

export class Control {
  readonly token = randomBytes(24).toString("hex");
  readonly #server: Server;
  readonly #startAgain: StartAgain;

  constructor(startAgain: StartAgain) {
    this.#startAgain = startAgain;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.requestTimeout = 0;
  }

  /** Returns its address. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, HOST), "listening");
    return `http://${HOST}:${(this.#server.address() as { readonly port: number }).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer({ headers, url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind = "", name = ""] = url.split("/");
    try {
      if (headers.authorization !== `Bearer ${this.token}`) throw new UsageError("wrong token");
      response.end(await this.#startAgain({ kind: kind as Kind, name: decodeURIComponent(name) }));
    } catch (error) {
      response.statusCode = 409;
      response.end((error as Error).message);
    }
  }
}

/**
 * Sends a request to the running program and returns its message; throws `UsageError` with the reason of a
 * rejection.
 */
export async function askToStart({ control, token }: RunnerFile, { kind, name }: Asked): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${control}/${kind}/${encodeURIComponent(name)}`, { method: "POST", headers });
  const said = await answer.text();
  if (!answer.ok) throw new UsageError(said);
  return said;
}
