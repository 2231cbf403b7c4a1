/** GET wapi depositAddress.html and sapi capital/deposit/address. Interface 4.5. */
import type { DepositAddress } from "@pricetime/engine";
import { invalidData, NO_DEPOSIT_ADDRESS } from "@pricetime/protocol";
import type { Answer } from "@pricetime/protocol";
import { NoSuchNetwork } from "../../funds/wallet/port.ts";
import type { Call } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { assetNamed, defaultNetwork } from "./assets.ts";
import { takesDeposits } from "./open-networks.ts";

/** Refused when a deposit would not be credited: nobody should send money there. */
async function addressOf(call: Call, asset: string): Promise<DepositAddress> {
  const { engine, walletPorts } = call.venue;
  const { spec } = assetNamed(engine, asset);
  const name = call.optionalText("network");
  const network = name === undefined ? defaultNetwork(spec) : spec.networks.find((one) => one.network === name);
  if (network === undefined) throw new Refused(name === undefined ? NO_DEPOSIT_ADDRESS : invalidData("network"));
  const { accountId, canDeposit } = call.account();
  if (!takesDeposits(engine, asset, network, call.nowMs) || !canDeposit) throw new Refused(NO_DEPOSIT_ADDRESS);
  try {
    return await walletPorts.wallet.depositAddress(accountId, network.network);
  } catch (error) {
    throw error instanceof NoSuchNetwork ? new Refused(NO_DEPOSIT_ADDRESS) : error;
  }
}

export async function wapiDepositAddress(call: Call): Promise<string> {
  const asset = call.text("asset");
  const { address, tag } = await addressOf(call, asset);
  const shape: Answer<"wapi.depositAddress"> = { address, success: true, addressTag: tag, asset };
  return JSON.stringify(shape);
}

export async function coinDepositAddress(call: Call): Promise<string> {
  const coin = call.text("coin");
  const { address, tag } = await addressOf(call, coin);
  const shape: Answer<"capital.depositAddress"> = { address, coin, tag, url: "" };
  return JSON.stringify(shape);
}
