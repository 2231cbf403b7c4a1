/** POST wapi withdraw.html and sapi capital/withdraw/apply. Interface 4.5, 4.6, 3.6 and 7.10. */
import { formatDecimal } from "@pricetime/engine";
import type { AssetNetwork, AssetSpec, RequestWithdrawal } from "@pricetime/engine";
import { amountFault, BAD_ADDRESS, BAD_ADDRESS_TAG, VERIFICATION_FAILED, withdrawalError } from "@pricetime/protocol";
import type { Answer, WithdrawalBounds } from "@pricetime/protocol";
import type { Call, DEFERRED } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { submit } from "../submit.ts";
import { assetNamed, networkOf } from "./assets.ts";
import { shortDecimal } from "../../history/shapes/exact-number.ts";

export function wapiWithdraw(call: Call): typeof DEFERRED {
  return requestWithdrawal(call, "asset", (id): Answer<"wapi.withdraw"> => ({ msg: "success", success: true, id }));
}

export function withdrawApply(call: Call): typeof DEFERRED {
  return requestWithdrawal(call, "coin", (id): Answer<"capital.withdraw"> => ({ id }));
}

/** `answer` makes the answer from the withdrawal's id. */
function requestWithdrawal(call: Call, assetParameter: string, answer: (id: string) => object): typeof DEFERRED {
  const { spec } = assetNamed(call.venue.engine, call.text(assetParameter));
  const network = networkOf(call, spec);
  const fault = amountFault("amount", call.text("amount"), spec.precision);
  if (fault !== null) throw new Refused(fault);
  checkAddress(call, network);
  const withdrawalId = call.venue.ids.withdrawalId();
  const { confirmations } = call.venue.walletPorts;
  const command: RequestWithdrawal = {
    type: "requestWithdrawal",
    withdrawalId,
    accountId: call.accountId(),
    asset: spec.asset,
    network: network.network,
    address: call.text("address"),
    tag: call.text("addressTag"),
    amount: shortDecimal(call.text("amount")),
    name: call.text("name"),
    withdrawOrderId: call.text("withdrawOrderId"),
    ...totpOf(call),
    ...(call.isBySession && { isBySession: true as const }),
    confirmationHash: confirmations.hashOf(confirmations.secretOf(withdrawalId)),
  };
  return submit(call, command, {
    refusal: (reason) => withdrawalError(reason, boundsOf(spec, network)),
    body: () => JSON.stringify(answer(withdrawalId)),
  });
}

/** Refuses a tag on a network without tags as well as a malformed one. */
function checkAddress(call: Call, { network, isTagged }: AssetNetwork): void {
  const { wallet } = call.venue.walletPorts;
  const [address, tag] = [call.text("address"), call.text("addressTag")];
  if (tag !== "" && isTagged !== true) throw new Refused(BAD_ADDRESS_TAG);
  if (wallet.isAddress(network, address, tag)) return;
  throw new Refused(tag !== "" && wallet.isAddress(network, address, "") ? BAD_ADDRESS_TAG : BAD_ADDRESS);
}

/** The code's time step, and the secret it was checked with: the account's may change before the command's turn. */
function totpOf(call: Call): Pick<RequestWithdrawal, "totpStep" | "totpSecret"> {
  const { accountId, sealedTotp } = call.account();
  const code = call.optionalText("code");
  // No code was sent, or the account requires none.
  if (code === undefined || sealedTotp === null) return { totpStep: null };
  // The wall clock, which the app with the codes uses too.
  const from = call.isBySession ? "a session" : call.apiKey().apiKey;
  const step = call.venue.walletPorts.checkTotp(accountId, sealedTotp, code, call.wallMs, from);
  if (step === null) throw new Refused(VERIFICATION_FAILED);
  return { totpStep: step, totpSecret: sealedTotp };
}

function boundsOf({ precision }: AssetSpec, { withdrawMin, withdrawStep }: AssetNetwork): WithdrawalBounds {
  return { min: shortDecimal(withdrawMin), step: shortDecimal(withdrawStep ?? formatDecimal(1n, precision)) };
}
