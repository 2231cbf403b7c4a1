/**
 * The two-factor codes with which customers and operators act on what is their own. A code is good once, for whatever
 * it was used: signing in, such an act, or a withdrawal.
 */
import type { SetPassword } from "../entry/access-command.ts";
import type { Holder } from "../entry/access-record.ts";
import type { Command, CreateApiKey } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { SetOperatorTotp } from "../entry/venue-command.ts";
import type { AllowAddress, SetAddressList, SetTotp } from "../entry/wallet-command.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { accountIdOf, type KnownHolder, knownHolder, operatorNameOf } from "./holders.ts";

type CodedAct = CreateApiKey | AllowAddress | SetAddressList | SetTotp | SetPassword | SetOperatorTotp;

/** What a thief with an open session could get at the money by, or keep its holder out by. */
const CODED: ReadonlySet<string> = new Set<CodedAct["type"]>([
  ...(["createApiKey", "allowAddress", "setAddressList", "setTotp", "setPassword", "setOperatorTotp"] as const),
]);

const isCoded = (command: Command): command is CodedAct => CODED.has(command.type);

/** Why the act is refused for want of a code, or because of the one it has. Acts on what is others' take none. */
export function checkCodeOfAct(state: ExchangeState, command: Command): RejectReason | null {
  if (!isCoded(command)) return null;
  const holder = whoseCode(state, command);
  const known = holder === undefined ? undefined : knownHolder(state, holder);
  if (known === undefined) return command.totpStep === undefined ? null : "INVALID_VALUE";
  const begun = secretBegun(command);
  // The first code of a secret that was never used shows that an app has it: there is nothing yet to protect.
  if (begun !== null) return command.totpStep === undefined || command.totpSecret === begun ? null : "TOTP_DIFFERS";
  return checkCode(known, command);
}

/** The code of an act that was carried out is good no more. */
export function spendCodeOfAct(state: ExchangeState, command: Command): void {
  if (!isCoded(command) || command.totpStep === undefined) return;
  const holder = whoseCode(state, command);
  if (holder !== undefined) useStep(state, holder, command.totpStep);
}

/** Null: the holder needs none, or it is good. It must belong to the secret that the holder has now (RFC 6238, 5.2). */
export function checkCode(
  { sealedTotp, totpStep }: KnownHolder,
  code: { readonly totpStep?: number | null; readonly totpSecret?: string },
): RejectReason | null {
  if (sealedTotp === null) return null;
  if (code.totpStep === undefined || code.totpStep === null) return "TOTP_REQUIRED";
  if (code.totpSecret !== sealedTotp) return "TOTP_DIFFERS";
  return code.totpStep <= totpStep ? "TOTP_REUSED" : null;
}

/** Steps never go back: the first code of another secret may be of an earlier time. */
export function useStep(state: ExchangeState, holder: Holder, totpStep: number): void {
  const accountId = accountIdOf(holder);
  if (accountId !== undefined) {
    state.funds.totpSteps.set(accountId, Math.max(totpStep, state.funds.totpSteps.get(accountId) ?? -1));
    return;
  }
  const operator = state.operators.get(operatorNameOf(holder) ?? "");
  if (operator !== undefined) state.operators.put({ ...operator, totpStep: Math.max(totpStep, operator.totpStep) });
}

/** Undefined: an operator acts for somebody else, or nobody could have signed in. */
function whoseCode(state: ExchangeState, command: CodedAct): Holder | undefined {
  const { by } = command;
  if (state.approvedId !== null || !state.hasSignIn) return undefined;
  if (accountIdOf(by) !== undefined) return by;
  const isOwn =
    command.type === "setPassword" || (command.type === "setOperatorTotp" && by === `operator:${command.name}`);
  return isOwn && operatorNameOf(by) !== undefined ? by : undefined;
}

/** The secret from which codes are demanded from now on; null: the act begins none. */
function secretBegun(command: CodedAct): string | null {
  return command.type === "setTotp" || command.type === "setOperatorTotp" ? command.sealedSecret : null;
}
