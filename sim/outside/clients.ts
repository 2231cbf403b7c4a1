/** Clients that subscribe to markets and accounts. Each message is compared when it arrives. */
import type { Auditor } from "../audit/auditor.ts";
import type { AccountListener } from "../audit/streams/account.ts";
import { DepthListener } from "../audit/streams/depth.ts";
import type { Listener } from "../audit/streams/listener.ts";
import { StreamAudit } from "../audit/streams/stream-audit.ts";
import type { AuditedEntry } from "../audit/entry.ts";
import type { SimNode } from "../world/node.ts";
import type { ClientRequest } from "../world/request.ts";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import { SimConnection } from "./connection.ts";

const MOST_CONNECTIONS = 6;
const SNAPSHOT_AFTER_MS = 150;

export type Ask = (request: ClientRequest) => Promise<{ readonly status: number; readonly json: unknown }>;

interface Client {
  readonly connection: SimConnection;
  readonly listeners: readonly Listener[];
  /** The account of a user stream; undefined for a market stream. */
  readonly key?: { readonly listenKey: string; readonly accountId: number; readonly listener: AccountListener };
}

export class Clients {
  readonly audit: StreamAudit;
  readonly #auditor: Auditor;
  readonly #schedule: Schedule;
  readonly #ask: Ask;
  #clients: Client[] = [];
  opened = 0;

  constructor(auditor: Auditor, schedule: Schedule, ask: Ask) {
    this.#auditor = auditor;
    this.#schedule = schedule;
    this.#ask = ask;
    this.audit = new StreamAudit(auditor);
  }

  nodeIsGone(): void {
    for (const { connection } of this.#clients) connection.drop();
    this.#clients = [];
    this.audit.forgetAll();
  }

  entry(entry: AuditedEntry): void {
    this.audit.entry(entry);
    for (const { key } of this.#clients) {
      if (key !== undefined && this.#auditor.keys.listenKeys.get(key.accountId)?.listenKey !== key.listenKey) {
        key.listener.isOver = true;
      }
    }
  }

  quiet(): void {
    this.audit.quiet();
    for (const { connection, key } of this.#clients) {
      if (key?.listener.isOver === true && connection.isOpen) {
        this.#auditor.fail(`the key of ${key.accountId} is over, and its stream is open`);
      }
    }
  }

  /** Subscribes streams of markets, combined. */
  listen(node: SimNode, life: Life, names: readonly string[]): void {
    const listeners = new Map<string, Listener>();
    for (const name of names) {
      const listener = this.audit.ofMarket(name);
      if (listener !== undefined) listeners.set(name, listener);
    }
    if (listeners.size === 0) return;
    const message = (text: string): void => {
      const { stream, data } = JSON.parse(text) as { stream: string; data: unknown };
      const listener = listeners.get(stream);
      if (listener === undefined) this.#auditor.fail(`nobody asked for ${stream}`);
      else this.audit.message(listener, data);
    };
    const url = `/stream?streams=${[...listeners.keys()].join("/")}`;
    const connection = this.#connect(node, life, url, message, () => this.#auditor.fail(`${url} was closed`));
    this.#clients.push({ connection, listeners: [...listeners.values()] });
    for (const [name, listener] of listeners) {
      if (listener instanceof DepthListener) this.#takeSnapshot(connection, life, name, listener);
    }
  }

  /** Subscribes an account's stream, by its listen key. */
  follow(node: SimNode, life: Life, accountId: number): void {
    const key = this.#auditor.keys.listenKeys.get(accountId);
    if (key === undefined || key.expiresMs <= node.sequencer.nowMs()) return;
    const { listenKey } = key;
    const listener = this.audit.ofAccount(accountId);
    const connection = this.#connect(
      node,
      life,
      `/ws/${listenKey}`,
      (text) => this.audit.message(listener, JSON.parse(text)),
      (_code, reason) => {
        if (!listener.isOver) this.#auditor.fail(`the stream of ${accountId} was closed: ${reason}`);
      },
    );
    this.#clients.push({ connection, listeners: [listener], key: { listenKey, accountId, listener } });
  }

  hangUp(which: number, life: Life): void {
    const [client] = this.#clients.splice(which % Math.max(1, this.#clients.length), 1);
    if (client !== undefined) this.#leave(client, life);
  }

  #connect(
    node: SimNode,
    life: Life,
    url: string,
    message: (text: string) => void,
    closed: (code: number, reason: string) => void,
  ): SimConnection {
    const connection = new SimConnection({
      message: (text) => {
        if (life.alive) message(text);
      },
      closed: (code, reason) => {
        if (!life.alive) return;
        closed(code, reason);
        const client = this.#clients.find((each) => each.connection === connection);
        this.#clients = this.#clients.filter((each) => each !== client);
        if (client !== undefined) this.#leave(client, life);
      },
    });
    connection.sink = node.streams.sockets.endpointOf(url)?.accept(connection);
    this.opened++;
    if (this.#clients.length >= MOST_CONNECTIONS) this.hangUp(0, life);
    return connection;
  }

  /** The node detects the disconnect a little later, and then stops sending. */
  #leave({ connection, listeners }: Client, life: Life): void {
    connection.drop();
    for (const listener of listeners) this.audit.forget(listener);
    this.#schedule.after(0, () => connection.sink?.closed(), life);
  }

  #takeSnapshot(connection: SimConnection, life: Life, name: string, listener: DepthListener): void {
    const symbol = (name.split("@")[0] ?? "").toUpperCase();
    const request = { method: "GET", path: "/api/v3/depth", accountId: 0, isSigned: false };
    this.#schedule.after(
      SNAPSHOT_AFTER_MS,
      () => {
        void this.#ask({ ...request, parameters: { symbol, limit: "1000" } }).then(({ status, json }) => {
          if (life.alive && connection.isOpen && status === 200) listener.snapshot(json);
        });
      },
      life,
    );
  }
}
