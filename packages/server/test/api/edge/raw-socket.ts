/** Sends raw bytes to a port, as attackers and broken clients do. */
import { connect } from "node:net";
import type { Socket } from "node:net";

const PATIENCE_MS = 15_000;

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Conversation {
  readonly answers: readonly RawAnswer[];
  /** The server closed the connection. */
  readonly closed: boolean;
}

export interface RawOptions {
  /** Closes the client's side after sending. */
  readonly halfClose?: boolean;
  /** Stops after this many responses; otherwise when the server closes or after `patienceMs`. */
  readonly answers?: number;
  readonly patienceMs?: number;
}

/** Sends the bytes (latin1) and collects the responses. */
export function converse(port: number, bytes: string, options: RawOptions = {}): Promise<Conversation> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1");
    let received = "";
    let closed = false;
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers: readAnswers(received), closed });
    };
    const timer = setTimeout(finish, options.patienceMs ?? PATIENCE_MS);
    socket.setEncoding("latin1");
    socket.on("connect", () => {
      socket.write(bytes, "latin1");
      if (options.halfClose === true) socket.end();
    });
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (options.answers !== undefined && readAnswers(received).length >= options.answers) finish();
    });
    socket.on("error", () => undefined);
    socket.on("end", () => {
      closed = true;
    });
    socket.on("close", () => {
      closed = true;
      finish();
    });
  });
}

/** The complete responses in a text, by Content-Length. */
function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return answers;
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers.get("content-length") ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    answers.push({ status: Number(statusLine.split(" ")[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
}
