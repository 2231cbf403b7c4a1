/**
 * Connections that become WebSockets pass the door of the lab, too: between two moments, and not while it goes back. So
 * what they count for, and what they hear first, belongs to one moment.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { UpgradeTaker } from "../api/edge/http/edge.ts";
import { endWith } from "../api/edge/http/broken.ts";
import { socketIp } from "../api/edge/http/client-address.ts";
import { answerText } from "../api/edge/http/headers.ts";
import type { Door } from "./door.ts";
import type { FaultBook } from "./faults/fault-book.ts";

export class DoorUpgrades implements UpgradeTaker {
  readonly #door: Door;
  readonly #strikesAt: FaultBook["strikesAt"];
  #taker: UpgradeTaker | undefined;

  constructor(door: Door, strikesAt: FaultBook["strikesAt"]) {
    this.#door = door;
    this.#strikesAt = strikesAt;
  }

  /** Leads waiting connections to a new gateway, because the lab went back while they waited. */
  leadTo(taker: UpgradeTaker): void {
    this.#taker = taker;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accepted: () => void): void {
    const { remoteAddress = "" } = request.socket;
    const early = [head];
    // A client that speaks before it is answered waits behind its first words.
    const hear = (bytes: Buffer): void => {
      early.push(bytes);
      socket.pause();
    };
    const lost = (): void => void socket.destroy();
    socket.on("data", hear).on("error", lost);
    this.#door.pass(() => {
      socket.off("data", hear).off("error", lost);
      if (socket.destroyed) return;
      const [path = ""] = (request.url ?? "").split("?");
      const fault = this.#strikesAt({ ip: socketIp(remoteAddress), path });
      if (fault?.fault === "handshake") {
        const { status } = fault;
        socket.on("error", lost);
        endWith(socket, answerText({ status, headers: [], body: "" }));
        return;
      }
      this.#taker?.upgrade(request, socket, Buffer.concat(early), accepted);
      socket.resume();
    });
  }
}
