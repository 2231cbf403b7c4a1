/** The settings of an EVM network; `docs/operate/evm.md` explains them. */

export interface EvmToken {
  readonly asset: string;
  readonly contract: string;
  /** The contract's `decimals()`; compared with it when the chain is first reached. */
  readonly decimals: number;
}

export interface EvmSettings {
  readonly network: string;
  /** The URL of JSON-RPC over HTTP. Many providers put a key in it, so it is never logged. */
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly nativeAsset: string;
  readonly tokens: readonly EvmToken[];
  /** The extended public key whose child of index N is the deposit address of account N. */
  readonly xpub: string;
  /** The address that pays withdrawals; the signer holds its key. */
  readonly hotWallet: string;
  /** The address that pays the gas of token sweeps: coins that it sends to a deposit address are not a deposit. */
  readonly gasWallet?: string;
  /** The path of the signer's unix socket. */
  readonly signerSocket: string;
  /** The limit for one request to the chain or to the signer; 10 s when absent. */
  readonly timeoutMs?: number;
  /** Whether transfers of tokens that are not listed are looked for, too; yes when absent. */
  readonly recordUnlistedTokens?: boolean;
  /** Payments wait while a unit of gas costs more than this; 500 when absent. */
  readonly maxFeeGwei?: number;
  /** How high a stuck payment's fee is raised without an operator; `maxFeeGwei` when absent. */
  readonly raiseFeeUpToGwei?: number;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
export const DEFAULT_MAX_FEE_GWEI = 500;
