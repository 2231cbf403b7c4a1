/** What the fuzzer throws things at, and how it breaks them. */
import { Dice } from "@pricetime/testkit/dice";

/** Seed of the tests; `npm run fuzz` begins elsewhere each time. */
export const SEED = Number(process.env["FUZZ_SEED"] ?? 20191021);

export interface Target {
  readonly name: string;
  /** Executions in `npm run thorough`. */
  readonly inCi: number;
  /** Makes ready what it needs; `finish` looks whether all is still well. */
  open(): Promise<Opened> | Opened;
}

export interface Opened {
  /** One execution. Throws when something is wrong: the message says with what input. */
  once(random: Dice): Promise<void> | void;
  /** The check at the end. Throws when something is wrong. */
  finish(): Promise<void> | void;
}

/** Texts that programs get wrong. */
export const HOSTILE: readonly string[] = [
  ...["", " ", "0", "00", "-0", "-1", "+1", "1.", ".1", "1e5", "1e-7", "1E400", "NaN", "Infinity", "0x10", "1_0", "١"],
  ...["null", "undefined", "true", "[]", "{}", '["BTCUSDT"]', '["BTCUSDT","BTCUSDT"]', "[null]", '"', "\\", "'", "`"],
  ...["__proto__", "constructor", "\u0000", "\r\n", "\u2028", "é", "\ud800", "😀", "%", "%0", "%zz", "%00", "%c3%28"],
  ...["../../etc/passwd", "<script>", "' OR 1=1 --", "${7*7}", "{{7*7}}", "; ls", "%s%n", "a,b", "a=b", "a&b", "+"],
  ...["*x", "&x"],
  ...["9".repeat(19), "9".repeat(20), "9".repeat(21), "9007199254740991", "9007199254740993", "18446744073709551616"],
  ...["A".repeat(21), "A".repeat(37), "A".repeat(300), `0.${"0".repeat(19)}1`, `0.${"0".repeat(20)}1`, "0.00000000"],
];

export function pick<T>(random: Dice, list: readonly T[]): T {
  return list[random.between(0, list.length - 1)] as T;
}

/** True once in `times`. */
export function oneIn(random: Dice, times: number): boolean {
  return random.between(1, times) === 1;
}

/** Flipped, cut, doubled, filled: any of it, a few times. */
export function mutated(random: Dice, bytes: Uint8Array): Buffer<ArrayBuffer> {
  let out = Buffer.from(bytes);
  for (let times = random.between(1, 4); times > 0; times--) {
    const at = random.between(0, out.length);
    const end = Math.min(out.length, at + random.between(0, 40));
    const way = random.between(0, 6);
    if (way === 0 && out.length > 0) out[Math.min(at, out.length - 1)]! ^= 1 << random.between(0, 7);
    else if (way === 1) out = Buffer.concat([out.subarray(0, at), out.subarray(end)]);
    else if (way === 2) out = Buffer.concat([out.subarray(0, end), out.subarray(at)]);
    else if (way === 3) out = out.subarray(0, at);
    else if (way === 4)
      out = Buffer.concat([out.subarray(0, at), Buffer.alloc(random.between(1, 9), 0xff), out.subarray(at)]);
    else if (way === 5)
      out = Buffer.concat([out.subarray(0, at), Buffer.from(pick(random, HOSTILE)), out.subarray(at)]);
    else if (out.length > 0) out[Math.min(at, out.length - 1)] = random.between(0, 255);
  }
  return out;
}

export function randomBytes(random: Dice, most: number): Buffer {
  return Buffer.from(Array.from({ length: random.between(0, most) }, () => random.between(0, 255)));
}

/** One character a byte, as the edge hands on what it was sent. */
export function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Runs until it is over, at least once; gives the number of executions. The seed of each is told when it fails. */
export async function run(target: Target, seed: number, isOver: (executions: number) => boolean): Promise<number> {
  const opened = await target.open();
  let executions = 0;
  try {
    do {
      try {
        await opened.once(new Dice(seed + executions));
      } catch (error) {
        throw new Error(`${target.name}, seed ${seed + executions}: ${(error as Error).message}`, { cause: error });
      }
      executions++;
    } while (!isOver(executions));
  } finally {
    await opened.finish();
  }
  return executions;
}
