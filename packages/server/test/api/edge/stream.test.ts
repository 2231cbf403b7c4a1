/** Responses of unknown length, by both readers: complete, as fast as they are read, reset on errors. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { EchoSink, get, startEdge } from "@pricetime/testkit/echo-edge";
import { until } from "@pricetime/testkit/waiting";
import type { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../src/api/edge/limits.ts";
import type { GatewayRequest, Replier } from "../../../src/api/edge/request.ts";

/** A request with this header is read by `node:http`. */
const LANES = { direct: "", node: "Expect: 100-continue\r\n" } as const;
const PIECE = Buffer.alloc(64 * 1024, "x");
/** More than the system buffers for a client that does not read. */
const ENDLESS = 100_000;

class StreamSink extends EchoSink {
  made = 0;
  ended = 0;

  override process(request: GatewayRequest, replier: Replier): void {
    if (request.path === "/echo") super.process(request, replier);
    else
      replier.reply({
        status: 200,
        headers: [],
        body: "",
        contentType: "text/csv",
        stream: this.#pieces(request.path),
      });
  }

  async *#pieces(path: string): AsyncGenerator<Buffer> {
    try {
      for (const text of ["one,", "", "two\n"]) {
        this.made++;
        yield Buffer.from(text);
      }
      if (path === "/fails") throw new Error("it fails");
      if (path === "/endless") {
        for (let n = 0; n < ENDLESS; n++) {
          this.made++;
          yield PIECE;
        }
      }
    } finally {
      this.ended++;
    }
  }
}

interface Started {
  readonly edge: HttpEdge;
  readonly sink: StreamSink;
  readonly port: number;
}

async function start(t: TestContext, limits: Partial<HttpLimits> = {}): Promise<Started> {
  const sink = new StreamSink();
  const edge = startEdge(sink, { ...DEFAULT_HTTP_LIMITS, ...limits });
  const port = await edge.listen("127.0.0.1", 0);
  t.after(() => edge.close());
  return { edge, sink, port };
}

/** Sends, and collects the response until the other side closes or resets. */
function client(port: number, text: string): { socket: Socket; text: () => string; ended: Promise<"end" | "reset"> } {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  const ended = new Promise<"end" | "reset">((resolve) => {
    socket.once("end", () => resolve("end"));
    socket.once("error", () => resolve("reset"));
  });
  socket.write(text);
  return { socket, text: () => received, ended };
}

for (const [lane, header] of Object.entries(LANES)) {
  test(`${lane}: a stream is complete, and the connection continues`, async (t) => {
    const { edge, sink, port } = await start(t);
    const { socket, text } = client(port, get("/stream", header));
    await until("the whole stream", () => text().endsWith("0\r\n\r\n"));
    assert.match(text(), /HTTP\/1\.1 200 OK\r\n/);
    assert.match(text(), /\r\nContent-Type: text\/csv\r\n/);
    assert.match(text(), /\r\nTransfer-Encoding: chunked\r\n/);
    assert.doesNotMatch(text(), /Content-Length/);
    assert.ok(text().endsWith("\r\n\r\n4\r\none,\r\n4\r\ntwo\n\r\n0\r\n\r\n"), text());
    socket.write(get("/echo"));
    await until("the next answer", () => text().includes('"path":"/echo"'));
    assert.deepEqual([edge.inFlight, sink.ended, edge.requestsByLane[lane as "direct"] > 0], [0, 1, true]);
    socket.destroy();
  });

  test(`${lane}: a stream that fails is reset, so that it does not appear complete`, async (t) => {
    const { edge, port } = await start(t);
    const { text, ended } = client(port, get("/fails", header));
    assert.equal(await ended, "reset");
    assert.ok(!text().endsWith("0\r\n\r\n"));
    assert.equal(edge.inFlight, 0);
  });

  test(`${lane}: a client that does not read is waited for, and one that disconnects ends the stream`, async (t) => {
    const { edge, sink, port } = await start(t);
    const { socket } = client(port, get("/endless", header));
    socket.pause();
    let before = -1;
    await until("nothing more is made", async () => {
      const made = sink.made;
      await new Promise((resolve) => setTimeout(resolve, 100));
      const isStill = made > 3 && sink.made === made && before === made;
      before = sink.made;
      return isStill;
    });
    assert.ok(sink.made < ENDLESS / 10, `${sink.made} pieces were made`);
    assert.equal(edge.inFlight, 1);
    socket.destroy();
    await until("the stream has ended", () => sink.ended === 1 && edge.inFlight === 0);
  });
}

test("a HEAD request gets no body", async (t) => {
  const { sink, port } = await start(t);
  const { socket, text } = client(port, get("/endless").replace("GET", "HEAD"));
  await until("the head", () => text().endsWith("\r\n\r\n"));
  await until("the stream has ended", () => sink.ended === 1);
  assert.ok(sink.made <= 2);
  socket.destroy();
});
