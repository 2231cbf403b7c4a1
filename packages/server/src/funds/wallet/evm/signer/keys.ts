/**
 * The signer's key file, and the keys derived from it, which can spend all EVM funds of the exchange. The file contains
 * a BIP 32 seed (64 hex digits) and is readable only by its owner.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { ConfigError } from "../../../../platform/config/faults.ts";
import { writePrivateFile } from "../../../../platform/config/private-file.ts";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

const SEED_BYTES = 32;

/** Creates a key file; throws `ConfigError` if the file exists. */
export function createKeyFile(path: string): void {
  checkPlatform();
  if (existsSync(path))
    throw new ConfigError(`${path} exists already, and a key file is never overwritten. Choose another file`);
  writePrivateFile(path, `${randomBytes(SEED_BYTES).toString("hex")}\n`);
}

/** Reads the seed. Throws `ConfigError` if other users can read the file, or if it contains no seed. */
export function readKeyFile(path: string): Uint8Array {
  checkPlatform();
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new ConfigError(`Other users can read ${path}. Run: chmod 600 ${path}`);
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new ConfigError(`${path} does not contain a seed (64 hex digits)`);
  return Buffer.from(text, "hex");
}

/** Rejects platforms without file modes, because file modes protect the keys and the socket from other users. */
function checkPlatform(): void {
  if (process.platform === "win32")
    throw new ConfigError("The signer runs on Linux and macOS only. On Windows, run it in WSL");
}

const DEPOSITS_PATH = "m/44'/60'/0'/0";
const HOT_WALLET_PATH = "m/44'/60'/1'/0/0";
const GAS_WALLET_PATH = "m/44'/60'/2'/0/0";

export class Keys {
  readonly hotWallet: PrivateKeyAccount;
  readonly gasWallet: PrivateKeyAccount;
  readonly #deposits: HDKey;

  constructor(seed: Uint8Array) {
    const root = HDKey.fromMasterSeed(seed);
    this.#deposits = root.derive(DEPOSITS_PATH);
    this.hotWallet = spender(root.derive(HOT_WALLET_PATH));
    this.gasWallet = spender(root.derive(GAS_WALLET_PATH));
  }

  /** The extended public key for the node, which derives deposit addresses and cannot spend. */
  get xpub(): string {
    return this.#deposits.publicExtendedKey;
  }

  /** The key of the account's deposit address. */
  deposit(accountId: number): PrivateKeyAccount {
    if (accountId >= HARDENED_OFFSET) throw new RangeError(`no deposit address has the index ${accountId}`);
    return spender(this.#deposits.deriveChild(accountId));
  }
}

function spender({ privateKey }: HDKey): PrivateKeyAccount {
  if (privateKey === null) throw new Error("no private key");
  return privateKeyToAccount(bytesToHex(privateKey));
}
