/** The terminal's access to a lab: who has it, and what it permits. Against the real program. */
import assert from "node:assert/strict";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

const TOKEN_HEADER = "X-Pricetime-Lab";

let lab: Exchange;
let token: string;
let own: string;
before(async () => {
  lab = await startExchange({ args: ["--lab", "--clock", "manual", "--bots", "off"], dataFolder: temporaryFolder() });
  own = new URL(lab.rest).host;
  token = (await told(lab)) ?? "";
});
after(() => lab.kill());

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly json: Readonly<Record<string, unknown>>;
}

/** With only these headers, which `fetch` would not send. */
function ask(node: Exchange, path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
  const { port } = new URL(node.rest);
  const text = body === undefined ? "" : JSON.stringify(body);
  const length = { "Content-Length": String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { port, host: "127.0.0.1", path, method, headers: { ...length, ...headers } },
      (answer) => {
        let received = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (received += part));
        answer.on("end", () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            json: JSON.parse(received) as Answer["json"],
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

async function told(node: Exchange, headers: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const { json } = await ask(node, "/terminal.json", { headers });
  return (json["lab"] as { readonly token?: string } | undefined)?.token;
}

const page = (): Record<string, string> => ({ Host: own, Origin: `http://${own}`, [TOKEN_HEADER]: token });

test("the page of the own machine reads the clock and moves it", async () => {
  const first = await ask(lab, "/lab/clock", { headers: { Host: own, [TOKEN_HEADER]: token } });
  assert.equal(first.status, 200);
  assert.equal(first.json["mode"], "manual");
  const nowMs = Number(first.json["nowMs"]);
  const moved = await ask(lab, "/lab/clock/advance", { method: "POST", headers: page(), body: { ms: 60_000 } });
  assert.deepEqual([moved.status, moved.json["nowMs"]], [200, nowMs + 60_000]);
  const time = await ask(lab, "/api/v3/time", { headers: { Host: own } });
  assert.equal(time.json["serverTime"], nowMs + 60_000);
  // Requests with `TE` are read by node:http.
  const other = await ask(lab, "/lab/clock", { headers: { ...page(), TE: "gzip" } });
  assert.equal(other.json["nowMs"], nowMs + 60_000);
});

test("it refuses as the admin port does, in words", async () => {
  const refused = async (body: unknown, path = "/lab/clock/advance", method = "POST"): Promise<readonly unknown[]> => {
    const { status, json } = await ask(lab, path, { method, headers: page(), body });
    assert.equal(typeof json["message"], "string");
    return [status, json["error"]];
  };
  assert.deepEqual(await refused({ ms: -1 }), [400, "BAD_REQUEST"]);
  assert.deepEqual(await refused({ toMs: 1 }), [409, "TIME_GOES_BACK"]);
  assert.deepEqual(await refused({}, "/lab/nothing"), [404, "UNKNOWN_PATH"]);
  assert.deepEqual(await refused({}, "/lab/clock/advance", "PUT"), [405, "METHOD_NOT_ALLOWED"]);
  for (const method of ["GET", "POST"]) {
    assert.deepEqual(await refused(undefined, "/lab/checkpoints/any/file", method), [404, "NOT_HERE"]);
  }
  const broken = await fetch(`${lab.rest}/lab/clock`, { method: "POST", headers: pageHeaders(), body: "{" });
  assert.deepEqual([broken.status, ((await broken.json()) as { error: string }).error], [400, "BAD_REQUEST"]);
});

const pageHeaders = (): Record<string, string> => ({ Origin: `http://${own}`, [TOKEN_HEADER]: token });

test("it is read by no other site, kept by nobody, and costs no client its limits", async () => {
  const { headers } = await ask(lab, "/lab/clock", { headers: page() });
  assert.equal(headers["access-control-allow-origin"], undefined);
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
  assert.equal(headers["cache-control"], "no-store");
  const used = async (): Promise<number> =>
    Number((await ask(lab, "/api/v3/ping", { headers: { Host: own } })).headers["x-mbx-used-weight-1m"]);
  const before = await used();
  for (let n = 0; n < 5; n++) await ask(lab, "/lab/clock", { headers: page() });
  assert.equal(await used(), before + 1);
});

test("to all others there is no such address, and the clock stands", async () => {
  const nowMs = (await ask(lab, "/lab/clock", { headers: page() })).json["nowMs"];
  const with_ = (headers: Readonly<Record<string, string>>): Record<string, string> => ({ ...page(), ...headers });
  const others: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["no token", { Host: own, Origin: `http://${own}` }],
    ["another token", with_({ [TOKEN_HEADER]: token.replace(/^./, (letter) => (letter === "a" ? "b" : "a")) })],
    ["an empty one", with_({ [TOKEN_HEADER]: "" })],
    ["a page of another site", with_({ Origin: "https://evil.example.com" })],
    ["another port's page of this machine", with_({ Origin: "http://127.0.0.1:1" })],
    ["a page without an origin", with_({ Origin: "null" })],
    ["no origin at all", { Host: own, [TOKEN_HEADER]: token }],
    ["a name led to loopback", with_({ Host: "rebound.example.com", Origin: "http://rebound.example.com" })],
    ["a proxy", with_({ "X-Forwarded-For": "203.0.113.9" })],
    ["a proxy that says who it is", with_({ Via: "1.1 proxy" })],
  ];
  for (const [who, headers] of others) {
    for (const te of [{}, { TE: "gzip" }]) {
      const asked = { method: "POST", headers: { ...headers, ...te }, body: { ms: 1000 } };
      const { status, json } = await ask(lab, "/lab/clock/advance", asked);
      assert.deepEqual([status, json["error"], typeof json["code"]], [404, undefined, "number"], who);
    }
  }
  const preflight = await fetch(`${lab.rest}/lab/clock`, {
    method: "OPTIONS",
    headers: { Origin: "https://evil.example.com", "Access-Control-Request-Headers": TOKEN_HEADER },
  });
  assert.doesNotMatch(preflight.headers.get("access-control-allow-headers") ?? "", /lab/i);
  assert.equal((await ask(lab, "/lab/clock", { headers: page() })).json["nowMs"], nowMs);
});

test("the token is told under the conditions of a demo's keys alone", async () => {
  for (const headers of [
    { Host: "rebound.example.com" },
    { Host: "localhost", "X-Forwarded-For": "203.0.113.9" },
    { Host: "localhost", Via: "1.1 proxy" },
  ]) {
    assert.equal(await told(lab, headers), undefined, JSON.stringify(headers));
  }
  assert.equal(await told(lab, { Host: "localhost" }), token);
  assert.match(token, /^[A-Za-z0-9]{64}$/);
});

test("a node that is no lab tells no token and has no such address, whatever one sends", async () => {
  const node = await startExchange({ args: ["--bots", "off"] });
  try {
    assert.equal(await told(node), undefined);
    const host = new URL(node.rest).host;
    for (const sent of [token, "undefined", "null", ""]) {
      const headers = { Host: host, Origin: `http://${host}`, [TOKEN_HEADER]: sent };
      const { status, json } = await ask(node, "/lab/clock", { method: "POST", headers, body: { mode: "manual" } });
      assert.deepEqual([status, typeof json["code"]], [404, "number"]);
    }
  } finally {
    await node.kill();
  }
});
