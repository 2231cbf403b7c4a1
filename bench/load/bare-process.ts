/** The baseline: `node:http` and `ws` without anything else. It answers with the request's body. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    response.writeHead(200, { "content-type": "application/json;charset=utf-8", "content-length": body.length });
    response.end(body);
  });
});
server.keepAliveTimeout = 65_000;
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", () => {});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
