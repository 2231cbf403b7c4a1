/** POST wapi withdraw.html and sapi capital/withdraw/apply. Interface 4.5, 4.6, 3.6 and 7.10. */
import { randomBytes } from "node:crypto";
import { formatDecimal } from "@pricetime/engine";
import type { AssetNetwork, AssetSpec, RequestWithdrawal, WithdrawalRecord } from "@pricetime/engine";
import { amountFault, BAD_ADDRESS, BAD_ADDRESS_TAG, VERIFICATION_FAILED, withdrawalError } from "@pricetime/protocol";
import type { Answer, WithdrawalBounds } from "@pricetime/protocol";
import type { Outcome } from "../../../sequencer/port.ts";
import type { Call, DEFERRED } from "../../call.ts";
import { confirmationHash } from "../../confirmation/withdrawal-confirmation.ts";
import { Refused } from "../../refusals.ts";
import { amountText } from "../amounts.ts";
import { submit } from "../submit.ts";
import { assetNamed, networkOf } from "./assets.ts";
import { shortDecimal } from "./exact-number.ts";

const WITHDRAWAL_ID_BYTES = 16;
const SECRET_BYTES = 32;

export function wapiWithdraw(call: Call): typeof DEFERRED {
  return requestWithdrawal(call, "asset", (id): Answer<"wapi.withdraw"> => ({ msg: "success", success: true, id }));
}

export function withdrawApply(call: Call): typeof DEFERRED {
  return requestWithdrawal(call, "coin", (id): Answer<"capital.withdraw"> => ({ id }));
}

/** `answer` from the withdrawal's id. */
function requestWithdrawal(call: Call, assetParameter: string, answer: (id: string) => object): typeof DEFERRED {
  const { spec } = assetNamed(call.venue.engine, call.text(assetParameter));
  const network = networkOf(call, spec);
  const fault = amountFault("amount", call.text("amount"), spec.precision);
  if (fault !== null) throw new Refused(fault);
  checkAddress(call, network);
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const command: RequestWithdrawal = {
    type: "requestWithdrawal",
    withdrawalId: randomBytes(WITHDRAWAL_ID_BYTES).toString("hex"),
    accountId: call.accountId(),
    asset: spec.asset,
    network: network.network,
    address: call.text("address"),
    tag: call.text("addressTag"),
    amount: call.text("amount"),
    name: call.text("name"),
    withdrawOrderId: call.text("withdrawOrderId"),
    ...totpOf(call),
    confirmationHash: confirmationHash(secret),
  };
  return submit(call, command, {
    refusal: (reason) => withdrawalError(reason, boundsOf(spec, network)),
    body: (outcome) => {
      mailIfAsked(call, withdrawalIn(outcome), secret);
      return JSON.stringify(answer(command.withdrawalId));
    },
  });
}

/** A tag where addresses have none is as wrong as one that cannot be. */
function checkAddress(call: Call, { network, isTagged }: AssetNetwork): void {
  const { wallet } = call.venue.walletPorts;
  const [address, tag] = [call.text("address"), call.text("addressTag")];
  if (tag !== "" && isTagged !== true) throw new Refused(BAD_ADDRESS_TAG);
  if (wallet.isAddress(network, address, tag)) return;
  throw new Refused(tag !== "" && wallet.isAddress(network, address, "") ? BAD_ADDRESS_TAG : BAD_ADDRESS);
}

/** The step of the code, and the secret that it is of: another may be the account's when the command's turn comes. */
function totpOf(call: Call): Pick<RequestWithdrawal, "totpStep" | "totpSecret"> {
  const { accountId, sealedTotp } = call.account();
  const code = call.optionalText("code");
  // None was sent, or the account asks for none.
  if (code === undefined || sealedTotp === null) return { totpStep: null };
  // By the wall clock, as the app that shows the codes.
  const step = call.venue.walletPorts.checkTotp(accountId, sealedTotp, code, call.wallMs);
  if (step === null) throw new Refused(VERIFICATION_FAILED);
  return { totpStep: step, totpSecret: sealedTotp };
}

function boundsOf({ precision }: AssetSpec, { withdrawMin, withdrawStep }: AssetNetwork): WithdrawalBounds {
  return { min: shortDecimal(withdrawMin), step: shortDecimal(withdrawStep ?? formatDecimal(1n, precision)) };
}

function withdrawalIn({ events }: Outcome): Readonly<WithdrawalRecord> {
  const changed = events.find((event) => event.type === "withdrawalChanged");
  if (changed === undefined) throw new TypeError("a withdrawal that was asked for tells of itself");
  return changed.withdrawal;
}

function mailIfAsked(call: Call, withdrawal: Readonly<WithdrawalRecord>, secret: string): void {
  if (withdrawal.status !== "emailSent") return;
  const { engine, walletPorts } = call.venue;
  const { withdrawalId, assetId, network, address, tag, amount, fee } = withdrawal;
  walletPorts.mailer.confirmWithdrawal({
    withdrawalId,
    secret,
    email: call.account().email,
    asset: engine.asset(assetId).spec.asset,
    network,
    address,
    tag,
    amount: amountText(engine, assetId, amount),
    fee: amountText(engine, assetId, fee),
  });
}
