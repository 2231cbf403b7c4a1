/**
 * The event stream of a session (`/account/stream`). The node opens it for a ticket, which is valid once, and closes it
 * when the session ends. A stream that was closed is opened again with growing waits.
 */
import { showAmount } from "../exact/shown.ts";
import { waitBefore } from "./pacing.ts";
import type { World } from "./world.ts";

export interface AccountStreamParts {
  /** The URL of the node, without a trailing slash. */
  readonly base: string;
  readonly world: World;
  /** Requests a ticket. Rejects if the node does not give one. */
  readonly ticket: () => Promise<string>;
  /** Called when the stream is open: no event is missed from then on. Called again after each gap. */
  readonly opened: () => void;
  readonly lost: () => void;
  readonly onEvent: (text: string) => void;
  /** Called when the node gives no ticket, for example because the session has ended. */
  readonly failed: (error: unknown) => void;
}

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

  close(): void {
    this.#isWanted = false;
    this.#stopWaiting();
    this.#socket?.close();
  }

  /** The promise never rejects. */
  async #open(): Promise<void> {
    const { base, world, ticket, failed } = this.#parts;
    this.#isOpening = true;
    try {
      const query = `ticket=${encodeURIComponent(await ticket())}`;
      if (this.#isWanted) this.#follow(world.openSocket(`${base.replace(/^http/, "ws")}/account/stream?${query}`));
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
      opened();
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
