/** A proxy to the chain that a test controls: it can be shut, and reports every question before passing it on. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The moments of a question, such as `eth_getLogs`: before the chain hears it, before the node hears the answer. */
export type Moment = "asked" | "answered";

export interface Gate {
  readonly url: string;
  /** Lets nobody through until `open`. */
  shut(): void;
  open(): void;
  /** Called at both moments of every question, which waits for it. */
  onQuestion: (method: string, moment: Moment) => void | Promise<void>;
  close(): Promise<void>;
}

export async function openGate(to: string): Promise<Gate> {
  let isShut = false;
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      isShut = true;
      server.closeAllConnections();
    },
    open: () => (isShut = false),
    onQuestion: () => {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await request.toArray()).join("");
    if (isShut) return void response.destroy();
    const { method } = JSON.parse(body) as { readonly method: string };
    await gate.onQuestion(method, "asked");
    const answer = await fetch(to, { method: "POST", body, headers: { "content-type": "application/json" } });
    const text = await answer.text();
    await gate.onQuestion(method, "answered");
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  };
  return gate;
}
