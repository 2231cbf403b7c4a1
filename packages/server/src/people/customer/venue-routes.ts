/** Public settings of accounts, and the steps of networks. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../sign-in/limits.ts";
import { type CustomerAnswer, ok } from "./answer.ts";
import type { Asked, CustomerParts, CustomerRoute } from "./route.ts";
import { LOOK } from "./weights.ts";

function venue(_: Asked, { settings }: CustomerParts): CustomerAnswer {
  const { signUp, recoveryDelayMs: passwordResetDelayMs } = settings;
  return ok({ signUp, passwordMin: MIN_PASSWORD_LENGTH, passwordMax: MAX_PASSWORD_LENGTH, passwordResetDelayMs });
}

/** The steps of networks whose amounts are coarser than the ledger's. */
function steps(_: Asked, { view }: CustomerParts): CustomerAnswer {
  return ok(
    view.assets().flatMap(({ spec: { asset, networks } }) =>
      networks.flatMap(({ network, depositStep, withdrawStep }) => {
        const own = { ...(depositStep && { depositStep }), ...(withdrawStep && { withdrawStep }) };
        return Object.keys(own).length === 0 ? [] : [{ asset, network, ...own }];
      }),
    ),
  );
}

export const VENUE_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/venue",
    weight: LOOK,
    isOpen: true,
    summary: "Returns public settings of accounts.",
    answers: "`signUp`, `passwordMin`, `passwordMax`, `passwordResetDelayMs`.",
    handle: venue,
  },
  {
    method: "GET",
    path: "/steps",
    weight: LOOK,
    summary: "Lists the steps of deposits and withdrawals on networks whose amounts are coarser than the ledger's.",
    answers: "A list of `asset`, `network`, and, if the network has one, `depositStep` and `withdrawStep`.",
    handle: steps,
  },
];
