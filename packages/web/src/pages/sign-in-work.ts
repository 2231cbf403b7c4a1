/**
 * The proof of work that the node requires at sign-in while others guess the account's password. It runs in short
 * slices, so that the page stays responsive.
 */
import { type DoneWork, type SignInWork, workNonce } from "@pricetime/protocol";
import type { World } from "../wire/world.ts";
import { deniedOf } from "./request.ts";

export type { DoneWork };

/** The length of a slice; the page handles events between two of them. */
const STRETCH_MS = 40;
const NUMBERS_A_LOOK = 1_000;
/** The most challenges solved for one sign-in: the required work may increase meanwhile, up to a limit. */
const MOST_CHALLENGES = 8;

type Pause = Pick<World, "after" | "elapsedMs">;

export class SignInWorker {
  readonly #world: Pause;
  readonly #onProgress: (done: number, of: number) => void;
  /** Valid once. If the node only asks for a 2FA code, the work is not used up. */
  #work: DoneWork | undefined;
  /** The start of the current slice, which may contain several pieces. */
  #beganMs = 0;

  /** `onProgress` receives the pieces done and the total; 0 of 0 when there is no work. */
  constructor(world: Pause, onProgress: (done: number, of: number) => void) {
    this.#world = world;
    this.#onProgress = onProgress;
  }

  /** Sends the request and does the required work. Rejects with the first error that requires none. */
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
