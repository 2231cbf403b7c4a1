/** A secret for signing many messages: HMAC-SHA256, RFC 2104. */
import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * Two hashes in one call each, over blocks prepared once. `createHmac` makes an object and looks its algorithm up for
 * every message: three times the cost, an eighth of an order's time on its thread.
 */
export class HmacKey {
  readonly #innerBlock: Buffer;
  /** The block, followed by room for the inner hash. */
  readonly #outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);

  constructor(secret: Buffer) {
    const short = secret.length > BLOCK_BYTES ? hash("sha256", secret, "buffer") : secret;
    const block = Buffer.concat([short], BLOCK_BYTES);
    this.#innerBlock = Buffer.from(block.map((byte) => byte ^ INNER_PAD));
    this.#outer.set(block.map((byte) => byte ^ OUTER_PAD));
  }

  /** `message` has one character a byte. */
  sign(message: string): Buffer {
    const inner = Buffer.allocUnsafe(BLOCK_BYTES + message.length);
    inner.set(this.#innerBlock);
    inner.write(message, BLOCK_BYTES, "latin1");
    this.#outer.set(hash("sha256", inner, "buffer"), BLOCK_BYTES);
    return hash("sha256", this.#outer, "buffer");
  }
}
