/** The proof of work that the node asks for at sign-in while others guess at the account. It runs in short stretches, so that the page stays usable. */
import { type DoneWork, type SignInWork, workNonce } from "@pricetime/protocol";
import type { World } from "../wire/world.ts";
import { deniedOf } from "./request.ts";

export type { DoneWork };

/** A stretch of work; the page answers to its user between two of them. */
const STRETCH_MS = 40;
const NUMBERS_A_LOOK = 1_000;
/** Challenges that are answered for one try: others may ask for more work meanwhile, up to a bound. */
const MOST_CHALLENGES = 8;

type Pause = Pick<World, "after" | "elapsedMs">;

export class SignInWorker {
  readonly #world: Pause;
  readonly #onProgress: (done: number, of: number) => void;
  /** Good once; a node that asks for a code has not used it up. */
  #work: DoneWork | undefined;
  /** When the present stretch began; it may have several pieces. */
  #beganMs = 0;

  /** `onProgress`: pieces that are done; 0 of 0 when there is nothing to do. */
  constructor(world: Pause, onProgress: (done: number, of: number) => void) {
    this.#world = world;
    this.#onProgress = onProgress;
  }

  /** Sends, and does the work that is asked for. Rejects with the first refusal that asks for none. */
  async send<Value>(send: (work: DoneWork | undefined) => Promise<Value>): Promise<Value> {
    for (let challenges = 0; ; challenges++) {
      try {
        return await send(this.#work);
      } catch (error) {
        const { work } = deniedOf(error);
        if (work === undefined || challenges >= MOST_CHALLENGES) throw error;
        this.#work = await this.#done(work);
      }
    }
  }

  async #done(work: SignInWork): Promise<DoneWork> {
    const nonces: number[] = [];
    this.#beganMs = this.#world.elapsedMs();
    for (let piece = 0; piece < work.pieces; piece++) {
      this.#onProgress(piece, work.pieces);
      nonces.push(await this.#nonceOf(work, piece));
    }
    this.#onProgress(0, 0);
    return { challenge: work.challenge, nonces };
  }

  async #nonceOf(work: SignInWork, piece: number): Promise<number> {
    for (let from = 0; ; from += NUMBERS_A_LOOK) {
      const nonce = workNonce(work, piece, from, NUMBERS_A_LOOK);
      if (this.#world.elapsedMs() - this.#beganMs >= STRETCH_MS) {
        await new Promise<void>((resolve) => void this.#world.after(0, resolve));
        this.#beganMs = this.#world.elapsedMs();
      }
      if (nonce !== undefined) return nonce;
    }
  }
}
