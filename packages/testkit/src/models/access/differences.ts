/** What an engine lets be seen of those who sign in, against what the model has of them. */
import { isDeepStrictEqual } from "node:util";
import type { Engine } from "@pricetime/engine";
import type { ModelState } from "../state.ts";

type Side = Readonly<Record<string, unknown>>;

/** The first thing that differs, in words; undefined: nothing does. */
export function differenceOfAccess(engine: Engine, model: ModelState): string | undefined {
  const [is, must] = [seen(engine, model), known(engine, model)];
  const name = Object.keys(must).find((each) => !isDeepStrictEqual(is[each], must[each]));
  if (name === undefined) return undefined;
  return `${name} must be\n    ${JSON.stringify(must[name])}\n  and is\n    ${JSON.stringify(is[name])}`;
}

function holdersIn({ accounts, venue }: ModelState): string[] {
  return [
    ...[...accounts.keys()].map((id) => `account:${id}`),
    ...venue.operators.map(({ name }) => `operator:${name}`),
  ];
}

function seen({ access, venue, timeMs }: Engine, model: ModelState): Side {
  const holders = holdersIn(model);
  return {
    passwords: holders.map((holder) => [access.sealedPassword(holder), access.heldUntilMs(holder)]),
    sessions: holders.map((holder) => access.sessions(holder, timeMs)),
    found: model.access.sessions.map(({ sessionId }) => access.session(sessionId, timeMs)?.sessionId),
    recoveries: holders.map((holder) => access.recoveryOf(holder)),
    links: model.access.recoveries.map(({ recoveryId }) => access.recovery(recoveryId)),
    invitations: [...access.invitations()],
    letters: [...access.notices()],
    codes: [...access.operators()].map(({ sealedTotp, totpStep }) => [sealedTotp, totpStep]),
    steps: [...model.accounts.keys()].map((accountId) => access.totpStep(accountId)),
    proof: venue.lastProof,
  };
}

function known({ timeMs }: Engine, model: ModelState): Side {
  const { access, venue, wallet } = model;
  const holders = holdersIn(model);
  const open = access.sessions.filter(({ untilMs }) => untilMs > timeMs);
  return {
    passwords: holders.map((holder) => {
      const { sealedPassword, heldUntilMs = 0 } = access.passwordOf(holder) ?? {};
      return [sealedPassword, heldUntilMs];
    }),
    sessions: holders.map((holder) => open.filter((session) => session.holder === holder)),
    found: access.sessions.map((session) => (open.includes(session) ? session.sessionId : undefined)),
    recoveries: holders.map((holder) => access.recoveries.find((recovery) => recovery.holder === holder)),
    links: access.recoveries,
    invitations: access.invitations,
    letters: access.notices,
    codes: venue.operators.map(({ name, totpSecret }) => {
      const used = access.operatorSteps.filter((each) => each.name === name);
      return [totpSecret, Math.max(-1, ...used.map(({ step }) => step))];
    }),
    steps: [...model.accounts.keys()].map((accountId) => {
      const used = wallet.totpSteps.filter((each) => each.accountId === accountId);
      return Math.max(-1, ...used.map(({ step }) => step));
    }),
    proof: access.lastProof,
  };
}
