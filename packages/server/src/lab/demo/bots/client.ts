/** A bot's connection to the venue: signed requests through the gateway, like any client's. */
import { createHmac } from "node:crypto";

/** The gateway as a bot sees it. */
export interface VenueRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
}
export interface VenueResponse {
  readonly status: number;
  readonly body: string;
}
export type Venue = (request: VenueRequest) => Promise<VenueResponse>;

export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
  /** The bot's own address, so that each bot has the request limit of one client. */
  readonly ip: string;
}

/** The venue refused: a limit, a filter, a stop. Bots live with it. */
export class Refused extends Error {
  override readonly name = "Refused";
}

type Parameters = Readonly<Record<string, string | number>>;

export class BotClient {
  readonly #venue: Venue;
  readonly #credentials: Credentials;
  readonly #nowMs: () => number;

  constructor(venue: Venue, credentials: Credentials, nowMs: () => number) {
    this.#venue = venue;
    this.#credentials = credentials;
    this.#nowMs = nowMs;
  }

  /** Puts everything in the query, the signature last. Throws `Refused` unless the answer is 200. */
  async signed<T>(method: string, path: string, parameters: Parameters): Promise<T> {
    const query = encode({ ...parameters, timestamp: this.#nowMs() });
    const signature = createHmac("sha256", this.#credentials.secretKey).update(query).digest("hex");
    return this.#send<T>(method, path, `${query}&signature=${signature}`, { "x-mbx-apikey": this.#credentials.apiKey });
  }

  async public<T>(path: string, parameters: Parameters): Promise<T> {
    return this.#send<T>("GET", path, encode(parameters), {});
  }

  async #send<T>(method: string, path: string, query: string, headers: Readonly<Record<string, string>>): Promise<T> {
    const { ip } = this.#credentials;
    const { status, body } = await this.#venue({ method, path, query, body: "", headers, ip });
    if (status !== 200) throw new Refused(`${method} ${path}: ${status} ${body}`);
    return JSON.parse(body) as T;
  }
}

function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
