/** What the venue's own wallets hold on a chain, as of its newest block. */
import { type Address, erc20Abi, formatUnits, getAddress, type PublicClient } from "viem";
import type { WalletHolding } from "../chain.ts";
import type { EvmSettings } from "./settings.ts";
import { NATIVE_DECIMALS } from "./signer/port.ts";
import type { Tokens } from "./token.ts";

/** Coins at deposit addresses that were not swept yet are not among them: there may be a million addresses. */
export async function holdingsOn(
  client: PublicClient,
  { hotWallet, gasWallet, nativeAsset }: EvmSettings,
  tokens: Tokens,
): Promise<WalletHolding[]> {
  const hot = getAddress(hotWallet);
  const blockNumber = await client.getBlockNumber();
  const block = Number(blockNumber);
  const native = async (wallet: "hot" | "gas", address: Address): Promise<WalletHolding> => {
    const amount = formatUnits(await client.getBalance({ address, blockNumber }), NATIVE_DECIMALS);
    return { wallet, address, asset: nativeAsset, amount, block };
  };
  const held = await Promise.all(
    [...tokens].map(async ({ asset, contract, decimals }): Promise<WalletHolding> => {
      const units = await client.readContract({
        address: contract,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [hot],
        blockNumber,
      });
      return { wallet: "hot", address: hot, asset, amount: formatUnits(units, decimals), block };
    }),
  );
  const gas = gasWallet === undefined ? [] : [await native("gas", getAddress(gasWallet))];
  return [await native("hot", hot), ...held, ...gas];
}
