/**
 * The proof of work that the node requires at sign-in after attempts to guess the account's password. It runs in short
 * slices, so that the page stays responsive.
 */
import { type DoneWork, type SignInWork, workNonce } from "@pricetime/protocol";
import type { World } from "../wire/world.ts";
import { deniedOf } from "./request.ts";

export type { DoneWork };

/** The length of a slice. Between two slices, the page handles events. */
const STRETCH_MS = 40;
const NUMBERS_A_LOOK = 1_000;
/**
 * Maximum number of challenges solved for one sign-in. There can be several, because the required work may increase in
 * the meantime.
 */
const MOST_CHALLENGES = 8;

type Pause = Pick<World, "after" | "elapsedMs">;

export class SignInWorker {
  readonly #world: Pause;
  readonly #onProgress: (done: number, of: number) => void;
  /** The completed work, which is valid once. It stays valid if the node only asks for a 2FA code. */
  #work: DoneWork | undefined;
  /** When the current slice started. A slice may contain several pieces of work. */
  #beganMs = 0;

  /** `onProgress` receives the number of completed pieces and the total; both are 0 if there is no work. */
  constructor(world: Pause, onProgress: (done: number, of: number) => void) {
    this.#world = world;
    this.#onProgress = onProgress;
  }

  /**
   * Sends a request. If the node requires work, does the work and sends the request again. Rejects with the node's
   * error if it does not require work.
   */
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
