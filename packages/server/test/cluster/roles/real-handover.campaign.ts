/** The same with a real chain, a signer in a separate process and a real mail server, which count. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { noAnvil } from "@pricetime/testkit/evm";
import { ownerFaults } from "./owner-faults.ts";
import { RealOutside } from "./real-outside.ts";
import { VenueNodes } from "./venue-nodes.ts";

const FAULTS = Number(process.env["ROLE_FAULTS"] ?? 25);
/** Within this time a task has an owner again, while the store's leader is live. */
const HANDOVER_MS = 10_000;

describe("a real chain and a real mail server", { skip: noAnvil }, () => {
  let open: Awaited<ReturnType<typeof RealOutside.open>>;
  let outside: RealOutside | undefined;
  before(async () => {
    open = await RealOutside.open();
  });
  after(() => outside?.close());

  test("count every deposit, payment and email once, whatever happens to the owners", async (t) => {
    const venue = new VenueNodes(1, 3, (ways) => (outside = open(ways)));
    const longestMs = await ownerFaults(venue, FAULTS);
    t.diagnostic(`the longest handover took ${longestMs} ms; ${JSON.stringify(await venue.check())}`);
    assert.ok(longestMs < HANDOVER_MS, `${longestMs} ms`);
  });
});
