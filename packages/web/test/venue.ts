/** A real node for tests of the terminal, and an environment that counts requests and loses selected messages. */
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { MACHINE, type World } from "../src/wire/world.ts";

export interface WatchedWorld extends World {
  /** `GET /api/v3/time`, in the order in which they were sent. */
  readonly requests: string[];
  /** Control messages sent on sockets. */
  readonly messages: { readonly atMs: number; readonly method: string; readonly params: readonly string[] }[];
  readonly sockets: WebSocket[];
  /** What is lost of a matching request: the response, or the request itself. */
  lose: (request: string) => "answer" | "request" | null;
  /** The fate of a stream's messages. False: they are dropped; "later": they are delivered by `tellLate`. */
  hears: (stream: string) => boolean | "later";
  /** Delivers the messages that were held back, in order. */
  tellLate(): void;
  /** The page becomes visible. */
  wake(): void;
  clockErrorMs: number;
}

export function watchedWorld(): WatchedWorld {
  const late: (() => void)[] = [];
  const wakes = new Set<() => void>();
  const world: WatchedWorld = {
    ...MACHINE,
    requests: [],
    messages: [],
    sockets: [],
    lose: () => null,
    hears: () => true,
    tellLate() {
      for (const tell of late.splice(0)) tell();
    },
    onWake: (run) => (wakes.add(run), () => void wakes.delete(run)),
    wake: () => wakes.forEach((run) => run()),
    clockErrorMs: 0,
    nowMs: () => Date.now() + world.clockErrorMs,
    after(delayMs, run) {
      // Timers do not delay the end of a test.
      const timer = setTimeout(run, delayMs).unref();
      return () => clearTimeout(timer);
    },
    async fetch(address, request) {
      const name = `${request.method ?? "GET"} ${new URL(address).pathname}`;
      world.requests.push(name);
      const lost = world.lose(name);
      if (lost === "request") throw new TypeError("lost on its way there");
      const response = await fetch(address, request);
      if (lost === null) return response;
      await response.text();
      throw new TypeError("lost on its way back");
    },
    openSocket(address) {
      const socket = new WebSocket(address);
      const send = socket.send.bind(socket);
      socket.send = (data) => {
        const { method, params = [] } = JSON.parse(String(data)) as { method: string; params?: string[] };
        world.messages.push({ atMs: performance.now(), method, params });
        send(data);
      };
      world.sockets.push(socket);
      return deaf(socket, world, late);
    },
  };
  return world;
}

/** The socket, whose messages are delivered as `hears` decides. Events of an account are the stream "events". */
function deaf(socket: WebSocket, world: WatchedWorld, late: (() => void)[]): WebSocket {
  const heard = (event: MessageEvent, hear: () => void): void => {
    const sent = JSON.parse(String(event.data)) as { stream?: string; event?: object };
    const stream = sent.stream ?? (sent.event === undefined ? undefined : "events");
    const isHeard = stream === undefined || world.hears(stream);
    if (isHeard === "later") late.push(hear);
    else if (isHeard) hear();
  };
  const listen = socket.addEventListener.bind(socket) as (type: string, listener: (event: Event) => void) => void;
  let hear: WebSocket["onmessage"] = null;
  listen("message", (event) => heard(event as MessageEvent, () => hear?.call(socket, event as MessageEvent)));
  const listenTo = (type: string, listener: (event: Event) => void): void =>
    listen(type, type === "message" ? (event) => heard(event as MessageEvent, () => listener(event)) : listener);
  Object.defineProperty(socket, "addEventListener", { value: listenTo });
  Object.defineProperty(socket, "onmessage", {
    get: () => hear,
    set(handler: typeof hear) {
      hear = handler;
    },
  });
  return socket;
}

/** A demo without bots: only the test changes anything. With `port` 0, a free port is chosen. */
export function startQuietNode(
  options: { dataFolder?: string; port?: number; limits?: "on" | "off"; venueInterface?: "2019" | "today" } = {},
): Promise<Exchange> {
  const { dataFolder, port = 0, limits = "off", venueInterface = "2019" } = options;
  return startExchange({
    ...(dataFolder === undefined ? {} : { dataFolder }),
    args: ["--bots", "off", "--limits", limits, "--port", String(port), "--interface", venueInterface],
  });
}

export const portOf = ({ rest }: Pick<Exchange, "rest">): number => Number(new URL(rest).port);
export const streamAddress = ({ rest }: Pick<Exchange, "rest">): string => `${rest.replace("http", "ws")}/stream`;
