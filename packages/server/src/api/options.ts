/** Options that the wiring passes to a gateway. */
import type { Confirmations } from "../platform/secrets/link-secrets.ts";
import type { CheckTotp } from "../platform/secrets/totp.ts";
import type { TradingRulesStatus } from "../funds/trading-rules.ts";
import type { Wallet } from "../funds/wallet/port.ts";
import type { ApiKey, EngineView } from "@pricetime/engine";
import type { Document, GatewayRequest, MethodSink, RequestSink } from "./edge/request.ts";
import type { History } from "../history/port.ts";
import type { Sequencer } from "../journal/sequencer/port.ts";
import type { Unseal } from "./edge/authentication.ts";
import type { TellingOrder } from "./edge/telling-order.ts";
import type { HttpEdge, HttpEdgeOptions } from "./edge/http/edge.ts";
import type { HttpLimits } from "./edge/limits.ts";
import type { FreshReadsOptions } from "./fresh-reads.ts";
import type { Ids } from "./ids.ts";
import type { LimitsConfig } from "./edge/rate-limit-rules.ts";
import type { World } from "../platform/world/port.ts";
import type { Web } from "./web/file.ts";

// The parts of the node that deposits and withdrawals need besides the exchange itself.

export interface WalletPorts {
  readonly wallet: Wallet;
  readonly tradingRules: TradingRulesStatus;
  readonly checkTotp: CheckTotp;
  readonly confirmations: Confirmations;
}

// The account API, as the gateway uses it: its answers, and the rights of its sessions.

/** Below this path stands what it answers. */
export const ACCOUNT_API = "/account/v1/";

export interface AccountDoor {
  /** What a request counts of its address's limit. */
  weightOf(method: string, path: string): number;
  /** Rejects with what is no refusal of its own. `method` is GET for HEAD. */
  answer(request: GatewayRequest, method: string): Promise<Document>;
  /** What somebody who is signed in may do, in the form of a key without a name. Throws `Refused`. */
  keyOf(request: GatewayRequest): ApiKey;
}

/** The interface of pino's loggers. */
export interface GatewayLog {
  error(fields: object, message: string): void;
}

export interface GatewayOptions {
  /** A function if the engine is replaced while the node runs. */
  readonly engine: EngineView | (() => EngineView);
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly unseal: Unseal;
  readonly walletPorts: WalletPorts;
  readonly limits: LimitsConfig;
  readonly log: GatewayLog;
  /** Our own state cannot be trusted any more: the process must stop. */
  readonly onFatal: (error: Error) => void;
  /** The exchange's time, and dice. */
  readonly world: World;
  /** The machine's, for sockets; default: `world`. They differ in a lab. */
  readonly machine?: World | undefined;
  /** Wraps the sink with what clients' requests pass first; absent: they pass nothing. */
  readonly door?: ((sink: RequestSink & MethodSink) => RequestSink & MethodSink) | undefined;
  /** Whether a connection is broken off at once: in a lab. */
  readonly refuses?: HttpEdgeOptions["refuses"];
  /** Told of the edge's work in other threads: in a lab. */
  readonly during?: HttpEdgeOptions["during"];
  /** The time that judges requests' timestamps, given the exchange's; null: none does. Default: the exchange's. */
  readonly timing?: ((nowMs: number) => number | null) | undefined;
  /** The edge of the gateway before this one, which listens already; its clients come by the door. Default: a new one. */
  readonly edge?: HttpEdge | undefined;
  /** Shared with the streams of the node; when absent, the gateway has its own. */
  readonly telling?: TellingOrder;
  /** `RandomIds` when absent. */
  readonly ids?: Ids;
  /** Overrides of `DEFAULT_HTTP_LIMITS`. */
  readonly http?: Partial<HttpLimits>;
  /** Addresses and subnets whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Clients connect by TLS, and are shown these; absent: they connect by plain HTTP. */
  readonly certificates?: HttpEdgeOptions["certificates"];
  /** How long browsers that have been here ask by TLS alone; absent or 0: they are not told. */
  readonly hstsSeconds?: number | undefined;
  /** Pages for browsers beside the endpoints; none when absent. */
  readonly web?: Web;
  /** The account API; without it nobody signs in. */
  readonly accounts?: AccountDoor;
  /** Freshness that a cluster's nodes owe their readers; absent on a node that is alone. */
  readonly fresh?: FreshReadsOptions | undefined;
  /** Metrics count answers by this. `endpoint` is an id of the table, or "none". */
  readonly onAnswered?: (endpoint: string, status: number, elapsedMs: number) => void;
}
