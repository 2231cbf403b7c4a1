/** The baseline: `node:http` and `ws` without anything else. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json;charset=utf-8", "content-length": 2 });
  response.end("{}");
});
server.keepAliveTimeout = 65_000;
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", () => {});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
