/** What everybody may know of accounts here. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../sign-in/limits.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import type { Asked, CustomerParts, CustomerRoute } from "./route.ts";
import { LOOK } from "./weights.ts";

function venue(_: Asked, { settings }: CustomerParts): CustomerAnswer {
  const { signUp, recoveryDelayMs } = settings;
  return ok({ signUp, passwordMin: MIN_PASSWORD_LENGTH, passwordMax: MAX_PASSWORD_LENGTH, recoveryDelayMs });
}

export const VENUE_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/venue",
    weight: LOOK,
    isOpen: true,
    summary: "What everybody may know of accounts here.",
    answers: "`signUp`, `passwordMin`, `passwordMax`, `recoveryDelayMs`.",
    handle: venue,
  },
];
