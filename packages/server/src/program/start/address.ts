/** The addresses of a node and its ports: as people write them, and opened. */
import { ADMIN_HOST } from "../../people/admin/server.ts";
import { writeAdminFile } from "../../platform/config/admin-file.ts";
import type { Certificates } from "../../platform/certificates.ts";
import type { Config } from "../../platform/config/config.ts";

type Scheme = "http" | "https" | "ws" | "wss";

/** Returns `http://127.0.0.1:8080`, for example; IPv6 addresses are in brackets. */
function baseUrl(scheme: Scheme, host: string, port: number): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

interface Reached {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly adminUrl: string | null;
  /** Null: it speaks plain HTTP. */
  readonly tls: object | null;
}

/** Where clients reach this node. The port is known once it listens: what tells of it asks when it tells. */
export class OwnAddress {
  readonly #host: string;
  readonly #publicUrl: string | null;
  readonly #adminUrl: string | null;
  readonly #isTls: boolean;
  #port: number | undefined;
  #adminDoor = "";

  /** `publicUrl` and `adminUrl`: null when it is reached where it listens. */
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

  /** As `http://127.0.0.1:8080`; "" before it listens. */
  get rest(): string {
    return this.#url(this.#isTls ? "https" : "http");
  }

  /** As `ws://127.0.0.1:8080`; "" before it listens. */
  get ws(): string {
    return this.#url(this.#isTls ? "wss" : "ws");
  }

  /** What links in mails and pages begin with. */
  get publicUrl(): string {
    return this.#publicUrl ?? this.rest;
  }

  /** What links to the console begin with. */
  get consoleUrl(): string {
    return this.#adminUrl ?? this.#adminDoor;
  }

  #url(scheme: Scheme): string {
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
  return { port: portOf(rest), adminPort: portOf(admin) };
}

/** A scheme's own port is not written: a URL leaves it out. */
function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return port !== "" ? Number(port) : protocol === "https:" ? 443 : 80;
}

/** Whether only this machine can connect to it. */
export function isOwnMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

// Opens the ports of a node: requests are answered from here on.

export interface Doors {
  readonly gateway: { listen(host: string, port: number): Promise<number> };
  readonly admin: { listen(port: number): Promise<number> };
}

/** Resolves when both listen and the data folder says where. Rejects with the error of a port that cannot be had. */
export async function openDoors(
  { gateway, admin }: Doors,
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
