/** Options that the wiring passes to a gateway. */
import type { EngineView } from "@pricetime/engine";
import type { History } from "../history/port.ts";
import type { Sequencer } from "../journal/sequencer/port.ts";
import type { Unseal } from "./edge/auth/secrets.ts";
import type { TellingOrder } from "./edge/telling-order.ts";
import type { HttpEdge, HttpEdgeOptions } from "./edge/http/edge.ts";
import type { HttpLimits } from "./edge/http/limits.ts";
import type { FreshReadsOptions } from "./fresh-reads.ts";
import type { AccountDoor } from "./account-door.ts";
import type { Ids } from "./ids.ts";
import type { MethodSink, RequestSink } from "./edge/request.ts";
import type { LimitsConfig } from "./edge/limits/rule.ts";
import type { KeptValue } from "../platform/world/kept.ts";
import type { Web } from "./web/port.ts";
import type { World } from "../platform/world/port.ts";
import type { WalletPorts } from "./wallet-ports.ts";

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
  /** What the gateway of another node kept. */
  readonly kept?: KeptValue | undefined;
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
