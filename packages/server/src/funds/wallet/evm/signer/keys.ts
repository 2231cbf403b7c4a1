/**
 * The keys derived from one seed. The hot wallet and the gas wallet have hardened paths of their own, because
 * whoever knows the extended public key and one key below it could compute all the others.
 */
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

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

  /** The extended public key for the node: it derives deposit addresses and spends nothing. */
  get xpub(): string {
    return this.#deposits.publicExtendedKey;
  }

  /** Returns the key of the account's deposit address. */
  deposit(accountId: number): PrivateKeyAccount {
    if (accountId >= HARDENED_OFFSET) throw new RangeError(`no deposit address has the index ${accountId}`);
    return spender(this.#deposits.deriveChild(accountId));
  }
}

function spender({ privateKey }: HDKey): PrivateKeyAccount {
  if (privateKey === null) throw new Error("no private key");
  return privateKeyToAccount(bytesToHex(privateKey));
}
