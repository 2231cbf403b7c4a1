/** A listener of user data: everything that its socket was sent, and how it ended. */
import { Client } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, operate } from "@pricetime/testkit/venue";

// Messages are of several kinds; tests look into all of them.
// oxlint-disable-next-line typescript/no-explicit-any
export type Message = Readonly<Record<string, any>>;

export interface Ended {
  readonly code: number;
  readonly reason: string;
}

const TIMEOUT_MS = 60_000;

export class UserEar {
  readonly messages: Message[] = [];
  readonly ended: Promise<Ended>;
  readonly #socket: WebSocket;
  /** Told of each message as it comes. */
  onMessage: ((message: Message) => void) | undefined;
  #wake: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.ended = new Promise((resolve) => socket.addEventListener("close", resolve, { once: true }));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data as string) as Message;
      this.messages.push(message);
      this.onMessage?.(message);
      this.#wake?.();
    });
  }

  /** Resolves when the socket is open; rejects when it cannot be opened. */
  static open(url: string): Promise<UserEar> {
    const socket = new WebSocket(url);
    const ear = new UserEar(socket);
    return new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve(ear), { once: true });
      socket.addEventListener("error", () => reject(new Error(`cannot open ${url}`)), { once: true });
    });
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** The first message that `isIt`, from `from` on; waits for it. */
  async until(isIt: (message: Message) => boolean, from = 0): Promise<Message> {
    const lateMs = performance.now() + TIMEOUT_MS;
    for (let at = from; ; at++) {
      while (at >= this.messages.length) await this.#next(lateMs);
      const message = this.messages[at] as Message;
      if (isIt(message)) return message;
    }
  }

  /** Waits until that many have come. */
  async count(messages: number): Promise<readonly Message[]> {
    const lateMs = performance.now() + TIMEOUT_MS;
    while (this.messages.length < messages) await this.#next(lateMs);
    return this.messages;
  }

  close(): void {
    this.#socket.close();
  }

  #next(lateMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`nothing came after ${JSON.stringify(this.messages.at(-1))}`)),
        lateMs - performance.now(),
      );
      this.#wake = () => {
        clearTimeout(late);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

export async function openListenKey(client: Client): Promise<string> {
  return (await client.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json.listenKey;
}

/** The account's raw stream. */
export async function hearUser({ rest, ws }: Exchange, account: DemoAccount): Promise<UserEar> {
  const client = new Client(rest, account, 1);
  const listenKey = await openListenKey(client);
  client.close();
  return UserEar.open(`${ws}/ws/${listenKey}`);
}

/** As an operator: `deposits` or `debits`. */
export async function moveMoney(
  exchange: Exchange,
  kind: "deposits" | "debits",
  move: { account: string; asset: string; amount: string; reference: string },
): Promise<void> {
  await operate(exchange, "POST", `/v1/${kind}`, move);
}
