/**
 * Which web pages may open sockets that carry an account's data. A browser lets every page open a socket to every
 * address and says in the header Origin whose page it is; programs send none, and no page can leave it out.
 */
import { hostName, isLoopbackName } from "../../../platform/transport/host-name.ts";
import type { RequestHeaders } from "../request.ts";
import type { TrustedProxies } from "../http/client-address.ts";

/** `allowedOrigins` names pages of every origin by this. */
const EVERYBODY = "*";

export interface OriginRules {
  /** Origins as browsers write them, `https://app.example.com`; `*`: all. */
  readonly allowedOrigins: readonly string[];
  /** The address that clients are told, if the node has one besides that at which it listens. */
  readonly publicUrl: string | null;
  /** In a demo pages of the own machine may, whatever their port: a page that is being written has one of its own. */
  readonly isDemo: boolean;
}

interface Asked {
  readonly headers: RequestHeaders;
  /** The other end of the connection. */
  readonly peer: string;
}

export class Origins {
  readonly #allowed: ReadonlySet<string>;
  readonly #isDemo: boolean;
  readonly #proxies: TrustedProxies;

  constructor({ allowedOrigins, publicUrl, isDemo }: OriginRules, proxies: TrustedProxies) {
    const own = publicUrl === null ? [] : [new URL(publicUrl).origin];
    this.#allowed = new Set([...allowedOrigins.map((origin) => origin.toLowerCase()), ...own]);
    this.#isDemo = isDemo;
    this.#proxies = proxies;
  }

  /** Whether it is a page of another site that nobody has allowed. */
  isForeign({ headers, peer }: Asked): boolean {
    const { origin } = headers;
    if (origin === undefined) return false;
    if (typeof origin !== "string") return true;
    if (this.#allowed.has(EVERYBODY) || this.#allowed.has(origin.toLowerCase())) return false;
    const page = URL.canParse(origin) ? new URL(origin) : null;
    if (page === null || page.host === "") return true;
    if (this.#isDemo && isLoopbackName(hostName(page.host) ?? "")) return false;
    // A proxy that is trusted says under which name it was asked.
    const forwarded = this.#proxies.trusts(peer) ? headers["x-forwarded-host"] : undefined;
    return ![headers["host"], forwarded].some((host) => typeof host === "string" && isHostOf(page, host));
  }
}

/** Both with the scheme's own port left out. The schemes may differ: TLS ends at a proxy. */
function isHostOf(page: URL, host: string): boolean {
  const written = `${page.protocol}//${host.trim()}`;
  return URL.canParse(written) && new URL(written).host === page.host;
}
