/** Options of a gateway. */
import type { VenueInterface } from "@pricetime/protocol";
import type { Confirmations } from "../platform/secrets/link-secrets.ts";
import type { CheckTotp } from "../platform/secrets/totp.ts";
import type { TradingRulesStatus } from "../funds/trading-rules.ts";
import type { Wallet } from "../funds/wallet/port.ts";
import type { ApiKey, EngineView } from "@pricetime/engine";
import type { Document, GatewayRequest, MethodSink, RequestSink } from "./edge/request.ts";
import type { History } from "../history/port.ts";
import type { Sequencer } from "../journal/sequencer/port.ts";
import type { Unseal } from "./edge/authentication.ts";
import type { SendQueue } from "./edge/send-queue.ts";
import type { HttpEdge, HttpEdgeOptions } from "./edge/http/edge.ts";
import type { HttpLimits } from "./edge/limits.ts";
import type { FreshReadsOptions } from "./fresh-reads.ts";
import type { Ids } from "./ids.ts";
import type { LimitsConfig } from "./edge/rate-limit-rules.ts";
import type { World } from "../platform/world/port.ts";
import type { EmailedPageBranding } from "./web/branding.ts";
import type { Web } from "./web/file.ts";

// The services that deposits and withdrawals need in addition to the exchange.

export interface WalletPorts {
  readonly wallet: Wallet;
  readonly tradingRules: TradingRulesStatus;
  readonly checkTotp: CheckTotp;
  readonly confirmations: Confirmations;
}

// The account API as seen by the gateway: its responses, and the permissions of its sessions.

/** The path prefix of the account API. */
export const ACCOUNT_API = "/account/v1/";

export interface AccountRequests {
  /** The weight of a request for the rate limits. */
  weightOf(method: string, path: string): number;
  /** `method` is GET for a HEAD request. Rejects with any error that is not part of the account API. */
  answer(request: GatewayRequest, method: string): Promise<Document>;
  /** The session's permissions as an API key without a name. Throws `Refused` if the session is invalid. */
  keyOf(request: GatewayRequest): ApiKey;
}

/** The part of a pino logger that the gateway uses. */
export interface GatewayLog {
  error(fields: object, message: string): void;
}

export interface GatewayOptions {
  /** The engine, or a function that returns it if the engine can be replaced while the node runs. */
  readonly engine: EngineView | (() => EngineView);
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly unseal: Unseal;
  readonly walletPorts: WalletPorts;
  readonly limits: LimitsConfig;
  /** The interface with which the venue answers. Default: that of 2019. */
  readonly venueInterface?: VenueInterface;
  readonly log: GatewayLog;
  /** Called when the node's own state can no longer be trusted. The process must exit. */
  readonly onFatal: (error: Error) => void;
  /** The exchange's clock and random source. */
  readonly world: World;
  /** The machine's clock, for sockets. Default: `world`. They differ in a lab. */
  readonly machine?: World | undefined;
  /** Wraps the sink that receives clients' requests, to intercept them. Default: not wrapped. */
  readonly door?: ((sink: RequestSink & MethodSink) => RequestSink & MethodSink) | undefined;
  /** Whether connections from an address are reset immediately. Used by a lab. */
  readonly refuses?: HttpEdgeOptions["refuses"];
  /** Tracks work of the edge in other threads. Used by a lab. */
  readonly during?: HttpEdgeOptions["during"];
  /**
   * Maps the exchange's time to the time against which request timestamps are checked; null to skip the check. Default:
   * the exchange's time.
   */
  readonly timing?: ((nowMs: number) => number | null) | undefined;
  /** The edge of the gateway that this one replaces. It is already listening. Default: a new edge. */
  readonly edge?: HttpEdge | undefined;
  /** The queue that is shared with the node's streams. Default: a new one. */
  readonly sendQueue?: SendQueue;
  /** Generates identifiers. Default: `RandomIds`. */
  readonly ids?: Ids;
  /** Overrides of `DEFAULT_HTTP_LIMITS`. */
  readonly http?: Partial<HttpLimits>;
  /** Addresses and subnets whose X-Forwarded-For header is trusted. */
  readonly trustedProxies?: readonly string[];
  /** TLS certificates. If absent, clients connect by plain HTTP. */
  readonly certificates?: HttpEdgeOptions["certificates"];
  /** The HSTS max-age in seconds. If absent or 0, no HSTS header is sent. */
  readonly hstsSeconds?: number | undefined;
  /** Pages for browsers. Default: none. */
  readonly web?: Web;
  /** Default: pages show neither a name nor a logo of the venue. */
  readonly branding?: EmailedPageBranding | undefined;
  /** The account API. If absent, users cannot sign in. */
  readonly accounts?: AccountRequests;
  /** Read consistency on a node of a cluster. Absent on a single node. */
  readonly fresh?: FreshReadsOptions | undefined;
  /** Called for each response, for metrics. `endpoint` is an id in the endpoint table, or "none". */
  readonly onAnswered?: (endpoint: string, status: number, elapsedMs: number) => void;
}
