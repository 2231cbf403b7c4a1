/**
 * A running digest of everything that has happened: two 32-bit lanes of multiply-and-shift mixing.
 * Not cryptographic (the journal's chain is); it tells two replicas of one journal apart.
 */
export class Digest {
  private a = 0x9e3779b9;
  private b = 0x85ebca6b;

  /** A safe integer, zero or above. */
  add(value: number): void {
    this.mix(value | 0);
    if (value > 0xffffffff) this.mix(Math.floor(value / 0x100000000));
  }

  addBig(value: bigint): void {
    if (value >= 0n && value <= 0x1fffffffffffffn) this.add(Number(value));
    else this.addText(value.toString());
  }

  addText(text: string): void {
    for (let i = 0; i < text.length; i++) this.mix(text.charCodeAt(i));
    this.mix(text.length);
  }

  private mix(word: number): void {
    this.a = Math.imul(this.a ^ word, 0xcc9e2d51);
    this.a ^= this.a >>> 15;
    this.b = Math.imul(this.b + this.a, 0x1b873593);
    this.b ^= (this.b >>> 13) ^ word;
  }

  toString(): string {
    return (this.a >>> 0).toString(16).padStart(8, "0") + (this.b >>> 0).toString(16).padStart(8, "0");
  }

  lanes(): readonly [number, number] {
    return [this.a >>> 0, this.b >>> 0];
  }
  setLanes(a: number, b: number): void {
    this.a = a | 0;
    this.b = b | 0;
  }
}
