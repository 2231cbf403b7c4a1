/**
 * A node's metrics for Prometheus. The methods are fast enough for the order path. Other parts add their own metrics
 * with `gauge`, `counter` and so on.
 */
import { collectDefaultMetrics, Registry } from "prom-client";
import { Histogram, LATENCY_BOUNDS, registerSamples, type Sample } from "./histogram.ts";

/** Bucket bounds in seconds. */
const COMMIT_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

type MetricType = "counter" | "gauge" | "histogram";

interface EndpointCounts {
  readonly byStatus: Map<number, number>;
  readonly latency: Histogram;
}

/**
 * Metric names of release 0.2.0, keyed by the current name. Both are exported; remove the old ones in release 0.4.0.
 */
export const DEPRECATED_METRICS: ReadonlyMap<string, string> = new Map([
  ["pricetime_emails_queued", "pricetime_mails_waiting"],
  ["pricetime_email_failures_total", "pricetime_mail_failures_total"],
  ["pricetime_networks_degraded", "pricetime_networks_troubled"],
  ["pricetime_network_pending_payments", "pricetime_network_payments_under_way"],
  ["pricetime_send_buffer_bytes", "pricetime_unread_bytes"],
  ["pricetime_sockets_send_buffer_bytes", "pricetime_sockets_unread_bytes"],
]);

/** Returns the current value. Called when Prometheus scrapes the metrics. */
export type Reading = () => number;

/** Totals since the start. */
export interface Totals {
  readonly requests: number;
  /** Number of accepted requests that placed orders. */
  readonly orders: number;
  readonly commands: number;
}

/** The IDs of endpoints that place orders. */
const PLACING: ReadonlySet<string> = new Set([
  "order.place",
  "order.cancelReplace",
  "orderList.place",
  "orderList.place.oco",
  "orderList.place.oto",
  "orderList.place.otoco",
  "orderList.place.opo",
  "orderList.place.opoco",
]);
const ACCEPTED = 200;

export class Metrics {
  readonly #registry = new Registry();
  #process: Registry | undefined;
  /** The registry of other parts' metrics. */
  #watched = new Registry();
  /** Other parts' gauges and counters without labels, by name. */
  readonly #readings = new Map<string, Reading>();
  readonly #endpoints = new Map<string, EndpointCounts>();
  readonly #batches = new Histogram(BATCH_BOUNDS);
  readonly #commits = new Histogram(COMMIT_BOUNDS);
  #commands = 0;

  constructor() {
    const registry = this.#registry;
    const counter = (name: string, help: string, samples: () => Sample[]): void =>
      registerSamples(registry, { name, help, type: "counter" }, samples);
    const histogram = (name: string, help: string, samples: (name: string) => Sample[]): void =>
      registerSamples(registry, { name, help, type: "histogram" }, () => samples(name));
    counter("pricetime_requests_total", "Responses sent, by endpoint and HTTP status", () => this.#requestSamples());
    histogram("pricetime_request_seconds", "Seconds from the complete request to its response, by endpoint", (name) =>
      [...this.#endpoints].flatMap(([endpoint, { latency }]) => latency.samples(name, { endpoint })),
    );
    counter("pricetime_commands_total", "Commands written to the journal", () => [
      { labels: {}, value: this.#commands },
    ]);
    histogram("pricetime_batch_commands", "Commands per batch", (name) => this.#batches.samples(name));
    histogram("pricetime_commit_seconds", "Seconds until a batch is durable", (name) => this.#commits.samples(name));
  }

  /** Adds metrics of the process: memory, CPU, event loop. */
  collectProcess(): void {
    this.#process = ofProcess();
  }

  /** Records an answered request. `endpoint` is an ID in the endpoint table, never text from a client. */
  requestDone(endpoint: string, status: number, elapsedMs: number): void {
    let counts = this.#endpoints.get(endpoint);
    if (counts === undefined) {
      counts = { byStatus: new Map(), latency: new Histogram(LATENCY_BOUNDS) };
      this.#endpoints.set(endpoint, counts);
    }
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.latency.observe(elapsedMs / 1000);
  }

  /** Records that a batch of `commands` commands is durable. */
  batchCommitted(commands: number, elapsedMs: number): void {
    this.#commands += commands;
    this.#batches.observe(commands);
    this.#commits.observe(elapsedMs / 1000);
  }

  /** Removes the metrics of other parts, before these parts are created again and register new ones. */
  forgetParts(): void {
    this.#watched = new Registry();
    this.#readings.clear();
  }

  /** Adds a gauge of another part. */
  gauge(name: string, help: string, reading: Reading): void {
    this.#readings.set(name, reading);
    this.#watch({ name, help, type: "gauge" }, () => [{ labels: {}, value: reading() }]);
  }

  /** Adds a gauge with labels. */
  gauges(name: string, help: string, samples: () => Sample[]): void {
    this.#watch({ name, help, type: "gauge" }, samples);
  }

  /** Adds a histogram of another part. */
  histogram(name: string, help: string, histogram: Histogram): void {
    this.#watch({ name, help, type: "histogram" }, () => histogram.samples(name));
  }

  /** Adds a counter of another part. */
  counter(name: string, help: string, reading: Reading): void {
    this.#readings.set(name, reading);
    this.#watch({ name, help, type: "counter" }, () => [{ labels: {}, value: reading() }]);
  }

  /** Adds a counter of another part with one label, whose values are the keys of `reading()`. */
  counterBy(label: string, name: string, help: string, reading: () => Readonly<Record<string, number>>): void {
    const samples = (): Sample[] =>
      Object.entries(reading()).map(([key, value]) => ({ labels: { [label]: key }, value }));
    this.#watch({ name, help, type: "counter" }, samples);
  }

  /** Registers a metric of another part, and again under its deprecated name, if it has one. */
  #watch(
    metric: { readonly name: string; readonly help: string; readonly type: MetricType },
    samples: () => Sample[],
  ): void {
    registerSamples(this.#watched, metric, samples);
    const name = DEPRECATED_METRICS.get(metric.name);
    if (name === undefined) return;
    registerSamples(this.#watched, { ...metric, name, help: `Deprecated: use ${metric.name}.` }, samples);
  }

  /** The current value of a part's gauge or counter without labels; NaN if it is not registered. */
  read(name: string): number {
    return this.#readings.get(name)?.() ?? Number.NaN;
  }

  totals(): Totals {
    let [requests, orders] = [0, 0];
    for (const [endpoint, { byStatus }] of this.#endpoints) {
      for (const answered of byStatus.values()) requests += answered;
      if (PLACING.has(endpoint)) orders += byStatus.get(ACCEPTED) ?? 0;
    }
    return { requests, orders, commands: this.#commands };
  }

  /** The durations of commits, in seconds. */
  get commits(): Pick<Histogram, "counts" | "quantileSince"> {
    return this.#commits;
  }

  /** Returns Prometheus' text format 0.0.4. */
  async text(): Promise<string> {
    const registries = [this.#registry, ...(this.#process ? [this.#process] : []), this.#watched];
    const texts = await Promise.all(registries.map((registry) => registry.metrics()));
    return texts.join("");
  }

  #requestSamples(): Sample[] {
    return [...this.#endpoints].flatMap(([endpoint, { byStatus }]) =>
      [...byStatus].map(([status, value]) => ({ labels: { endpoint, status }, value })),
    );
  }
}

let processRegistry: Registry | undefined;

/**
 * One registry per process, because the observer of garbage collection keeps a reference to it until the process ends.
 */
function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
