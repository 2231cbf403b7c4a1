/** Log lines for a node's start and failures, and registration of its metrics. */
import { listingWarnings } from "../../platform/config/listing-warnings.ts";
import type { Config } from "../../platform/config/config.ts";
import { whyPaymentsAreHeld } from "../../platform/config/held-payments.ts";
import { LogTrimmed } from "../../journal/port.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { PartTrouble, Troubles } from "../../platform/observe/health.ts";
import type { Recovery } from "../../journal/replica/recover.ts";
import { type GuardedClock, leapText, watchClock } from "../../platform/world/clock.ts";
import { VERSION } from "./version.ts";
import type { Gateway } from "../../api/gateway.ts";
import { type Certificates, watchCertificates } from "../../platform/certificates.ts";
import { watchCatchUp } from "../../cluster/catch-up/join-log.ts";
import { type ClusterNode, watchCluster } from "../../cluster/cluster-node.ts";
import type { OpenCluster } from "../../cluster/open-cluster.ts";
import type { HttpEdge } from "../../api/edge/http/edge.ts";
import type { Sockets } from "../../api/edge/sockets/sockets.ts";
import { type NodeMail, watchMails } from "../../people/mail/open-mail.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { watchReplica } from "../../journal/replica/projection.ts";
import type { Storage } from "../../journal/storage/storage.ts";
import type { Streams } from "../../api/streams/streams.ts";
import { type NodeWallet, watchNetworks } from "../../funds/wallet/wallet.ts";

type Log = Pick<Logger, "info" | "warn" | "error">;

/** `error`: why the node cannot continue. */
export function logFatal(log: Pick<Logger, "warn" | "fatal">, error: Error): void {
  if (error instanceof LogTrimmed) log.warn({ why: error.message }, "behind the cluster's log, restarting to catch up");
  else log.fatal({ err: error }, "node stopped because of a fatal error");
}

export function logTrouble(log: Log, { part, message }: PartTrouble): void {
  if (message === null) log.info(`${part}: write succeeded again`);
  else log.warn({ why: message }, `${part}: write failed, retrying`);
}

/** `aheadMs`: null when the wall clock is correct again. */
export function logLeap(log: Log, aheadMs: number | null): void {
  if (aheadMs === null) log.info("wall clock is correct again");
  else log.error({ aheadMs }, leapText(aheadMs));
}

/** `warnings`: those of the start. The warnings of the configuration and the recovery are logged as well. */
export function logStart(
  log: Log,
  { config, recovery, rest }: { readonly config: Config; readonly recovery: Recovery; readonly rest: string },
  warnings: readonly string[],
): void {
  const { engine, snapshotSeq, durationMs } = recovery;
  log.info({ version: VERSION, rest, seq: engine.seq, fromSnapshot: snapshotSeq, recoveryMs: durationMs }, "serving");
  const { symbols, tradingRules, limits, fees } = config;
  if (tradingRules.enabled && !limits.enabled) log.warn("tradingRules: disabled because limits are disabled");
  const held = whyPaymentsAreHeld(config.dataFolder);
  if (held !== "") log.warn(held);
  const configured = new Set(symbols.map(({ symbol }) => symbol));
  const markets = engine.markets().filter(({ spec }) => configured.has(spec.symbol));
  const unusual = markets.flatMap((market) => listingWarnings({ view: engine, fees }, market));
  for (const why of [...config.warnings, ...recovery.refused, ...unusual, ...warnings]) log.warn(why);
}

export interface WatchedNode {
  readonly storage: Storage;
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly wallet: NodeWallet;
  readonly mail: NodeMail;
  readonly clock: GuardedClock;
  readonly troubles: Troubles;
  readonly certificates: Certificates;
  /** Undefined on a single node, like `shared`. */
  readonly cluster: ClusterNode | undefined;
  readonly shared: Pick<OpenCluster, "progress"> | undefined;
}

/** Registers the metrics of all parts. Called again for the new parts when a lab restores a checkpoint. */
export function watchNode(metrics: Metrics, node: WatchedNode): void {
  const { storage, gateway, streams, wallet, mail, clock, troubles, certificates, cluster, shared } = node;
  const { engine } = storage.recovery;
  metrics.forgetParts();
  watchReplica(metrics, engine, storage.projector, clock);
  watchHttp(metrics, gateway.edge);
  watchSockets(metrics, streams.sockets);
  watchNetworks(metrics, wallet, engine);
  watchMails(metrics, mail.outbox);
  watchClock(metrics, clock);
  watchCertificates(metrics, certificates);
  if (cluster !== undefined) watchCluster(metrics, cluster);
  if (shared !== undefined) watchCatchUp(metrics, shared.progress);
  troubles.watch(metrics);
}

// Metrics of clients: connections, requests and WebSockets.

type WatchedClients = Pick<Metrics, "gauge" | "counter" | "counterBy">;

function watchHttp(metrics: WatchedClients, http: HttpEdge): void {
  metrics.gauge("pricetime_open_connections", "Open client connections", () => http.openConnections);
  metrics.gauge("pricetime_requests_in_flight", "Requests without a response yet", () => http.inFlight);
  const lanes = "HTTP requests, by parser";
  metrics.counterBy("lane", "pricetime_http_requests_total", lanes, () => http.requestsByLane);
  const handshakes = "TLS handshakes on the client port, by outcome";
  metrics.counterBy("outcome", "pricetime_tls_handshakes_total", handshakes, () => http.handshakes);
  metrics.gauge("pricetime_send_buffer_bytes", "Bytes of responses in send buffers", () => http.unreadBytes);
  const dropped = "Connections closed because the client did not read";
  metrics.counter("pricetime_connections_dropped_total", dropped, () => http.slowDropped);
}

function watchSockets(metrics: WatchedClients, sockets: Sockets): void {
  metrics.gauge("pricetime_sockets_open", "Open WebSockets", () => sockets.open);
  metrics.counter("pricetime_stream_messages_total", "Messages sent to WebSockets", () => sockets.messagesSent);
  metrics.counter(
    "pricetime_sockets_dropped_total",
    "WebSockets closed because the client did not read in time",
    () => sockets.slowDropped,
  );
  metrics.gauge(
    "pricetime_sockets_send_buffer_bytes",
    "Bytes in the send buffers of WebSockets",
    () => sockets.unreadBytes,
  );
}
