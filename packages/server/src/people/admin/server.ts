/**
 * The admin API over HTTP, on loopback, with /healthz, /readyz and /metrics. Requests and answers are JSON. Every
 * request except those three and signing in needs the admin token or an operator's session token. With the admin token,
 * `X-Pricetime-User` names the author. The list of routes is public, at /openapi.json and /docs.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { RejectReason } from "@pricetime/engine";
import type { Health } from "../../platform/observe/health.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { PacedServer, PacedSocket } from "../../platform/transport/http.ts";
import { type CertificateSource, TlsListener } from "../../platform/transport/tls.ts";
import type { Web } from "../../api/web/file.ts";
import type { World } from "../../platform/world/port.ts";
import { ActRefused } from "../../funds/wallet/port.ts";
import { actorOf, ALL_RIGHTS, type Caller, callerOf, isAllowed, OperatorSessions } from "./operator.ts";
import { RouteTable } from "../http/route-table.ts";
import { type Answer, badRequest, Rejection } from "../http/answer.ts";
import { failureOf } from "./rejections.ts";
import {
  isFromOwnPage,
  isVisit,
  JSON_TYPE,
  METRICS_TYPE,
  OwnHosts,
  readBytes,
  readJson,
  send,
  sendFile,
  sendJson,
  sendStream,
} from "./http.ts";
import { ADMIN_LIMITS, AdminConnections, type AdminLimits } from "./connections.ts";
import { type AdminNode, refusalFor } from "./node.ts";
import { adminDocument } from "./openapi.ts";
import { DEPRECATED_ROUTES, DEPRECATION_HEADERS, type DeprecatedRoute, inOldWords } from "./deprecated-names.ts";
import { type AdminRequest, type AdminRoute, foundOr, LAB_PATH } from "./router.ts";
import { shownScope } from "./venue-routes.ts";
import { adminRoutes } from "./routes.ts";

export { adminRoutes } from "./routes.ts";

const UNKNOWN_HOST = new Rejection(
  403,
  "UNKNOWN_HOST",
  "The Host header is not allowed. Use localhost, 127.0.0.1 or [::1], or add the name to the setting admin.hosts.",
);

const FOREIGN_ORIGIN = new Rejection(
  403,
  "FOREIGN_ORIGIN",
  "The request comes from a page of another site or port. A proxy in front of this port must forward the Host header.",
);

const UNAUTHORIZED = new Rejection(
  401,
  "UNAUTHORIZED",
  "The token is missing or wrong, or the session has ended. Sign in again.",
);

const NOT_TLS = JSON.stringify({ error: "NOT_TLS", message: "This port requires TLS. Use https." });
/** The response to a plaintext request on a TLS port. */
const IN_CLEAR =
  `HTTP/1.1 400 Bad Request\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${NOT_TLS.length}\r\n` +
  `Connection: close\r\n\r\n${NOT_TLS}`;

type OnGone = NonNullable<AdminRequest["onGone"]>;

/** A request with its parsed target and its caller. */
interface RoutedRequest {
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly onGone: OnGone;
}

export const ADMIN_HOST = "127.0.0.1";

export interface AdminServerParts {
  readonly node: AdminNode;
  readonly token: string;
  /** The token of other nodes, for the routes marked `isForNodes`; absent on a single node. */
  readonly nodeToken?: string | undefined;
  /** Host names allowed in addition to loopback. */
  readonly hosts?: readonly string[];
  readonly health: Pick<Health, "faults" | "networks" | "warnings" | "roles">;
  readonly metrics: Pick<Metrics, "text">;
  readonly log: Pick<Logger, "info" | "error">;
  /** The program's version, for /healthz. */
  readonly version: string;
  /** The console's pages; absent: none are served. */
  readonly web?: Web;
  /** Overrides of `ADMIN_LIMITS`. */
  readonly limits?: Partial<AdminLimits>;
  /** The lab routes; absent if the node is not a lab. */
  readonly lab?: LabAccess | undefined;
  /** The TLS certificates; absent: plain HTTP. */
  readonly certificates?: CertificateSource | undefined;
  /** The clock and timers of sockets; default: the node's. */
  readonly machine?: World | undefined;
}

export interface LabAccess {
  readonly routes: readonly AdminRoute[];
  /** Resolves when a request to this path may be handled. */
  readonly admit: (path: string) => Promise<void>;
}

/** Paths that need no token, because their answer contains one. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/v1/sign-in", "/v1/accept-invitation"]);
/** The admin port checks all operator rights, and also has routes that need no right. */
export const ADMIN_PORT = { grants: ["nothing", ...ALL_RIGHTS] };
const NO_LAB = new Rejection(404, "NO_LAB", "This node is not a lab. Start one with --lab.");

export class AdminServer {
  #parts: AdminServerParts;
  #mounted: Mounted;
  readonly #server: PacedServer;
  /** Absent without TLS. */
  readonly #tls: TlsListener | undefined;
  readonly #hosts: OwnHosts;
  readonly #connections: AdminConnections;
  #sessions: OperatorSessions;
  /** The metrics text that is being collected; simultaneous requests share it. */
  #metricsText: Promise<string> | undefined;
  /** The OpenAPI document as JSON, created at the first request. */
  #document: string | undefined;
  /** Deprecated routes requested since the start. Each is logged only once. */
  readonly #deprecatedUsed = new Set<DeprecatedRoute>();

  constructor(parts: AdminServerParts) {
    const { node } = parts;
    const limits = { ...ADMIN_LIMITS, ...parts.limits };
    this.#parts = parts;
    this.#mounted = mount(parts);
    const machine = parts.machine ?? node.world;
    this.#hosts = new OwnHosts(parts.hosts ?? []);
    this.#sessions = sessionsOf(parts);
    this.#connections = new AdminConnections(limits, machine);
    const nodeOptions = {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
    };
    const handOver = (socket: Socket): void =>
      this.#server.handOver(new PacedSocket(socket, { soon: machine.soon, sliceBytes: limits.maxBytesATurn }));
    const { certificates } = parts;
    this.#tls =
      certificates &&
      new TlsListener({
        certificates,
        handshakeTimeoutMs: limits.headersTimeoutMs,
        timers: machine,
        accept: (secure, connection) => {
          this.#connections.secured(connection, secure);
          handOver(secure);
        },
        inClear: (connection) => connection.end(IN_CLEAR, () => connection.destroy()),
      });
    this.#server = new PacedServer(nodeOptions, (socket) => {
      this.#connections.opened(socket);
      if (this.#tls === undefined) handOver(socket);
      else this.#tls.admit(socket);
    });
    this.#server.on("request", (request, response) => this.#inTurn(request, response));
  }

  /** Listens on loopback; port 0 selects a free one. Resolves to the port; rejects if it is in use. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, ADMIN_HOST, () => {
        this.#server.off("error", reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Replaces the node behind the port. Port and token stay the same. */
  attach(parts: AdminServerParts): void {
    this.#parts = parts;
    this.#mounted = mount(parts);
    this.#sessions = sessionsOf(parts);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
      this.#tls?.closeShaking();
    });
  }

  #inTurn(request: IncomingMessage, response: ServerResponse): void {
    const paced = request.socket as unknown as PacedSocket;
    this.#connections.asked(paced.raw);
    paced.inTurn(request, response, () => void this.#onRequest(request, response, paced.raw));
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse, socket: Socket): Promise<void> {
    const caller = this.#callerOf(request, socket);
    const isProven = caller.kind !== "stranger" && this.#connections.isOperator(socket);
    const onGone: OnGone = (task) => whenGone(socket, response, task);
    // A connection without a valid token gets only one answer.
    if (!isProven) response.shouldKeepAlive = false;
    try {
      if (!this.#hosts.has(request.headers.host)) throw UNKNOWN_HOST;
      const isStrange = !isFromOwnPage(request.headers);
      if (isStrange && !isVisit(request.headers)) throw FOREIGN_ORIGIN;
      const { pathname, searchParams } = targetOf(request);
      if (pathname === "/metrics" && request.method === "GET") {
        send(response, 200, METRICS_TYPE, await this.#metrics());
      } else if (!(await this.#sendPage(request, response, pathname))) {
        if (isStrange) throw FOREIGN_ORIGIN;
        await this.#send(
          response,
          this.#probe(request, pathname) ??
            (await this.#handle(request, { pathname, query: searchParams, caller, onGone })),
        );
      }
    } catch (error) {
      sendJson(response, failureOf(explained(error), this.#parts.log));
    }
    if (!isProven) this.#connections.answered(socket);
  }

  #callerOf(request: IncomingMessage, socket: Socket): Caller {
    const { view, sequencer } = this.#parts.node;
    return callerOf(request, socket.remoteAddress ?? "", this.#parts, {
      view,
      sessions: this.#sessions,
      isTls: this.#tls !== undefined,
      nowMs: () => sequencer.nowMs(),
      endIdle: (name, sessionId) => {
        // The result is ignored: a rejection means that the session has already ended.
        sequencer.submit({ type: "closeSession", by: `operator:${name}`, sessionId }, () => {});
      },
    });
  }

  async #send(response: ServerResponse, answer: Answer): Promise<void> {
    const { stream } = answer;
    if (stream === undefined) {
      sendJson(response, answer);
      return;
    }
    try {
      await sendStream(response, { ...answer, stream }, this.#parts.machine ?? this.#parts.node.world);
    } catch (error) {
      this.#parts.log.error({ err: error }, "admin response aborted");
      response.destroy();
    }
  }

  /** Sends the OpenAPI document or a page. Resolves to false if the path is neither. */
  async #sendPage({ method, headers }: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean> {
    if (method !== "GET" && method !== "HEAD") return false;
    if (pathname === "/openapi.json") {
      this.#document ??= JSON.stringify(adminDocument(this.#mounted.now.routes, this.#parts.web?.version ?? "0"));
      send(response, 200, JSON_TYPE, this.#document);
      return true;
    }
    const file = await this.#parts.web?.find(pathname, { accept: headers.accept, isOnOwnMachine: true });
    if (file !== undefined) sendFile(response, file, headers["accept-encoding"]);
    return file !== undefined;
  }

  #metrics(): Promise<string> {
    this.#metricsText ??= this.#parts.metrics.text().finally(() => (this.#metricsText = undefined));
    return this.#metricsText;
  }

  /** Answers the probes of a load balancer. */
  #probe({ method }: IncomingMessage, pathname: string): Answer | null {
    if (method !== "GET") return null;
    if (pathname === "/healthz") return { status: 200, body: { alive: true, version: this.#parts.version } };
    if (pathname !== "/readyz") return null;
    const faults = this.#parts.health.faults();
    const ready = Object.keys(faults).length === 0;
    const { health, node } = this.#parts;
    const suspensions = Object.fromEntries(
      Array.from(node.view.venue.stops(), ({ scope, why }) => [shownScope(scope), why]),
    );
    const said = notEmpty({
      ...{ networks: health.networks(), tasks: health.roles(), warnings: withOldKey(health.warnings()) },
      suspensions,
    });
    const { interface: name, orderIds } = node.view;
    return { status: ready ? 200 : 503, body: { ready, interface: name, orderIds, ...faults, ...said } };
  }

  async #handle(request: IncomingMessage, { pathname, query, caller, onGone }: RoutedRequest): Promise<Answer> {
    const { log, lab } = this.#parts;
    const { method = "" } = request;
    if (caller.kind === "stranger" && !OPEN_PATHS.has(pathname)) throw UNAUTHORIZED;
    if (lab === undefined && pathname.startsWith(LAB_PATH)) throw NO_LAB;
    const { route, path, deprecated } = this.#find(method, pathname);
    if (deprecated !== undefined) this.#noteDeprecated(deprecated);
    const by = actorOf(request, caller);
    const told = { by, method, path: pathname };
    try {
      admit(caller, route);
      const { maxBytes } = route;
      const body = maxBytes === undefined ? await readJson(request) : await readBytes(request, maxBytes);
      await lab?.admit(pathname);
      const answer = await route.handle({ path, search: query, body, by, caller, onGone });
      if (method !== "GET") log.info({ ...told, status: answer.status }, "admin request");
      return deprecated === undefined ? answer : withDeprecation(answer);
    } catch (error) {
      const refused = error instanceof Rejection ? error.code : undefined;
      if (method !== "GET" && refused !== undefined) log.info({ ...told, refused }, "admin request");
      if (deprecated === undefined) throw error;
      return withDeprecation(inOldWords(deprecated, failureOf(explained(error), log)));
    }
  }

  /** Finds the route of a request. Throws `Rejection` 404 for an unknown path, 405 for another method. */
  #find(
    method: string,
    pathname: string,
  ): { route: AdminRoute; path: AdminRequest["path"]; deprecated?: DeprecatedRoute } {
    const { old, now } = this.#mounted;
    const found = old.find(method, pathname);
    if (typeof found !== "string") return { ...found, deprecated: found.route.deprecated };
    return foundOr(now.find(method, pathname), method);
  }

  #noteDeprecated(deprecated: DeprecatedRoute): void {
    if (this.#deprecatedUsed.has(deprecated)) return;
    this.#deprecatedUsed.add(deprecated);
    const { method, pattern, now } = deprecated;
    this.#parts.log.info({ method, path: pattern, use: now }, "deprecated admin route requested");
  }
}

const withDeprecation = (answer: Answer): Answer => ({
  ...answer,
  headers: [...(answer.headers ?? []), ...DEPRECATION_HEADERS],
});

/**
 * Calls `task` if the client closes its side of the connection, or the connection breaks, before the answer is written.
 */
function whenGone(socket: Socket, response: ServerResponse, task: () => void): void {
  const stop = (): void => void socket.off("end", gone).off("close", gone);
  const gone = (): void => {
    stop();
    if (!response.writableEnded) task();
  };
  socket.on("end", gone).on("close", gone);
  response.once("finish", stop);
}

interface Mounted {
  readonly now: RouteTable<AdminRoute>;
  /** The routes with deprecated paths. */
  readonly old: RouteTable<AdminRoute & { readonly deprecated: DeprecatedRoute }>;
}

function mount({ node, lab }: AdminServerParts): Mounted {
  const routes = [...adminRoutes(node), ...(lab?.routes ?? [])];
  const old = DEPRECATED_ROUTES.flatMap((deprecated) => {
    const route = routes.find(({ method, pattern }) => method === deprecated.method && pattern === deprecated.now);
    return route === undefined ? [] : [{ ...route, pattern: deprecated.pattern, deprecated }];
  });
  return { now: new RouteTable(routes, ADMIN_PORT), old: new RouteTable(old, ADMIN_PORT) };
}

/** Rejects a request target that contains a host, because hosts and origins are checked by the Host header. */
function targetOf({ url = "/" }: IncomingMessage): URL {
  if (!url.startsWith("/") || url.startsWith("//")) throw badRequest("The request target must be a path.");
  try {
    return new URL(url, "http://admin");
  } catch (error) {
    throw badRequest(`The request target is not a valid path: ${(error as Error).message}`);
  }
}

/** Throws `Rejection`: 401 without a valid token, 403 if the role lacks the right. */
function admit(caller: Caller, { needs: need, isForNodes }: AdminRoute): void {
  if (caller.kind === "node" && isForNodes === true) return;
  if (isAllowed(caller, need)) return;
  if (caller.kind !== "operator") throw UNAUTHORIZED;
  const why =
    need === "token"
      ? "This requires the admin token."
      : `This requires the right ${need}, which the role ${caller.role} does not have.`;
  throw new Rejection(403, "NOT_PERMITTED", why);
}

/** Reject reasons on manual networks with the same message as for all other actions. */
const EXPLAINED: ReadonlySet<RejectReason> = new Set(["NOT_PERMITTED", "NEEDS_TWO", "DEPOSIT_NOT_A_MULTIPLE"]);

function explained(error: unknown): unknown {
  const isExplained = error instanceof ActRefused && EXPLAINED.has(error.reason);
  return isExplained ? refusalFor(error.reason, error.command) : error;
}

const sessionsOf = ({ node }: AdminServerParts): OperatorSessions => new OperatorSessions(node.watch.startedMs);

/** Adds the warning's key of release 0.2.0, which named the outbox `mail`. Remove it in release 0.4.0. */
function withOldKey(warnings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { email } = warnings;
  return email === undefined ? warnings : { ...warnings, mail: email };
}

/** Omits the lists that are empty. */
function notEmpty(lists: Readonly<Record<string, Readonly<Record<string, string>>>>): object {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => Object.keys(list).length > 0));
}
