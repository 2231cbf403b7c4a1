/** The EVM adapter passes the contract test of the chain port, with native coins and with tokens. */
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { type Address, formatUnits, getAddress, type Hex, parseUnits } from "viem";
import { chainContract, type ChainWorld } from "../chain-contract.ts";
import type { EvmChain } from "../../../../src/funds/wallet/evm/evm-chain.ts";
import { type Gate, noAnvil, openGate, token } from "@pricetime/testkit/evm";
import { openVenue, type Venue } from "./venue.ts";

/** One chain for all tests, reset after each. */
let shared: Promise<readonly [Venue, Gate]> | undefined;

async function openShared(): Promise<readonly [Venue, Gate]> {
  const venue = await openVenue();
  return [venue, await openGate(venue.anvil.url)];
}

after(async () => {
  if (shared === undefined) return;
  const [venue, gate] = await shared;
  await gate.close();
  await venue.stop();
});

async function openWorld(asset: "ETH" | "USDT"): Promise<ChainWorld> {
  const [venue, gate] = await (shared ??= openShared());
  const { anvil } = venue;
  const snapshot = await anvil.client.snapshot();
  const [decimals, precision] = asset === "ETH" ? [18, 8] : [6, 6];
  const balance = (of: Address): Promise<bigint> =>
    asset === "ETH" ? anvil.client.getBalance({ address: of }) : anvil.tokenBalance(venue.usdt, of);
  let chain: EvmChain = venue.other({ rpcUrl: gate.url });
  return {
    chain,
    asset,
    amounts: asset === "ETH" ? ["1.50000000", "0.00000001"] : ["1.500000", "0.000001"],
    stranger: () => getAddress(`0x${randomBytes(20).toString("hex")}`),
    mine: (blocks) => anvil.mine(blocks),
    pay: async (address, _tag, amount) => {
      const [to, value] = [address as Address, parseUnits(amount, decimals)];
      const txId: Hex =
        asset === "ETH" ? await anvil.pay(to, value) : await anvil.call(venue.usdt, token.transfer(to, value));
      await anvil.mine(1);
      return txId;
    },
    received: async (address) => Number(formatUnits(await balance(address as Address), decimals)).toFixed(precision),
    reorg: (depth) => anvil.reorg(depth),
    cutOff: async () => gate.shut(),
    mend: async () => gate.open(),
    restart: async () => {
      await chain.close();
      chain = venue.other({ rpcUrl: gate.url });
      return chain;
    },
    close: async () => {
      gate.open();
      await chain.close();
      await anvil.client.revert({ id: snapshot });
    },
  };
}

if (noAnvil !== false) {
  test("the contract of a chain", { skip: noAnvil });
} else {
  chainContract("EVM, native coins", () => openWorld("ETH"));
  chainContract("EVM, tokens", () => openWorld("USDT"));
}
