/** Compares the engine's view of operator actions with the model. */
import assert from "node:assert/strict";
import type { Engine, ProposalRecord } from "@pricetime/engine";
import type { ModelExchange } from "@pricetime/testkit/models";

export function compareVenue(engine: Engine, model: ModelExchange): void {
  const { venue, access, timeMs } = engine;
  const { venue: expected, assets } = model;
  assert.deepEqual([...venue.stops()], expected.stops, "stops");
  for (const scope of ["trading", "placing", "withdrawals", "coin:AAA", "network:ONE"]) {
    assert.equal(venue.isStopped(scope, timeMs), expected.isStopped(scope), `stop of ${scope}`);
  }
  for (const { asset } of assets) {
    const isStopped = expected.stopsCoin(asset, "TWO");
    assert.equal(venue.stopsCoin(asset, "TWO", timeMs), isStopped, `stop of ${asset}`);
    const mayNotLeave = isStopped || expected.isStopped("withdrawals");
    assert.equal(venue.stopsWithdrawing(asset, "TWO", timeMs), mayNotLeave, `withdrawing ${asset}`);
  }
  assert.deepEqual(venue.approvalRules, expected.rules, "rules of approval");
  assert.equal(venue.breakGlass?.fromMs ?? null, expected.rulesEndMs, "end of the rules");
  assert.deepEqual(
    engine.markets().map(({ spec, delisting, isDelisted, isEndingOrders: isEnding }) => {
      return { status: spec.status, delistedFromMs: delisting?.atMs ?? Infinity, isDelisted, isEnding };
    }),
    model.markets.map(({ status, delistedFromMs, isDelisted, isEnding }) => {
      return { status, delistedFromMs, isDelisted, isEnding };
    }),
    "symbols that are delisted or whose orders are ending",
  );
  assert.deepEqual(
    [...venue.proposals()],
    expected.proposals.map((proposal) => ({ ...proposal, ...timesOf(venue.proposal(proposal.proposalId)) })),
    "proposals",
  );
  assert.deepEqual(
    [...access.operators()].map(({ name, email, role, isEnabled, sealedTotp: totpSecret }) => {
      return { name, email, role, isEnabled, totpSecret };
    }),
    expected.operators,
    "operators",
  );
  assert.deepEqual(
    [...venue.unknownDeposits()].map(({ network, txId, output }) => JSON.stringify([network, txId, output])),
    expected.unknownCoins.filter(({ state }) => state === "open").map(({ coin }) => coin),
    "coins of nobody",
  );
}

/** The model stores only the end of these. */
function timesOf(proposal: ProposalRecord | undefined): Pick<ProposalRecord, "createdMs" | "changedMs"> {
  return { createdMs: proposal?.createdMs ?? 0, changedMs: proposal?.changedMs ?? 0 };
}
