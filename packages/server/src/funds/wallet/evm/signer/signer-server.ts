/**
 * The signer process listens on a unix socket and answers one request per connection. Every user who can open the
 * socket may send requests.
 */
import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { ConfigError } from "../../../../platform/config/faults.ts";
import { encodeFrame, MAX_FRAME_BYTES, type RefusedAnswer, signerRequest } from "./port.ts";
import { Refused, Signer } from "./signer.ts";
import { once } from "node:events";
import { Keys, readKeyFile } from "./keys.ts";
import { loadSignerConfig, type SignerConfig } from "./signer-config.ts";

const MAX_CONNECTIONS = 16;
/** An idle connection is closed after this time. */
const IDLE_MS = 10_000;
/** Allows the owner and the group, so that the node can run as another user of the group. */
const SOCKET_MODE = 0o660;

/** Receives one line of the signer's log. */
export type OnAnswered = (told: { readonly request: string; readonly outcome: string }) => void;

class SignerServer {
  readonly #signer: Signer;
  readonly #onAnswered: OnAnswered;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(signer: Signer, onAnswered: OnAnswered) {
    this.#signer = signer;
    this.#onAnswered = onAnswered;
    this.#server = createServer((socket) => this.#serve(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /**
   * Listens on the socket. Throws `ConfigError` if another signer listens on the path, or if the path is not a socket.
   */
  async listen(path: string): Promise<void> {
    await removeDeadSocket(path);
    await new Promise<void>((done, failed) => {
      this.#server.once("error", (error: NodeJS.ErrnoException) =>
        failed(new ConfigError(`Cannot listen on the socket ${path} (${error.code})`, { cause: error })),
      );
      this.#server.listen(path, done);
    });
    chmodSync(path, SOCKET_MODE);
  }

  close(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    return closed;
  }

  #serve(socket: Socket): void {
    let said = "";
    this.#sockets.add(socket);
    socket.setEncoding("utf8");
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
    const hear = (text: string): void => {
      said += text;
      if (said.length > MAX_FRAME_BYTES) return void socket.destroy();
      const end = said.indexOf("\n");
      if (end < 0) return;
      socket.off("data", hear);
      // An unexpected error ends this process, because it holds the keys.
      void this.#answer(said.slice(0, end)).then((answer) => socket.end(encodeFrame(answer)));
    };
    socket.on("data", hear);
  }

  async #answer(line: string): Promise<unknown> {
    const request = readRequest(line);
    if (request === undefined) return this.#refuse(line, "invalid request");
    try {
      const answer = await this.#signer.answer(request);
      if (request.type !== "hello") this.#onAnswered({ request: line, outcome: "txId" in answer ? answer.txId : "" });
      return answer;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof RangeError)) throw error;
      return this.#refuse(line, error.message, error instanceof RangeError || error.isForGood);
    }
  }

  #refuse(line: string, why: string, isForGood = true): RefusedAnswer {
    this.#onAnswered({ request: line.slice(0, 1000), outcome: `refused: ${why}` });
    return { refused: why, isForGood };
  }
}

function readRequest(line: string): ReturnType<typeof signerRequest.parse> | undefined {
  try {
    return signerRequest.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Removes the socket that a killed signer left behind, but not the socket of a running one. */
async function removeDeadSocket(path: string): Promise<void> {
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket())
    throw new ConfigError(`${path} exists and is not a socket. Remove it, or choose another with --socket`);
  const isAlive = await new Promise<boolean>((done) => {
    const probe = connect(path, () => done(true));
    probe.once("connect", () => probe.destroy());
    probe.once("error", () => done(false));
  });
  if (isAlive)
    throw new ConfigError(`Another signer is listening on ${path}. Stop it, or choose another socket with --socket`);
  rmSync(path);
}

interface Paths {
  readonly keyFile?: string;
  readonly socket?: string;
}

/** Prints `ready SOCKET`, then a JSON line for every transaction that it signed or rejected. */
export async function runSigner(file: string, paths: Paths, terminal: { print(text: string): void }): Promise<void> {
  const config = { ...loadSignerConfig(file, process.cwd()), ...paths };
  const server = new SignerServer(createSigner(config), (told) =>
    terminal.print(JSON.stringify({ time: new Date().toISOString(), ...told })),
  );
  await server.listen(config.socket);
  terminal.print(`ready ${config.socket}`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await server.close();
}

function createSigner(config: SignerConfig): Signer {
  const keys = new Keys(readKeyFile(config.keyFile));
  try {
    return new Signer(config, keys);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}
