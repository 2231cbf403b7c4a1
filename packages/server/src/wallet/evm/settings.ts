/** What a node is told about an EVM network; `docs/operate/evm.md` explains it. */

export interface EvmToken {
  readonly asset: string;
  readonly contract: string;
  /** As the contract's `decimals()` says; compared with it when the chain is first reached. */
  readonly decimals: number;
}

export interface EvmSettings {
  readonly network: string;
  /** JSON-RPC over HTTP. Many providers put a key in it: it is never logged. */
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly nativeAsset: string;
  readonly tokens: readonly EvmToken[];
  /** The extended public key whose child of index N is the deposit address of account N. */
  readonly xpub: string;
  /** What withdrawals are paid from; the signer holds its key. */
  readonly hotWallet: string;
  /** What pays the gas of sweeping tokens: coins that it sends to a deposit address are no deposit. */
  readonly gasWallet?: string;
  /** The unix socket of the signer. */
  readonly signerSocket: string;
  /** Of one request to the chain or to the signer; absent: 10 s. */
  readonly timeoutMs?: number;
  /** While a unit of gas costs more, payments wait; absent: 500. */
  readonly maxFeeGwei?: number;
  /** A payment that is stuck is bid for so high without an operator; absent: as high as `maxFeeGwei`. */
  readonly raiseFeeUpToGwei?: number;
}

export const DEFAULT_TIMEOUT_MS = 10_000;
export const DEFAULT_MAX_FEE_GWEI = 500;
