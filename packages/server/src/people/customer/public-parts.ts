/** The public part of the proof that is published, read seldom: strangers may ask for it as often as they like. */
import type { PublishedProof } from "@pricetime/engine";
import { AuditRefused, type Audits } from "../../funds/proof/folder/port.ts";
import { PUBLIC_PART_MS } from "./limits.ts";

export class PublicParts {
  readonly #audits: Pick<Audits, "publicPart" | "makePublished">;
  #root = "";
  /** It is read again from then on: reserves may have been put beside it. */
  #freshUntilMs = 0;
  #text: Promise<string> | undefined;

  constructor(audits: Pick<Audits, "publicPart" | "makePublished">) {
    this.#audits = audits;
  }

  /** Rejects with `AuditRefused`; then the next one who asks tries again. */
  async textOf(published: PublishedProof, nowMs: number): Promise<string> {
    if (this.#text === undefined || this.#root !== published.root || nowMs >= this.#freshUntilMs) {
      this.#root = published.root;
      this.#freshUntilMs = nowMs + PUBLIC_PART_MS;
      this.#text = this.#read(published);
    }
    const text = this.#text;
    try {
      return await text;
    } catch (error) {
      if (this.#text === text) this.#text = undefined;
      throw error;
    }
  }

  /** A node that does not keep the proof, because another one made it, makes it from its own journal. */
  async #read(published: PublishedProof): Promise<string> {
    const { seq, root } = published;
    const { digest: made } = await this.#audits.makePublished(published);
    if (made !== root) {
      throw new AuditRefused("NOT_POSSIBLE", `the proof of entry ${seq} that is kept here is not the published one`);
    }
    return this.#audits.publicPart(seq);
  }
}
