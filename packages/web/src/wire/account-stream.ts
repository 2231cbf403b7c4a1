/**
 * A socket with the events of one account: that of a session (`/account/stream`), which the node opens for a ticket and
 * closes when the session ends, or the WebSocket API for an API key. A socket that was closed is opened again with
 * growing waits.
 */
import { showAmount } from "../exact/shown.ts";
import { waitBefore } from "./pacing.ts";
import type { World } from "./world.ts";

export interface AccountStreamParts {
  /** The URL of the node, without a trailing slash. */
  readonly base: string;
  readonly world: World;
  /** The path of the socket, with its query. Rejects if the node gives no ticket. */
  readonly path: () => Promise<string>;
  /** Called when the socket is open. Called again after each gap. */
  readonly opened: (send: (text: string) => void) => void;
  readonly lost: () => void;
  readonly onEvent: (text: string) => void;
  /** Called when there is no path, for example because the session has ended, and with the error of `giveUp`. */
  readonly failed: (error: unknown) => void;
}

/** The path of a session's stream. `ticket` requests a ticket, which is valid once. */
export const sessionPath =
  (ticket: () => Promise<string>): AccountStreamParts["path"] =>
  async () =>
    `/account/stream?ticket=${encodeURIComponent(await ticket())}`;

/** The amount that an event credits to the balance, such as `5,000.00 EUR`; null for other events. */
export function creditOf(event: unknown): string | null {
  const { e, a = "", d = "" } = event as Readonly<Partial<Record<"e" | "a" | "d", string>>>;
  return e === "balanceUpdate" && !d.startsWith("-") ? `${showAmount(d)} ${a}` : null;
}

/** If a stream was open for this long, it is opened again without a long wait. */
const GOOD_AFTER_MS = 1_000;

export class AccountStream {
  readonly #parts: AccountStreamParts;
  #socket: WebSocket | null = null;
  #isWanted = true;
  #isOpening = false;
  #failures = 0;
  #openedMs = Infinity;
  #stopWaiting = (): void => {};

  constructor(parts: AccountStreamParts) {
    this.#parts = parts;
    void this.#open();
  }

  /** Opens the stream at once if it is closed, after the network is back. */
  retryNow(): void {
    if (this.#socket !== null || this.#isOpening || !this.#isWanted) return;
    this.#stopWaiting();
    void this.#open();
  }

  /** Closes a stream whose connection is lost although the browser has not noticed. It is opened again by `retryNow`. */
  drop(): void {
    this.#stopWaiting();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (socket !== null) this.#parts.lost();
  }

  /** Closes a socket on which the node refuses to send events, and opens another one later. */
  giveUp(error: unknown): void {
    if (!this.#isWanted) return;
    this.drop();
    this.#later();
    this.#parts.failed(error);
  }

  close(): void {
    this.#isWanted = false;
    this.#stopWaiting();
    this.#socket?.close();
  }

  /** The promise never rejects. */
  async #open(): Promise<void> {
    const { base, world, path, failed } = this.#parts;
    this.#isOpening = true;
    try {
      const place = await path();
      if (this.#isWanted) this.#follow(world.openSocket(`${base.replace(/^http/, "ws")}${place}`));
    } catch (error) {
      if (!this.#isWanted) return;
      this.#later();
      failed(error);
    } finally {
      this.#isOpening = false;
    }
  }

  #follow(socket: WebSocket): void {
    const { world, opened, lost, onEvent } = this.#parts;
    const isOurs = (): boolean => this.#socket === socket && this.#isWanted;
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (!isOurs()) return;
      this.#openedMs = world.elapsedMs();
      opened((text) => isOurs() && socket.send(text));
    });
    socket.addEventListener("message", ({ data }: MessageEvent) => isOurs() && onEvent(String(data)));
    socket.addEventListener("close", () => {
      if (!isOurs()) return;
      this.#socket = null;
      if (world.elapsedMs() - this.#openedMs > GOOD_AFTER_MS) this.#failures = 0;
      this.#openedMs = Infinity;
      this.#later();
      lost();
    });
  }

  #later(): void {
    const { world } = this.#parts;
    this.#stopWaiting = world.after(waitBefore(this.#failures++, world), () => this.retryNow());
  }
}
