/** A way to a server that a test can close: what a node sees when the chain's end of the wire is gone. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Gate {
  readonly url: string;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function openGate(to: string): Promise<Gate> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((inside) => {
    if (isShut) return void inside.destroy();
    const outside = connect(Number(port), hostname);
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      isShut = true;
      cut();
    },
    open: () => (isShut = false),
    close: async () => {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
