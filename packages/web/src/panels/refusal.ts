/** A refusal out of what was thrown, which may be anything. */
import type { Refusal } from "../account/port.ts";

export function refusalOf(thrown: unknown): Refusal {
  if (typeof thrown !== "object" || thrown === null) return { code: null, message: String(thrown), isUnknown: false };
  const code: unknown = Reflect.get(thrown, "code");
  const message: unknown = Reflect.get(thrown, "message");
  return {
    code: typeof code === "number" ? code : null,
    message: typeof message === "string" ? message : String(thrown),
    isUnknown: Reflect.get(thrown, "isUnknown") === true,
  };
}
