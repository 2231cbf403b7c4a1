/** Unchanged clients on a node that speaks TLS by itself: ccxt over https, `ws` over wss, and what they must not trust. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { setDefaultCACertificates } from "node:tls";
import { Authority, noOpenssl } from "@pricetime/testkit/authority";
import { ccxt, ccxt1x, connectCcxt } from "@pricetime/testkit/ccxt";
import { hmacKey } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { ApiClient } from "@pricetime/testkit/ws-client";
import { WebSocket } from "ws";

const NAME = "exchange.example.com";

interface Message {
  readonly e?: string;
  readonly x?: string;
  readonly c?: string;
}

suite("clients over TLS", { skip: noOpenssl }, () => {
  const folder = temporaryFolder();
  let exchange: Exchange;

  before(async () => {
    const authority = new Authority(folder);
    const { certFile, keyFile } = authority.issue("node", ["IP:127.0.0.1", "DNS:localhost", `DNS:${NAME}`]);
    exchange = await startExchange({ args: ["--bots", "off", "--tls-cert", certFile, "--tls-key", keyFile] });
    assert.match(exchange.rest, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.match(exchange.ws, /^wss:\/\/127\.0\.0\.1:\d+$/);
    // Before the authority is trusted, nobody goes on.
    await assert.rejects(fetch(`${exchange.rest}/api/v3/ping`));
    await assert.rejects(once(new WebSocket(`${exchange.ws}/ws/btcusdt@trade`), "open"));
    setDefaultCACertificates([authority.ca]);
  });
  after(async () => {
    assert.equal(await exchange.stop(), 0);
    rmSync(folder, { recursive: true });
  });

  for (const [name, library] of [
    ["ccxt", ccxt],
    ["ccxt 1.95", ccxt1x],
  ] as const) {
    test(`${name} trades`, async () => {
      const [alice, bob] = exchange.accounts;
      const [client, other] = [alice, bob].map((keys) => connectCcxt(library, exchange.rest, keys!));
      try {
        const placed = await client!.createOrder("BTC/USDT", "limit", "buy", 0.01, 20_000);
        assert.equal(placed.status, "open");
        const sold = await other!.createOrder("BTC/USDT", "limit", "sell", 0.01, 20_000);
        assert.equal(sold.status, "closed");
        assert.equal((await client!.fetchOrder(String(placed.id), "BTC/USDT")).status, "closed");
      } finally {
        for (const each of [client, other]) await each?.close?.();
      }
    });
  }

  test("streams, user streams and the WebSocket API share the port", async () => {
    const [alice, bob] = exchange.accounts;
    const keyed = { method: "POST", headers: { "X-MBX-APIKEY": alice!.apiKey } };
    const { listenKey } = (await (await fetch(`${exchange.rest}/api/v3/userDataStream`, keyed)).json()) as {
      readonly listenKey: string;
    };
    const heard: Message[] = [];
    const sockets = ["btcusdt@trade", listenKey].map((name) => new WebSocket(`${exchange.ws}/ws/${name}`));
    for (const socket of sockets) socket.on("message", (data) => heard.push(JSON.parse(String(data)) as Message));
    await Promise.all(sockets.map((socket) => once(socket, "open")));
    const place = async (account: typeof alice, side: string, id: string): Promise<void> => {
      const api = await ApiClient.open(exchange.ws);
      const order = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", price: "20000", quantity: "0.01" };
      const answer = await api.signed("order.place", hmacKey(account!), { ...order, newClientOrderId: id });
      assert.equal(answer.status, 200, JSON.stringify(answer));
      api.socket.close();
    };
    await place(alice, "BUY", "mine");
    await place(bob, "SELL", "theirs");
    await until("both streams tell", () =>
      ["trade", "executionReport"].every((kind) => heard.some(({ e, x }) => e === kind && (x ?? "TRADE") === "TRADE")),
    );
    for (const socket of sockets) socket.close();
  });

  test("the terminal is served, and says under a name alone that it is to be asked by TLS", async () => {
    const page = await fetch(`${exchange.rest}/`, { headers: { accept: "text/html" } });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("strict-transport-security"), null, "loopback is not pinned");
    const pinned = async (path: string, host: string): Promise<string | undefined> => {
      const asked = get(exchange.rest + path, { headers: { host, accept: "text/html" } });
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      return answer.resume().headers["strict-transport-security"];
    };
    assert.equal(await pinned("/", NAME), "max-age=2592000");
    assert.equal(await pinned("/start", NAME), "max-age=2592000");
    assert.equal(await pinned("/start", "localhost"), undefined);
    const metrics = await (await fetch(`${exchange.admin}/metrics`)).text();
    assert.match(metrics, /^pricetime_tls_handshakes_total\{outcome="done"\} [1-9]/m);
    assert.match(metrics, /^pricetime_certificate_expires_seconds\{port="clients"\} \d{10}/m);
  });
});
