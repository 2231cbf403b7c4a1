/**
 * Proof of work, with which an unknown client can sign in while others guess passwords. Challenges are signed and
 * contain their terms, so that only used ones are stored, until they expire.
 */
import { type DoneWork, isWorkNonce, MAX_WORK_NONCE, type SignInWork } from "@pricetime/protocol";
import { z } from "zod";
import type { LinkSecrets } from "../../platform/secrets/link-secrets.ts";
import type { Dice, Saves } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { MAX_USED_WORK, WORK_LIFE_MS, WORK_PIECES } from "./limits.ts";
import { isSameHash, newId } from "./tokens.ts";

export type { DoneWork };

/** `<id>.<untilMs>.<bits>.<signature>`. The ID is the prefix of the texts to hash. */
const CHALLENGE = /^([0-9a-f]{32})\.([0-9]{13})\.([0-9]{1,2})\.([A-Za-z0-9_-]{43})$/;

/** The proof of work in a request. */
export const doneWork: z.ZodType<DoneWork> = z
  .strictObject({
    challenge: z.string().max(128),
    nonces: z.array(z.int().min(0).max(MAX_WORK_NONCE)).length(WORK_PIECES),
  })
  .describe("The proof of work that an answer TOO_MANY_TRIES or BUSY asked for as `work`");

/** The OpenAPI schema of a requested proof of work. */
export const WORK_ASKED = {
  type: "object",
  description:
    "A proof of work that opens the same request while others guess: for each `i` from 0 to `pieces` - 1 find a whole number " +
    "`n` such that the SHA-256 of the ASCII text `<prefix>:<i>:<n>` begins with `bits` zero bits, and send the request " +
    "again with `work: {challenge, nonces}`, where `nonces` are these numbers in order. It is good once, until `untilMs`. " +
    "The password, and a code where one is required, are still checked.",
  required: ["challenge", "prefix", "pieces", "bits", "untilMs"],
  properties: {
    challenge: { type: "string" },
    prefix: { type: "string" },
    pieces: { type: "integer" },
    bits: { type: "integer" },
    untilMs: { type: "integer" },
  },
} as const;

/** A completed proof of work. */
export interface Worked {
  readonly id: string;
  readonly bits: number;
  readonly untilMs: number;
}

const SAVED = z.array(z.strictObject({ id: z.string(), untilMs: savedCount }));

export class Work {
  readonly #links: LinkSecrets;
  readonly #dice: Dice;
  /** The expiry of used challenges by ID, in the order of use. */
  readonly #used = new Map<string, number>();

  constructor(links: LinkSecrets, world: Dice & Saves) {
    this.#links = links;
    this.#dice = world;
    const save = () => [...this.#used].map(([id, untilMs]) => ({ id, untilMs }));
    for (const { id, untilMs } of world.saved.restore("signIn/work", SAVED, save) ?? []) this.#used.set(id, untilMs);
  }

  /** Creates a challenge for attempts on one holder. */
  offer(subject: string, bits: number, nowMs: number): SignInWork {
    const id = newId(this.#dice);
    const untilMs = nowMs + WORK_LIFE_MS;
    const challenge = `${id}.${untilMs}.${bits}.${this.#signature({ id, untilMs, bits }, subject)}`;
    return { challenge, prefix: id, pieces: WORK_PIECES, bits, untilMs };
  }

  /** Uses up the challenge. Undefined if the work is wrong, for another holder, expired or already used. */
  take({ challenge, nonces }: DoneWork, subject: string, nowMs: number): Worked | undefined {
    const [, id = "", until, zeros, signature = ""] = CHALLENGE.exec(challenge) ?? [];
    const worked: Worked = { id, bits: Number(zeros), untilMs: Number(until) };
    if (id === "" || !isSameHash(signature, this.#signature(worked, subject))) return undefined;
    if (nowMs >= worked.untilMs || this.#used.has(id)) return undefined;
    const isDone = nonces.length === WORK_PIECES && nonces.every((nonce, piece) => isRight(worked, piece, nonce));
    if (!isDone) return undefined;
    this.#remember(worked, nowMs);
    return worked;
  }

  /** Makes the work valid again, because no attempt was made with it. */
  giveBack({ id }: Worked): void {
    this.#used.delete(id);
  }

  #remember({ id, untilMs }: Worked, nowMs: number): void {
    for (const [known, endMs] of this.#used) {
      if (nowMs < endMs && this.#used.size < MAX_USED_WORK) break;
      this.#used.delete(known);
    }
    this.#used.set(id, untilMs);
  }

  #signature({ id, untilMs, bits }: Worked, subject: string): string {
    return this.#links.secretOf("signInWork", `${id}:${untilMs}:${bits}:${subject}`);
  }
}

const isRight = ({ id, bits }: Worked, piece: number, nonce: number): boolean =>
  isWorkNonce({ prefix: id, bits }, piece, nonce);
