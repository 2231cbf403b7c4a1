/** The URLs of a node, and the code that opens its ports. */
import { ADMIN_HOST } from "../../people/admin/server.ts";
import { writeAdminFile } from "../../platform/config/admin-file.ts";
import type { Certificates } from "../../platform/certificates.ts";
import type { Config } from "../../platform/config/config.ts";

type Scheme = "http" | "https" | "ws" | "wss";

/** Builds a URL such as `http://127.0.0.1:8080`. IPv6 addresses are in brackets. */
function baseUrl(scheme: Scheme, host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

interface Reached {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly adminUrl: string | null;
  /** Null for plain HTTP. */
  readonly tls: object | null;
}

/** The URLs of this node. Read them when they are needed, because they are unknown until the node listens. */
export class OwnAddress {
  readonly #host: string;
  readonly #publicUrl: string | null;
  readonly #adminUrl: string | null;
  readonly #isTls: boolean;
  #port: number | undefined;
  #adminDoor = "";

  /** `publicUrl` and `adminUrl`: null if clients use the node's own address. */
  constructor({ host, publicUrl, adminUrl, tls }: Reached) {
    this.#host = host;
    this.#publicUrl = publicUrl;
    this.#adminUrl = adminUrl;
    this.#isTls = tls !== null;
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  adminListensAt(url: string): void {
    this.#adminDoor = url;
  }

  /** Such as `http://127.0.0.1:8080`; empty until the node listens. */
  get rest(): string {
    return this.#url(this.#isTls ? "https" : "http");
  }

  /** Such as `ws://127.0.0.1:8080`; empty until the node listens. */
  get ws(): string {
    return this.#url(this.#isTls ? "wss" : "ws");
  }

  /** The base URL of links in emails and pages. */
  get publicUrl(): string {
    return this.#publicUrl ?? this.rest;
  }

  /** The base URL of links to the console. */
  get consoleUrl(): string {
    return this.#adminUrl ?? this.#adminDoor;
  }

  #url(scheme: Scheme): string {
    return this.#port === undefined ? "" : baseUrl(scheme, this.#host, this.#port);
  }
}

/** The addresses of a listening node. */
export interface Addresses {
  /** Such as `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** Such as `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
}

/** Returns the ports that a node listens on. */
export function portsOf({ rest, admin }: Addresses): { readonly port: number; readonly adminPort: number } {
  return { port: portOf(rest), adminPort: portOf(admin) };
}

/** The port in a URL, which omits the default port of its scheme. */
function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return port !== "" ? Number(port) : protocol === "https:" ? 443 : 80;
}

/** Whether the host is a loopback address. */
export function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

export interface Listeners {
  readonly gateway: { listen(host: string, port: number): Promise<number> };
  readonly admin: { listen(port: number): Promise<number> };
}

/** Opens both ports and writes `admin.json`. Rejects with the error if a port cannot be opened. */
export async function openPorts(
  { gateway, admin }: Listeners,
  address: OwnAddress,
  { host, port, adminPort, adminTls, dataFolder }: Config,
  adminToken: string,
  certificates: Certificates,
): Promise<Addresses> {
  const adminUrl = baseUrl(adminTls === null ? "http" : "https", ADMIN_HOST, await admin.listen(adminPort));
  address.adminListensAt(adminUrl);
  address.listensOn(await gateway.listen(host, port));
  const { rest, ws } = address;
  certificates.follow((shown) => writeAdminFile(dataFolder, { admin: adminUrl, adminToken, rest, ...shown }));
  return { rest, ws, admin: adminUrl, adminToken };
}
