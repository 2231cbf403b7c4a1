/** Addresses as people write them, and those of this node. */

/** Returns `http://127.0.0.1:8080`, for example; IPv6 addresses are in brackets. */
export function baseUrl(scheme: "http" | "ws", host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

interface Reached {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly adminUrl: string | null;
}

/** Where clients reach this node. The port is known once it listens: what tells of it asks when it tells. */
export class OwnAddress {
  readonly #host: string;
  readonly #publicUrl: string | null;
  readonly #adminUrl: string | null;
  #port: number | undefined;
  #adminDoor = "";

  /** `publicUrl` and `adminUrl`: null when it is reached where it listens. */
  constructor({ host, publicUrl, adminUrl }: Reached) {
    this.#host = host;
    this.#publicUrl = publicUrl;
    this.#adminUrl = adminUrl;
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  adminListensAt(url: string): void {
    this.#adminDoor = url;
  }

  /** As `http://127.0.0.1:8080`; "" before it listens. */
  get rest(): string {
    return this.#url("http");
  }

  /** As `ws://127.0.0.1:8080`; "" before it listens. */
  get ws(): string {
    return this.#url("ws");
  }

  /** What links in mails and pages begin with. */
  get publicUrl(): string {
    return this.#publicUrl ?? this.rest;
  }

  /** What links to the console begin with. */
  get consoleUrl(): string {
    return this.#adminUrl ?? this.#adminDoor;
  }

  #url(scheme: "http" | "ws"): string {
    return this.#port === undefined ? "" : baseUrl(scheme, this.#host, this.#port);
  }
}

/** The addresses of a node that listens. */
export interface Addresses {
  /** As `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** As `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
}

/** Returns the ports that a node listens on, which another start may ask for. */
export function portsOf({ rest, admin }: Addresses): { readonly port: number; readonly adminPort: number } {
  return { port: Number(new URL(rest).port), adminPort: Number(new URL(admin).port) };
}

/** Whether only this machine can connect to it. */
export function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
