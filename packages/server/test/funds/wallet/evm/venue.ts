/** What a test of the adapter needs: a chain, two tokens on it, a signer, and the chain port over them. */
import { rmSync } from "node:fs";
import type { Address } from "viem";
import { EvmChain } from "../../../../src/funds/wallet/evm/evm-chain.ts";
import type { EvmSettings } from "../../../../src/funds/wallet/evm/settings.ts";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import {
  type Anvil,
  CHAIN_ID,
  ether,
  makeKeys,
  type SignerProcess,
  startAnvil,
  startSigner,
  token,
  type WalletKeys,
} from "@pricetime/testkit/evm";
import { MACHINE } from "../../../../src/platform/world/machine.ts";

/** Decimals of the assets at the exchange, whatever the chain's units are. */
const PRECISIONS: Readonly<Record<string, number>> = { ETH: 8, USDT: 6, GOLD: 8 };

export interface Venue {
  readonly anvil: Anvil;
  readonly keys: WalletKeys;
  readonly folder: string;
  readonly settings: EvmSettings;
  readonly chain: EvmChain;
  /** 6 decimals, as the asset. */
  readonly usdt: Address;
  /** 18 decimals; the asset has 8. */
  readonly gold: Address;
  readonly signer: SignerProcess;
  addressOf(accountId: number): Promise<Address>;
  /** Another adapter, as after a restart or with other settings. */
  other(settings?: Partial<EvmSettings>): EvmChain;
  stop(): Promise<void>;
}

export async function openVenue(): Promise<Venue> {
  const folder = temporaryFolder();
  const anvil = await startAnvil();
  const keys = makeKeys(folder);
  const [usdt, gold] = [await anvil.deployToken(6), await anvil.deployToken(18)];
  await anvil.call(usdt, token.mint(anvil.stranger, 1_000_000_000_000n));
  await anvil.call(gold, token.mint(anvil.stranger, ether(1000)));
  await anvil.call(usdt, token.mint(keys.hotWallet, 1_000_000_000n));
  await anvil.pay(keys.hotWallet, ether(100));
  await anvil.pay(keys.gasWallet, ether(1));
  await anvil.mine(1);
  const signer = await startSigner(folder, {
    chainId: CHAIN_ID,
    native: { asset: "ETH", maxPayment: "10", maxPerDay: "50" },
    tokens: [
      { asset: "USDT", contract: usdt, decimals: 6, maxPayment: "500", maxPerDay: "100000" },
      { asset: "GOLD", contract: gold, decimals: 18, maxPayment: "500", maxPerDay: "1000" },
    ],
  });
  const settings: EvmSettings = {
    network: "ETH",
    rpcUrl: anvil.url,
    chainId: CHAIN_ID,
    nativeAsset: "ETH",
    tokens: [
      { asset: "USDT", contract: usdt.toLowerCase(), decimals: 6 },
      { asset: "GOLD", contract: gold, decimals: 18 },
    ],
    ...keys,
    signerSocket: signer.socket,
    timeoutMs: 60_000,
  };
  const other = (changed: Partial<EvmSettings> = {}): EvmChain =>
    new EvmChain({ ...settings, ...changed }, MACHINE, (asset) => PRECISIONS[asset]);
  const chain = other();
  return {
    anvil,
    keys,
    folder,
    settings,
    chain,
    usdt,
    gold,
    signer,
    addressOf: async (accountId) => (await chain.addressOf(accountId)).address as Address,
    other,
    stop: async () => {
      await chain.close();
      await signer.kill();
      await anvil.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
