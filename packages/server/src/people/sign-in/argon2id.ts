/** Hashes of passwords as text, in the form that all libraries share: `$argon2id$v=19$m=32768,t=2,p=1$salt$hash`. */
import { argon2 } from "node:crypto";
import { promisify } from "node:util";
import { sameSecret } from "../../platform/config/random-key.ts";
import { HASH_COST, MAX_HASH_COST } from "./limits.ts";

const makeHash = promisify(argon2);

export const SALT_BYTES = 16;
const OUTPUT_BYTES = 32;
const VERSION = 19;
const HASH =
  /^\$argon2id\$v=19\$m=([1-9][0-9]{0,6}),t=([1-9][0-9]?),p=([1-9])\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

interface Cost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** `salt` has `SALT_BYTES` bytes. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const hash = await derive(password, salt, HASH_COST);
  const { memoryKiB, passes, parallelism } = HASH_COST;
  const cost = `m=${memoryKiB},t=${passes},p=${parallelism}`;
  return `$argon2id$v=${VERSION}$${cost}$${withoutPadding(salt)}$${withoutPadding(hash)}`;
}

/** Throws when the text is no hash that we make. */
export async function isPassword(hash: string, password: string): Promise<boolean> {
  const [, memoryKiB, passes, parallelism, salt, expected] = HASH.exec(hash) ?? [];
  const cost = { memoryKiB: Number(memoryKiB), passes: Number(passes), parallelism: Number(parallelism) };
  if (salt === undefined || expected === undefined || !isBearable(cost)) throw new Error("not a hash of a password");
  const given = await derive(password, Buffer.from(salt, "base64"), cost);
  return sameSecret(withoutPadding(given), expected);
}

/** The same password typed on two keyboards is the same text: NFC, as RFC 8265 has it. */
function derive(password: string, salt: Buffer, { memoryKiB, passes, parallelism }: Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize("NFC"), "utf8");
  const cost = { memory: memoryKiB, passes, parallelism, tagLength: OUTPUT_BYTES };
  return makeHash("argon2id", { message, nonce: salt, ...cost });
}

function isBearable({ memoryKiB, passes, parallelism }: Cost): boolean {
  const { memoryKiB: memory, passes: most, parallelism: lanes } = MAX_HASH_COST;
  return memoryKiB <= memory && passes <= most && parallelism <= lanes;
}

const withoutPadding = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
