/** Requests read by the direct reader are read exactly as by `node:http`; it leaves all others to it. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { connect, type AddressInfo } from "node:net";
import fc from "fast-check";
import { MAX_BLOCK_LENGTH, MAX_BLOCKS, OrdinaryRequests } from "../../../src/api/edge/http/ordinary-request.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const KEPT = [
  ...["accept", "accept-encoding", "content-type", "host", "origin", "x-mbx-apikey", "x-pricetime-lab"],
  ...["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"],
  ...["x-forwarded-server", "x-real-ip", "cookie", "sec-fetch-site", "user-agent", "x-pricetime-page"],
];
const MAX_HEADERS = 100;
const MAX_BODY_BYTES = 1000;
const LIMITS = { maxHeaderCount: MAX_HEADERS, maxBodyBytes: MAX_BODY_BYTES };

/**
 * Node's parser as a reference: the requests of a connection with exactly these bytes; undefined if any is rejected.
 */
const judge = createServer({ requireHostHeader: false });
let port = 0;
before(async () => {
  await new Promise<void>((done) => judge.listen(0, "127.0.0.1", done));
  ({ port } = judge.address() as AddressInfo);
});
after(() => judge.close());

function judged(bytes: string): Promise<readonly Seen[] | undefined> {
  return new Promise((done) => {
    const seen: Seen[] = [];
    let isRefused = false;
    judge.removeAllListeners("request").removeAllListeners("clientError");
    judge.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("error", () => (isRefused = true));
      request.on("end", () => {
        const headers = Object.fromEntries(
          KEPT.filter((name) => name in request.headers).map((name) => [name, request.headers[name]]),
        );
        const { method = "", url = "" } = request;
        seen.push({ method, url, headers, body: Buffer.concat(chunks).toString("latin1") });
        response.end();
      });
    });
    judge.on("clientError", (_error, socket) => {
      isRefused = true;
      socket.destroy();
    });
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes, "latin1"));
    socket.on("data", () => {}).on("error", () => {});
    socket.on("close", () => done(isRefused ? undefined : seen));
  });
}

const order = (lines: readonly string[], body = "", first = "POST /api/v3/order HTTP/1.1"): string =>
  [first, ...lines, "", body].join("\r\n");

test("ordinary requests are read", () => {
  const requests = new OrdinaryRequests(LIMITS);
  const headers = ["Host: 127.0.0.1", "X-MBX-APIKEY: abc", "User-Agent: Some Client/1.0 (x; y)"];
  for (let repeat = 0; repeat < 2; repeat++) {
    assert.deepEqual(requests.read(order([...headers, "Content-Length: 3"], "a=1")), {
      method: "POST",
      url: "/api/v3/order",
      headers: { host: "127.0.0.1", "x-mbx-apikey": "abc", "user-agent": "Some Client/1.0 (x; y)" },
      body: "a=1",
    });
    assert.deepEqual(
      requests.read(order([...headers, "connection: Keep-Alive"], "", "GET /api/v3/time?a=%20b HTTP/1.1")),
      {
        method: "GET",
        url: "/api/v3/time?a=%20b",
        headers: { host: "127.0.0.1", "x-mbx-apikey": "abc", "user-agent": "Some Client/1.0 (x; y)" },
        body: "",
      },
    );
    assert.deepEqual(requests.read(order([], "", "DELETE / HTTP/1.1")), {
      method: "DELETE",
      url: "/",
      headers: {},
      body: "",
    });
  }
});

/** Requests that are not ordinary, each for one reason. */
const DECLINED: readonly string[] = [
  "",
  "GET",
  "GET / HTTP/1.1",
  "GET / HTTP/1.1\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\n",
  order([], "", "GET / HTTP/1.0"),
  order([], "", "get / HTTP/1.1"),
  order([], "", "GET  / HTTP/1.1"),
  order([], "", "GET /  HTTP/1.1"),
  order([], "", "GET / HTTP/1.1 "),
  order([], "", "GET http://x/ HTTP/1.1"),
  order([], "", "GET /#a HTTP/1.1"),
  order([], "", "GET /\x7f HTTP/1.1"),
  order([], "", "GET /\xe9 HTTP/1.1"),
  order([], "", "HEAD / HTTP/1.1"),
  order([], "", "OPTIONS / HTTP/1.1"),
  order([], "", "CONNECT / HTTP/1.1"),
  order([], "", "PATCH / HTTP/1.1"),
  order([], "more than was announced"),
  order(["Content-Length: 2"], "a=1"),
  order([`Content-Length: ${MAX_BODY_BYTES + 1}`], "a=1"),
  order([`Content-Length: ${MAX_BODY_BYTES + 1}`], "a".repeat(MAX_BODY_BYTES + 1)),
  order(["Content-Length: 3", "Content-Length: 3"], "a=1"),
  order(["Content-Length: 3", "content-length: 3"], "a=1"),
  order(["Content-Length: +3"], "a=1"),
  order(["Content-Length: 03"], "a=1"),
  order(["Content-Length: 3, 3"], "a=1"),
  order(["Content-Length: 0x3"], "a=1"),
  order(["Content-Length:  3"], "a=1"),
  order(["Content-Length : 3"], "a=1"),
  order(["Content-Length: 3 "], "a=1"),
  order(["Content-Length:\t3"], "a=1"),
  order([" Content-Length: 3"], "a=1"),
  order(["A: b", " Content-Length: 3"], "a=1"),
  order(["A: b\nContent-Length: 3"], "a=1"),
  order(["A: b\rContent-Length: 3"], "a=1"),
  order(["A: b\0"]),
  order(["A: \xe9"]),
  order(["A:"]),
  order([": b"]),
  order(["A b"]),
  order(["A_b: c"]),
  order(["Transfer-Encoding: chunked"], "0\r\n\r\n"),
  order(["Transfer-Encoding: chunked", "Content-Length: 5"], "0\r\n\r\n"),
  order(["Connection: close"]),
  order(["Connection: keep-alive, close"]),
  order(["Connection: Upgrade", "Upgrade: websocket"]),
  order(["Upgrade: websocket"]),
  order(["Proxy-Connection: close"]),
  order(["Expect: 100-continue", "Content-Length: 3"], "a=1"),
  order(["X-MBX-APIKEY: a", "X-MBX-APIKEY: b"]),
  order(["Host: a", "host: b"]),
  order([], order([])),
  order(Array.from({ length: MAX_HEADERS + 1 }, (_, i) => `A${i}: b`)),
];

test("all other requests are declined", () => {
  const requests = new OrdinaryRequests(LIMITS);
  for (let repeat = 0; repeat < 2; repeat++) {
    for (const bytes of DECLINED) assert.equal(requests.read(bytes), null, JSON.stringify(bytes));
  }
});

test("an incomplete body is waited for, an incomplete head never", () => {
  const requests = new OrdinaryRequests(LIMITS);
  for (let repeat = 0; repeat < 2; repeat++) {
    const whole = order(["Content-Length: 7"], "a=1&b=2");
    const head = whole.length - 7;
    for (let cut = 0; cut < whole.length; cut++) {
      assert.equal(requests.read(whole.slice(0, cut)), cut < head ? null : whole.length - cut, `cut at ${cut}`);
    }
    assert.equal(requests.read(order([`Content-Length: ${MAX_BODY_BYTES}`])), MAX_BODY_BYTES);
  }
});

const keyIn = (read: ReturnType<OrdinaryRequests["read"]>): unknown =>
  typeof read === "object" ? read?.headers["x-mbx-apikey"] : undefined;

test("header blocks are cached up to a limit, each by its own text", () => {
  const requests = new OrdinaryRequests(LIMITS);
  for (let i = 0; i < 10_000; i++) {
    assert.equal(keyIn(requests.read(order([`X-MBX-APIKEY: key${i}`]))), `key${i}`);
    assert.equal(keyIn(requests.read(order(["X-MBX-APIKEY: key0"]))), "key0");
  }
  assert.equal(requests.remembered, MAX_BLOCKS);
});

test("a long block is read, but not cached", () => {
  const requests = new OrdinaryRequests(LIMITS);
  const before = requests.remembered;
  const long = order(["X-MBX-APIKEY: abc", `Cookie: ${"c".repeat(MAX_BLOCK_LENGTH)}`]);
  assert.equal(keyIn(requests.read(long)), "abc");
  assert.equal(requests.remembered, before);
});

const oddity = fc.constantFrom(
  ...[
    "\r",
    "\n",
    "\r\n",
    "\r\n\r\n",
    " ",
    "\t",
    ":",
    "\0",
    "\x7f",
    "\xe9",
    "#",
    "?",
    "/",
    ",",
    ";",
    "0",
    "chunked",
    "HTTP/1.1",
  ],
);
const headerName = fc.constantFrom(
  ...["Host", "X-MBX-APIKEY", "Content-Type", "content-length", "Content-Length", "Transfer-Encoding", "Connection"],
  ...[
    "Upgrade",
    "Expect",
    "Accept-Encoding",
    "Origin",
    "X-Forwarded-For",
    "Cookie",
    "X_A",
    "Proxy-Connection",
    "TE",
    "Trailer",
  ],
);
const headerValue = fc.oneof(
  fc.constantFrom(
    "3",
    "0",
    "5",
    "chunked",
    "keep-alive",
    "close",
    "websocket",
    "100-continue",
    "gzip",
    "a b",
    "",
    " a",
    "a ",
  ),
  fc.string({ unit: "binary-ascii", maxLength: 6 }),
);
const line = fc
  .tuple(headerName, fc.constantFrom(": ", ":", ":  ", " :", ":\t"), headerValue)
  .map((parts) => parts.join(""));
const requestLine = fc
  .tuple(
    fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "get", "GETS"),
    fc.constantFrom(" ", " ", " ", "  ", "\t"),
    fc.oneof(
      fc.constantFrom("/", "/api/v3/order", "/a?b=c&d=%20", "*", "a:1"),
      fc.string({ unit: "binary-ascii", maxLength: 8 }),
    ),
    fc.constantFrom(" HTTP/1.1", " HTTP/1.1", " HTTP/1.1", " HTTP/1.0", "", " HTTP/1.1 "),
  )
  .map((parts) => parts.join(""));
const ordinaryLine = fc.constantFrom(
  "Host: x",
  "X-MBX-APIKEY: abc",
  "Content-Length: 3",
  "Origin: http://a",
  "Accept: */*",
);
const bytes = fc
  .record({
    first: fc.oneof({ weight: 3, arbitrary: fc.constantFrom("GET / HTTP/1.1", "POST /a?b HTTP/1.1") }, requestLine),
    lines: fc.array(fc.oneof({ weight: 4, arbitrary: ordinaryLine }, line), { maxLength: 3 }),
    body: fc.constantFrom("", "a=1", "0\r\n\r\n", "\xe9\0\r", "GET / HTTP/1.1\r\n\r\n"),
    tellsLength: fc.boolean(),
    odd: fc.option(fc.tuple(oddity, fc.double({ min: 0, max: 1, noNaN: true })), { freq: 2 }),
  })
  .map(({ first, lines, body, tellsLength, odd }) => {
    const text = order(tellsLength ? [...lines, `Content-Length: ${body.length}`] : lines, body, first);
    if (odd === null) return text;
    const at = Math.floor(odd[1] * text.length);
    return text.slice(0, at) + odd[0] + text.slice(at);
  });

test("for any bytes, the direct reader reads exactly what node:http reads, or nothing", async () => {
  const requests = new OrdinaryRequests(LIMITS);
  let read = 0;
  await fc.assert(
    fc.asyncProperty(bytes, async (text) => {
      const ours = requests.read(text);
      if (ours === null || typeof ours === "number") return;
      read++;
      assert.deepEqual(await judged(text), [ours]);
    }),
    { numRuns: 10_000 },
  );
  assert.ok(read > 500, `only ${read} of them were ordinary`);
});
