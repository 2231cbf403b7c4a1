/** HTTP over a bare socket, for load tests with little overhead. */
import { connect, type Socket } from "node:net";
import { type Credentials, encode, type Parameters, sign } from "./client.ts";

/** Returns the offset of the end of a complete answer, or 0 if it has not fully arrived yet. */
function answerEnd(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  const end = head + 4 + Number(length ?? 0);
  return text.length >= end ? end : 0;
}

export type OnAnswer = (status: number, body: string) => void;

/**
 * A keep-alive connection with at most one pending request. `onLost` is called if an unexpected answer arrives or an
 * answer is lost.
 */
export class RawConnection {
  readonly #socket: Socket;
  readonly #onLost: (why: string) => void;
  #onAnswer: OnAnswer | undefined;
  #pending = "";

  private constructor(socket: Socket, onLost: (why: string) => void) {
    this.#socket = socket;
    this.#onLost = onLost;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", () => {});
    socket.on("close", () => onLost("the server closed it"));
  }

  /** Opens a connection. `localAddress` is the loopback address to connect from. */
  static open(port: number, onLost: (why: string) => void, localAddress = "127.0.0.1"): Promise<RawConnection> {
    return new Promise((done, failed) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress }, () => {
        socket.off("error", failed);
        done(new RawConnection(socket, onLost));
      });
      socket.once("error", failed);
    });
  }

  get isBusy(): boolean {
    return this.#onAnswer !== undefined;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  send(request: Buffer | string, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  destroy(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#pending += chunk.toString("latin1");
    const end = answerEnd(this.#pending);
    if (end === 0) return;
    const text = this.#pending;
    const onAnswer = this.#onAnswer;
    this.#pending = "";
    this.#onAnswer = undefined;
    if (onAnswer === undefined) return this.#onLost(`nothing was asked, and it said ${text.slice(0, end)}`);
    if (end !== text.length) return this.#onLost("more than one answer to one request");
    onAnswer(Number(text.slice(9, 12)), text.slice(text.indexOf("\r\n\r\n") + 4, end));
  }
}

// The text of requests.

export interface RawRequest {
  /** The path, including the query. */
  readonly path: string;
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly apiKey?: string;
  /** The body: the text of a form. */
  readonly body?: string;
}

/** Returns the complete text of a request, in which every character is one byte. */
export function rawRequest({ method = "GET", path, apiKey, body = "" }: RawRequest): string {
  const key = apiKey === undefined ? "" : `X-MBX-APIKEY: ${apiKey}\r\n`;
  const type = body === "" ? "" : "Content-Type: application/x-www-form-urlencoded\r\n";
  const length = method === "POST" ? `Content-Length: ${body.length}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}${type}${length}\r\n${body}`;
}

export interface SignedRawRequest extends Pick<RawRequest, "method" | "path"> {
  /** The parameters without the signature. `timestamp` is added if it is missing. */
  readonly parameters: Parameters;
  /** Signs a different text, so that the node must reject the request. */
  readonly forged?: boolean;
}

/** Returns the text of a signed request. The parameters are in the body of a POST, otherwise in the query. */
export function signedRawRequest(
  { apiKey, secretKey }: Credentials,
  { method = "GET", path, parameters, forged = false }: SignedRawRequest,
): string {
  const payload = encode({ timestamp: Date.now(), ...parameters });
  const text = `${payload}&signature=${sign(secretKey, forged ? `${payload}0` : payload)}`;
  return method === "POST"
    ? rawRequest({ method, path, apiKey, body: text })
    : rawRequest({ method, path: `${path}?${text}`, apiKey });
}
