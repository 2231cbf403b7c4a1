/** Pages of other origins, other tabs and old tickets use the session of a customer who trades in the terminal. */
import { once } from "node:events";
import { request } from "node:http";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";

const EMAIL = "ann@attack.example";
const PASSWORD = "correct horse battery";
const ANSWER_MS = 5_000;
const ORDER = "/api/v3/order?symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=20000&quantity=0.001";
const OWN = { "X-Pricetime-Page": "account", "Content-Type": "application/json" };
const FOREIGN_ORIGINS = ["https://evil.example", "http://127.0.0.1:1", "null"];
/** Requests that a browser sends with the cookie for pages of other origins, and after a sign-in in another tab. */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { "Content-Type": "text/plain" },
  ...FOREIGN_ORIGINS.map((Origin) => ({ ...OWN, Origin })),
  { ...OWN, "Sec-Fetch-Site": "cross-site" },
  { ...OWN, "Sec-Fetch-Site": "same-site" },
  { ...OWN, "X-Pricetime-Session": "0".repeat(32) },
];

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
}

class Browser {
  readonly #rest: URL;
  #cookie = "";

  constructor({ rest }: Pick<Exchange, "rest">) {
    this.#rest = new URL(rest);
  }

  get origin(): string {
    return this.#rest.origin;
  }

  send(method: "GET" | "POST", path: string, headers: Readonly<Record<string, string>> = OWN, body = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = request(new URL(path, this.#rest), { method, headers: { ...headers, Cookie: this.#cookie } });
    sent.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      const cookie = (response.headers["set-cookie"] ?? []).map((one) => one.split(";")[0]).join("; ");
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, cookie }));
    });
    sent.end(method === "POST" && path.startsWith("/account/") ? JSON.stringify(body) : undefined);
    return promise;
  }

  async accept(link: string): Promise<void> {
    const query = new URLSearchParams(link.slice(link.indexOf("?") + 1));
    const body = { id: query.get("id"), secret: query.get("secret"), password: PASSWORD };
    this.#cookie = (await this.send("POST", "/account/v1/invitation/accept", OWN, body)).cookie;
  }

  async ticket(): Promise<string> {
    const { text } = await this.send("POST", "/account/v1/ticket");
    return (JSON.parse(text) as { ticket: string }).ticket;
  }

  /** Opens the stream of the account's events. */
  stream(ticket: string, origin = this.origin): WebSocket {
    const url = `${this.origin.replace(/^http/, "ws")}/account/stream?ticket=${ticket}`;
    return new WebSocket(url, { headers: { Origin: origin } }).on("error", () => {});
  }
}

/** Whether the node rejects or closes the stream. */
const ends = async (socket: WebSocket): Promise<boolean> => {
  const isEnded = (): boolean => socket.readyState === WebSocket.CLOSED;
  const isIn = await comes(isEnded, { withinMs: ANSWER_MS });
  socket.terminate();
  return isIn;
};

async function foreignRequests(browser: Browser): Promise<Row> {
  const checks = new Checks();
  let rejected = 0;
  const paths = [ORDER, "/account/v1/ticket", "/account/v1/sign-out"];
  for (const headers of FOREIGN) {
    for (const path of paths) {
      const { status } = await browser.send("POST", path, headers);
      if (status >= 400 && status < 500) rejected++;
    }
  }
  const sent = FOREIGN.length * paths.length;
  checks.observe(`${rejected} of ${sent} rejected`);
  checks.expect("every request is rejected", rejected === sent);
  const open = await browser.send("GET", "/api/v3/openOrders?symbol=BTCUSDT");
  checks.expect("no order is open, and the customer is still signed in", open.status === 200 && open.text === "[]");
  const does =
    "orders, tickets and a sign-out with a customer's cookie: without the page's header, with foreign `Origin` and `Sec-Fetch-Site`, and for another session than the cookie's";
  return checks.row("browser sessions", does, "rejected; the session stays");
}

async function streams(browser: Browser): Promise<Row> {
  const checks = new Checks();
  for (const origin of FOREIGN_ORIGINS)
    checks.expect(`no stream for ${origin}`, await ends(browser.stream(await browser.ticket(), origin)));
  const ticket = await browser.ticket();
  const stream = browser.stream(ticket);
  await once(stream, "open");
  checks.expect("a ticket works once", await ends(browser.stream(ticket)));
  checks.expect("the customer's stream stays open", stream.readyState === WebSocket.OPEN);
  const unused = await browser.ticket();
  await browser.send("POST", "/account/v1/sign-out");
  checks.expect("the sign-out closes the stream", await ends(stream));
  checks.expect("a ticket ends with its session", await ends(browser.stream(unused)));
  const { status } = await browser.send("POST", ORDER);
  checks.expect("the old cookie places no order", status >= 400);
  checks.observe(`an order after the sign-out got ${status}`);
  const does =
    "a customer's event stream with foreign `Origin`, with a used ticket, and after the sign-out; an order with the old cookie";
  return checks.row("browser sessions", does, "rejected; the sign-out closes the stream");
}

async function run({ scope }: Campaign): Promise<Row[]> {
  const exchange = await startExchange({ dataFolder: scope.folder(), args: ["--bots", "off"] });
  scope.defer(() => exchange.kill());
  const { link } = await operate<{ link: string }>(exchange, "POST", "/v1/invitations", { email: EMAIL, name: "Ann" });
  const browser = new Browser(exchange);
  await browser.accept(link);
  return [await foreignRequests(browser), await streams(browser)];
}

export const browserSessions: Attack = { name: "sessions", run };
