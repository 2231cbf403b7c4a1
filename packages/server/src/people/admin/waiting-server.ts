/**
 * The admin port of a node that is catching up with its cluster, which may take hours. It answers probes and /metrics,
 * so that the node is not considered dead and restarted; other requests are rejected.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { StartupProbes } from "../../cluster/catch-up/port.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { type CertificateSource, contextOf } from "../../platform/transport/tls.ts";
import { ADMIN_LIMITS } from "./connections.ts";
import { METRICS_TYPE, send, sendJson } from "./http.ts";
import { ADMIN_HOST } from "./server.ts";

const MAX_CONNECTIONS = 64;

export interface WaitingDoorOptions {
  /** 0: does not listen, because the port would be unknown. */
  readonly port: number;
  /** The program's version, for /healthz. */
  readonly version: string;
  readonly metrics: Pick<Metrics, "text">;
  /** The TLS certificates; absent: plain HTTP. */
  readonly certificates?: CertificateSource | undefined;
  /** Called if the port cannot be opened. The node continues without it. */
  readonly onTrouble: (error: Error) => void;
}

export class WaitingServer implements StartupProbes {
  readonly #options: WaitingDoorOptions;
  #why = "";
  #server: Server | undefined;

  constructor(options: WaitingDoorOptions) {
    this.#options = options;
  }

  say(why: string): void {
    this.#why = why;
    const { port, onTrouble } = this.#options;
    if (this.#server !== undefined || port === 0) return;
    this.#server = this.#make((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("error", onTrouble).listen(port, ADMIN_HOST);
  }

  close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  #make(onRequest: RequestListener): Server {
    const { certificates } = this.#options;
    const { maxHeaderBytes: maxHeaderSize, headersTimeoutMs: headersTimeout, requestTimeoutMs } = ADMIN_LIMITS;
    const limits = { maxHeaderSize, headersTimeout, requestTimeout: requestTimeoutMs };
    if (certificates === undefined) return createServer(limits, onRequest);
    const server = createTlsServer({ ...limits, handshakeTimeout: headersTimeout }, onRequest);
    certificates.follow((pair) => server.setSecureContext(contextOf(pair)));
    return server;
  }

  async #answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.shouldKeepAlive = false;
    const probe = method === "GET" ? url : undefined;
    if (probe === "/healthz") {
      sendJson(response, { status: 200, body: { alive: true, version: this.#options.version } });
    } else if (probe === "/readyz") {
      sendJson(response, { status: 503, body: { ready: false, catchUp: this.#why } });
    } else if (probe === "/metrics") {
      send(response, 200, METRICS_TYPE, await this.#options.metrics.text());
    } else {
      const message = `The node is catching up with the cluster: ${this.#why}. Try again later.`;
      sendJson(response, { status: 503, body: { error: "CATCHING_UP", message } });
    }
  }
}
