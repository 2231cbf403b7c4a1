/**
 * The hash of the state: one of each part, from its bytes in a snapshot, and one of all parts together. Two lanes of 32
 * bits, not cryptographic. It walks the whole state, so it is computed only on request.
 */
import { EventDigest } from "./entry/digest.ts";

export interface PartHash {
  readonly part: string;
  /** 16 hex digits. */
  readonly hash: string;
}

export interface StateHash {
  /** 16 hex digits, over the names and hashes of all parts. */
  readonly hash: string;
  readonly parts: readonly PartHash[];
}

/** `pieces` hands over the bytes of all parts, the pieces of each part in order. */
export function hashParts(pieces: (sink: (part: string, piece: Uint8Array) => void) => void): StateHash {
  const hashes = new Map<string, BytesHash>();
  let last = "";
  let current = new BytesHash();
  pieces((part, piece) => {
    if (part !== last) {
      current = new BytesHash();
      hashes.set(part, current);
      last = part;
    }
    current.add(piece);
  });
  const parts = [...hashes].map(([part, of]) => ({ part, hash: of.toString() }));
  const whole = new EventDigest();
  for (const { part, hash } of parts) whole.addText(`${part} ${hash}`);
  return { hash: whole.toString(), parts };
}

/** The parts that differ or that only one of the two has. */
export function differingParts(one: StateHash, other: StateHash): readonly string[] {
  const hashesOf = ({ parts }: StateHash): ReadonlyMap<string, string> =>
    new Map(parts.map(({ part, hash }) => [part, hash]));
  const [ours, theirs] = [hashesOf(one), hashesOf(other)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].filter((part) => ours.get(part) !== theirs.get(part));
}

/** Hashes a sequence of bytes, four to a word, however it is cut into pieces. */
class BytesHash {
  readonly #digest = new EventDigest();
  #word = 0;
  #count = 0;

  add(piece: Uint8Array): void {
    let word = this.#word;
    let count = this.#count;
    for (const byte of piece) {
      word |= byte << ((count & 3) * 8);
      if ((++count & 3) !== 0) continue;
      this.#digest.mix(word);
      word = 0;
    }
    this.#word = word;
    this.#count = count;
  }

  toString(): string {
    this.#digest.mix(this.#word);
    this.#digest.add(this.#count);
    return this.#digest.toString();
  }
}
