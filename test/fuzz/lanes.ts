/**
 * The two lanes of the HTTP edge side by side: whatever a connection sends, whole or cut anywhere, is carried out as
 * `node:http` by itself would have it, and answered alike.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { DEFAULT_HTTP_LIMITS, type HttpEdge } from "@pricetime/server/parts";
import { EchoSink, get, startEdge } from "@pricetime/testkit/echo-edge";
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { Dice } from "@pricetime/testkit/dice";
import { answersIn, hostileConversation } from "./raw.ts";
import { latin1, mutated, oneIn, pick, type Target } from "./target.ts";

/** Small bounds, so that they are met. */
const LIMITS = { ...DEFAULT_HTTP_LIMITS, maxHeaderBytes: 2048, maxBodyBytes: 600, maxDiscardedBytes: 1500 };
const ACCOUNT: DemoAccount = { name: "a", email: "a@b", apiKey: "k".repeat(64), secretKey: "s".repeat(64) };
/** An ordinary request but for this is node's, and what follows it, too. */
const ODD = get("/odd", "TE: x\r\n");
/** The edge is in this process: within so many turns it has read what was sent. */
const TURNS = 4;
/** At least one in so many conversations in pieces must have been read directly in part. */
const ONE_IN_SO_MANY_IN_PIECES = 5;

interface Outcome {
  /** What was carried out. */
  readonly seen: readonly string[];
  readonly answers: readonly string[];
}

const HEAD_END = "\r\n\r\n";
const HEADERS = ["Host: x", "X-MBX-APIKEY: abc", "Accept: */*", "Connection: keep-alive", "Origin: http://a"];

/** One of them makes a request node's, or none. */
const ODD_LINES =
  "Content-Length: 5|Content-Length : 5|Transfer-Encoding: chunked|Expect: 100-continue|Connection: close|Host: y".split(
    "|",
  );

function mostlyOrdinaryRequest(random: Dice): string {
  const method = pick(random, ["GET", "POST", "POST", "PUT", "DELETE"]);
  const body = method === "GET" ? "" : "b=1&".repeat(random.between(0, 8) ** 2 * 4).slice(0, random.between(0, 700));
  const lines = HEADERS.filter(() => oneIn(random, 2));
  if (body !== "" || oneIn(random, 2)) lines.push(`Content-Length: ${body.length}`);
  if (oneIn(random, 10)) lines.splice(random.between(0, lines.length), 0, pick(random, ODD_LINES));
  return [`${method} /${random.between(0, 99)}?a=b HTTP/1.1`, ...lines, "", body].join("\r\n");
}

function conversation(random: Dice): Buffer {
  if (oneIn(random, 4)) return Buffer.concat(hostileConversation(random, [ACCOUNT]).chunks);
  const requests = Array.from({ length: random.between(1, 3) }, () => mostlyOrdinaryRequest(random));
  const bytes = Buffer.from(latin1(requests.join("")), "latin1");
  return oneIn(random, 3) ? mutated(random, bytes) : bytes;
}

/** Behind heads and within bodies, or anywhere. */
function cut(random: Dice, bytes: Buffer): Buffer[] {
  const isAnywhere = oneIn(random, 3);
  const places = Array.from({ length: isAnywhere ? random.between(1, 8) : 0 }, () => random.between(0, bytes.length));
  for (let at = bytes.indexOf(HEAD_END); at !== -1; at = bytes.indexOf(HEAD_END, at + 1)) {
    const body = at + HEAD_END.length;
    if (!oneIn(random, 4)) places.push(body);
    for (let more = random.between(0, 3); more > 0; more--) places.push(body + random.between(1, 300));
  }
  const within = places.filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b);
  return [...within, bytes.length].map((end, n) => bytes.subarray(n === 0 ? 0 : within[n - 1], end));
}

/** Sends the pieces in turn, ends our side, and reads to the end. */
async function talk(port: number, sink: EchoSink, pieces: readonly Buffer[], isOfNode: boolean): Promise<Outcome> {
  sink.seen.length = 0;
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let received = "";
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise<void>((done) => {
    socket.once("close", () => {
      isClosed = true;
      done();
    });
  });
  await once(socket, "connect");
  if (isOfNode) received = await moved(socket, () => received);
  for (const piece of pieces) {
    if (isClosed) break;
    socket.write(piece);
    for (let n = 0; n < TURNS; n++) await turn();
  }
  socket.end();
  await closed;
  const seen = sink.seen.slice(isOfNode ? 1 : 0);
  const told = Buffer.concat(pieces).toString("latin1");
  return {
    seen: seen.map(({ method, path, query, body }) => JSON.stringify({ method, path, query, body })),
    answers: answersIn(received, told).map(({ status, body }) => `${status} ${body}`),
  };
}

/** Over to node, by a request that is answered; then nothing has been received. */
async function moved(socket: Socket, received: () => string): Promise<string> {
  socket.write(ODD);
  while (!received().endsWith("}")) await turn();
  // The answer's turn ends before the next is begun.
  for (let n = 0; n < TURNS; n++) await turn();
  return "";
}

export const LANES: Target = {
  name: "lanes",
  inCi: 400,
  open: async () => {
    const sink = new EchoSink();
    const edge: HttpEdge = startEdge(sink, LIMITS);
    const port = await edge.listen("127.0.0.1", 0);
    let executions = 0;
    let readInPieces = 0;
    return {
      once: async (random) => {
        const bytes = conversation(random);
        const pieces = cut(random, bytes);
        const told = JSON.stringify(pieces.map((piece) => piece.toString("latin1"))).slice(0, 6_000);
        const whole = await talk(port, sink, [bytes], false);
        const wholeOfNode = await talk(port, sink, [bytes], true);
        const { direct } = edge.requestsByLane;
        const inPieces = await talk(port, sink, pieces, false);
        readInPieces += edge.requestsByLane.direct > direct ? 1 : 0;
        const inPiecesOfNode = await talk(port, sink, pieces, true);
        executions++;
        assert.deepEqual(whole, wholeOfNode, `whole: ${told}`);
        assert.deepEqual(inPieces, inPiecesOfNode, `in pieces: ${told}`);
        assert.deepEqual(inPieces.seen, whole.seen, `in pieces and whole: ${told}`);
      },
      finish: async () => {
        await edge.close();
        assert.equal(edge.inFlight, 0);
        if (executions > 100) {
          assert.ok(readInPieces * ONE_IN_SO_MANY_IN_PIECES > executions, `only ${readInPieces} of ${executions}`);
        }
      },
    };
  },
};
