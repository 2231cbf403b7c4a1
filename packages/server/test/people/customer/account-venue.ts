/** A venue with customer sign-in over real sockets, and browsers with cookies; the test controls the clock. */
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { Agent as TlsAgent, request as requestByTls } from "node:https";
import { after } from "node:test";
import type { Command, NoticeRecord } from "@pricetime/engine";
import { sealed, TestVenue } from "@pricetime/testkit/gateway-venue";
import { CHEAP_HASHES } from "@pricetime/testkit/sign-in-work";
import { Secret, TOTP } from "otpauth";
import type { AccountRequests, GatewayOptions } from "../../../src/api/options.ts";
import { createLinkSecrets, type LinkPurpose } from "../../../src/platform/secrets/link-secrets.ts";
import { fileSchema } from "../../../src/platform/config/schema.ts";
import { totpCheck } from "../../../src/platform/secrets/totp.ts";
import { openAccountApi } from "../../../src/people/customer/account-api.ts";
import { checkAnswer } from "../http/check-answer.ts";
import type { History } from "../../../src/history/port.ts";
import { AuditRefused } from "../../../src/funds/proof/folder/port.ts";
import { DEFAULT_LIMITS, type LimitsConfig } from "../../../src/api/edge/rate-limit-rules.ts";
import type { GuessLimits } from "../../../src/people/sign-in/limits.ts";
import type { HashCost } from "../../../src/people/sign-in/passwords.ts";
import { openSignIn, type CustomerSignIn } from "../../../src/people/sign-in/sign-in.ts";
import { Streams } from "../../../src/api/streams/streams.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

export const HOST = "127.0.0.1";
export const PASSWORD = "correct horse battery";
export const SESSION = "__Host-pricetime-account";
export const MARK = "__Host-pricetime-known";
const LINKS = createLinkSecrets("44".repeat(32));

const refuse = (): Promise<never> => Promise.reject(new AuditRefused("NOT_POSSIBLE", "the journal is in memory"));
const NO_AUDITS = { customerPart: refuse, publicPart: refuse, makePublished: refuse };

export interface AccountVenueOptions {
  readonly accounts?: object;
  readonly trustedProxies?: readonly string[];
  readonly limits?: LimitsConfig;
  readonly guessLimits?: GuessLimits;
  /** Default: `CHEAP_HASHES`. */
  readonly hashCost?: HashCost;
  /** Clients connect by TLS. */
  readonly certificates?: GatewayOptions["certificates"];
  /** The address to listen on; default: `HOST`. */
  readonly listensOn?: string;
  /** A start of the history. */
  readonly spoilt?: (history: History) => History;
}

export class AccountVenue extends TestVenue {
  readonly room: CustomerSignIn;
  readonly streams: Streams;
  /** All journaled entries in order. */
  readonly commands: Command[] = [];
  port = 0;

  private constructor({
    accounts = {},
    trustedProxies = [],
    limits,
    guessLimits,
    hashCost = CHEAP_HASHES,
    certificates,
    spoilt,
  }: AccountVenueOptions) {
    const door: { is?: AccountRequests } = {};
    const toDoor: AccountRequests = {
      weightOf: (...of) => door.is?.weightOf(...of) ?? 1,
      answer: (...of) => door.is?.answer(...of) ?? assert.fail(),
      keyOf: (of) => door.is?.keyOf(of) ?? assert.fail(),
    };
    super({ trustedProxies, accounts: toDoor, certificates, ...(limits && { limits }) });
    const tls = certificates === undefined ? null : {};
    const [view, sequencer, world] = [this.engine, this.sequencer(), MACHINE];
    const sealer = { seal: sealed, unseal: sealed };
    const secrets = { view, sequencer, world, sealer, links: LINKS };
    const checkTotp = totpCheck(sealer, NOTHING_SAVED);
    this.room = openSignIn({ ...secrets, checkTotp, hashCost, ...(guessLimits && { guessLimits }) });
    const config = fileSchema.parse({ accounts, reports: { asset: "USDT" } });
    const history = spoilt?.(this.history()) ?? this.history();
    const { wallet } = this.walletPorts();
    door.is = openAccountApi({
      ...{ ...config, ...secrets, room: this.room, history, checkTotp, wallet, audits: NO_AUDITS },
      ...{ http: { trustedProxies }, tls },
    });
    const nowMs = (): number => Math.max(this.nowMs, this.engine.timeMs);
    this.streams = new Streams({
      ...{ world: MACHINE, sendQueue: this.sendQueue, engine: this.engine, clock: { nowMs, settledMs: nowMs } },
      ...{ history: this.history(), sink: this.gateway, tickets: this.room.tickets },
      config: {
        ...{ limits: DEFAULT_LIMITS, http: { trustedProxies, allowedOrigins: ["https://app.example.com"] } },
        ...{ publicUrl: null, demo: true, streams: {}, tls },
      },
      log: { error: (fields) => this.bugs.push(fields) },
    });
    this.gateway.handUpgradesTo(this.streams);
    this.sendQueue.follow(this.streams, { applied: ({ command }) => void this.commands.push(command) });
  }

  static async start(options: AccountVenueOptions = {}): Promise<AccountVenue> {
    const venue = new AccountVenue(options);
    venue.port = await venue.gateway.listen(options.listensOn ?? HOST, 0);
    after(async () => {
      await venue.streams.close();
      await venue.gateway.close();
      assert.deepEqual(venue.bugs, []);
    });
    return venue;
  }

  get origin(): string {
    return `http://${HOST}:${this.port}`;
  }

  browser(more: Partial<BrowserOptions> = {}): Browser {
    return new Browser(this.port, { headers: {}, ...more });
  }

  /** A customer who was invited and has signed in for the first time. */
  async customer(email: string, browser = this.browser()): Promise<Browser> {
    const answer = await browser.post("invitation/accept", { ...this.invite(email), password: PASSWORD });
    assert.equal(answer.status, 200, answer.text);
    return browser;
  }

  invite(email: string): Link {
    const id = this.room.dice.randomBytes(16).toString("hex");
    const link = this.link("invitation", id);
    const untilMs = this.nowMs + 86_400_000;
    const opens = { name: "invited", makerBps: 10, takerBps: 10 };
    const secretHash = LINKS.hashOf(link.secret);
    this.act({ type: "invite", by: "test", invitationId: id, secretHash, email, holder: null, opens, untilMs });
    return link;
  }

  /** The text of an email. */
  link(purpose: LinkPurpose, id: string): Link {
    return { id, secret: LINKS.secretOf(purpose, id) };
  }

  /** The unsent emails to an address. */
  letters(email: string): NoticeRecord[] {
    return [...this.engine.access.notices()].filter((notice) => notice.email === email);
  }

  /** The code that an authenticator app shows `aheadMs` from now. */
  code(secret: string, aheadMs = 0): string {
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: this.nowMs + aheadMs });
  }
}

export interface Link {
  readonly id: string;
  readonly secret: string;
}

export interface BrowserOptions {
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The certificate authority to trust; makes it connect by TLS. */
  readonly ca?: string | undefined;
  /** The host to connect to; default: `HOST`. */
  readonly host?: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly text: string;
  // Tests read bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly setCookies: readonly string[];
}

/** Sends requests as a page of this node would, with a browser's cookie handling. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #port: number;
  readonly #options: BrowserOptions;
  readonly #agent: Agent;

  constructor(port: number, options: BrowserOptions) {
    this.#port = port;
    this.#options = options;
    const { ca } = options;
    this.#agent = ca === undefined ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true, ca });
  }

  get origin(): string {
    const { ca, host = HOST } = this.#options;
    return `${ca === undefined ? "http" : "https"}://${host}:${this.#port}`;
  }

  /** A copy whose cookies change independently from now on. */
  copy(headers = this.#options.headers): Browser {
    const other = new Browser(this.#port, { ...this.#options, headers });
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  get(path: string, headers?: Record<string, string | undefined>): Promise<PageAnswer> {
    return this.send("GET", `/account/v1/${path}`, undefined, headers);
  }

  post(path: string, body: object = {}, headers?: Record<string, string | undefined>): Promise<PageAnswer> {
    return this.send("POST", `/account/v1/${path}`, JSON.stringify(body), headers);
  }

  /** `more` replaces headers of the page; undefined removes a header. */
  send(
    method: string,
    path: string,
    body?: string,
    more: Record<string, string | undefined> = {},
  ): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const { ca, host = HOST } = this.#options;
    const ask = ca === undefined ? request : requestByTls;
    const all = {
      host: `${host}:${this.#port}`,
      "user-agent": "a test",
      "x-pricetime-page": "account",
      "sec-fetch-site": "same-origin",
      ...(method === "GET" ? {} : { origin: this.origin }),
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
      ...(cookie === "" ? {} : { cookie }),
      ...this.#options.headers,
      ...more,
    };
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const sent = ask({ host, port: this.#port, method, path, headers, agent: this.#agent }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => (text += chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const setCookies = answer.headers["set-cookie"] ?? [];
          for (const set of setCookies) this.#keep(set);
          const [status, json] = [answer.statusCode ?? 0, parsed(text)];
          try {
            if (json !== undefined) checkAnswer({ method, path, status, body: json });
            resolve({ status, text, json, headers: answer.headers, setCookies });
          } catch (error) {
            reject(error);
          }
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  #keep(set: string): void {
    const [pair = "", ...attributes] = set.split("; ");
    const mark = pair.indexOf("=");
    const name = pair.slice(0, mark);
    if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(mark + 1));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The status and the error code of a rejection. */
export const refusal = ({ status, json }: PageAnswer): [number, string] => [status, String(json?.error)];
