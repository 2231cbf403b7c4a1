/** The proxy that stands in where there is no HAProxy, before nodes that are made up. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { SmallProxy, type Upstream } from "../../cluster/proxy/small.ts";

/** Its clients' port answers with its name; `status` is what `/readyz` says. */
class MadeUpNode {
  status = 200;
  posts = 0;
  readonly name: string;
  readonly #clients: Server;
  readonly #admin: Server;

  constructor(name: string) {
    this.name = name;
    this.#clients = createServer((request, response) => {
      if (request.method === "POST") this.posts += 1;
      if (request.url === "/never") return;
      response.end(name);
    });
    this.#clients.on("upgrade", (_, socket: Socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
      socket.pipe(socket);
    });
    this.#admin = createServer((_, response) => void response.writeHead(this.status).end());
  }

  async listen(): Promise<Upstream> {
    const [port, admin] = await Promise.all([this.#clients, this.#admin].map((server) => listening(server)));
    return { name: this.name, host: "127.0.0.1", port: port ?? 0, admin: `http://127.0.0.1:${admin}` };
  }

  /** As a process that is killed. */
  kill(): void {
    for (const server of [this.#clients, this.#admin]) {
      server.close();
      server.closeAllConnections();
    }
  }
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as { readonly port: number }).port;
}

async function venue(t: TestContext, names: readonly string[]): Promise<{ url: string; nodes: MadeUpNode[] }> {
  const nodes = names.map((name) => new MadeUpNode(name));
  const proxy = new SmallProxy(await Promise.all(nodes.map((node) => node.listen())));
  inTheEnd(t, () => {
    proxy.close();
    for (const node of nodes) node.kill();
  });
  return { url: `http://127.0.0.1:${await proxy.listen("127.0.0.1", 0)}`, nodes };
}

/** Over a connection of its own. */
async function ask(url: string, path = "/"): Promise<string> {
  return (await fetch(url + path, { headers: { connection: "close" } })).text();
}

const SEVERAL = 6;

/** The names of those that answer; a connection that is ended meanwhile names nobody. */
async function answering(url: string): Promise<string> {
  const asked = Array.from({ length: SEVERAL }, () => ask(url).catch(() => "nobody"));
  return [...new Set(await Promise.all(asked))].sort().join();
}

const untilAnswered = (url: string, names: string): Promise<string> =>
  untilAnswer(
    `${names} answer`,
    () => answering(url),
    (answered) => answered === names,
    { withinMs: 5000 },
  );

test("clients are spread over the nodes that are ready", async (t) => {
  const { url, nodes } = await venue(t, ["a", "b"]);
  assert.equal(await answering(url), "a,b");
  const [a] = nodes;
  assert.ok(a);
  a.status = 503;
  await untilAnswered(url, "b");
  a.status = 200;
  await untilAnswered(url, "a,b");
});

test("a node that was killed a moment ago costs no client its request", async (t) => {
  const { url, nodes } = await venue(t, ["a", "b"]);
  nodes[0]?.kill();
  assert.equal(await answering(url), "b");
});

test("a request that was sent is never sent again: its client sees the connection end", async (t) => {
  const { url, nodes } = await venue(t, ["a", "b"]);
  const asked = fetch(`${url}/never`, { method: "POST", body: "1" }).then(
    () => "answered",
    () => "ended",
  );
  await until("a node has it", () => nodes.some(({ posts }) => posts === 1));
  nodes.find(({ posts }) => posts === 1)?.kill();
  assert.equal(await asked, "ended");
  assert.equal(nodes[0]!.posts + nodes[1]!.posts, 1);
});

test("WebSockets are carried, and end when their node is no longer ready", async (t) => {
  const { url, nodes } = await venue(t, ["a", "b"]);
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
  inTheEnd(t, () => socket.destroy());
  let heard = "";
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  const closed = once(socket, "close");
  socket.write("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
  await until("it is upgraded", () => heard.includes("101"));
  socket.write("word");
  await until("it comes back", () => heard.endsWith("word"));
  for (const node of nodes) node.status = 503;
  await closed;
});

test("where no node is ready, those that live answer", async (t) => {
  const { url, nodes } = await venue(t, ["a", "b"]);
  for (const node of nodes) node.status = 503;
  await untilAnswered(url, "a,b");
  nodes[0]?.kill();
  await untilAnswered(url, "b");
});
