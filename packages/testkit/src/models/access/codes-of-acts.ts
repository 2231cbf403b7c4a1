/** In the model, customers and operators show a code for what they do with what is their own, and each is good once. */
import type { Command, RejectReason } from "@pricetime/engine";
import { type ModelAccess, holderOf, type ModelHolder } from "../state.ts";
import { useStep } from "./totp.ts";

const CODED = ["createApiKey", "allowAddress", "setAddressList", "setTotp", "setPassword", "setOperatorTotp"];

/** A code as commands have it. */
interface Code {
  readonly totpStep?: number | null;
  readonly totpSecret?: string;
}

interface Act extends Code {
  readonly by?: string;
  readonly sealedSecret?: string | null;
  readonly name?: string;
}

export function codeRefusal(access: ModelAccess, command: Command): RejectReason | null {
  if (!CODED.includes(command.type)) return null;
  const act = command as Act;
  const holder = whose(access, command);
  const known = holder === null ? undefined : holderOf(access.exchange, holder);
  if (known === undefined) return act.totpStep === undefined ? null : "INVALID_VALUE";
  if (!/^set(Operator)?Totp$/.test(command.type) || act.sealedSecret === null) return wrongCode(known, act);
  return act.totpStep === undefined || act.totpSecret === act.sealedSecret ? null : "TOTP_DIFFERS";
}

/** To be called when the act was carried out. */
export function spendCode(access: ModelAccess, command: Command): void {
  const { totpStep } = command as Act;
  const holder = CODED.includes(command.type) ? whose(access, command) : null;
  if (holder !== null && typeof totpStep === "number") useStep(access, holder, totpStep);
}

export function wrongCode({ totpSecret, steps }: ModelHolder, code: Code): RejectReason | null {
  if (totpSecret === null) return null;
  const { totpStep } = code;
  if (totpStep === undefined || totpStep === null) return "TOTP_REQUIRED";
  if (code.totpSecret !== totpSecret) return "TOTP_DIFFERS";
  return steps.some((used) => used >= totpStep) ? "TOTP_REUSED" : null;
}

/** Null: somebody acts for another, or nobody could have signed in. */
function whose({ exchange, passwords }: ModelAccess, command: Command): string | null {
  const { by = "", name = "" } = command as Act;
  if (exchange.venue.operators.length === 0 && passwords.length === 0) return null;
  if (/^account:[1-9][0-9]{0,15}$/.test(by)) return by;
  const isOwn = command.type === "setPassword" || (command.type === "setOperatorTotp" && by === `operator:${name}`);
  return isOwn && by.startsWith("operator:") ? by : null;
}
