/** What a gateway keeps for a checkpoint: one made from it gives the identifiers and refusals that the first would. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { RandomIds } from "../../src/api/ids.ts";
import { totpCheck } from "../../src/platform/secrets/totp.ts";
import { DEFAULT_LIMITS } from "../../src/api/edge/rate-limit-rules.ts";
import type { KeptValue } from "../../src/platform/world/port.ts";
import { KeptUnreadable } from "../../src/platform/world/read-kept.ts";
import { asInFile, goesOn } from "../platform/world/goes-on.ts";

const NOW_MS = 1_609_459_230_000;

/** Dice whose whole state is a number: how many bytes were drawn. */
class CountedDice {
  drawn: number;

  constructor(drawn = 0) {
    this.drawn = drawn;
  }

  readonly randomBytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => this.#next()));

  #next(): number {
    return createHash("sha256")
      .update(String(this.drawn++))
      .digest()[0] as number;
  }
}

test("identifiers go on where they were, within what was drawn at a time and after it", () => {
  for (const before of [0, 1, 7, 360, 400]) {
    const dice = new CountedDice();
    const ids = new RandomIds({ ...dice, nowMs: () => NOW_MS, steadyMs: () => 0 });
    for (let i = 0; i < before; i++) ids.clientOrderId();
    const sameDice = new CountedDice(dice.drawn);
    const others = new RandomIds({ ...sameDice, nowMs: () => NOW_MS, steadyMs: () => 0 }, asInFile(ids.kept()));
    for (let i = 0; i < 500; i++) {
      const kind = (["clientOrderId", "listenKey", "withdrawalId"] as const)[i % 3] ?? "listenKey";
      assert.equal(others[kind](), ids[kind](), `${before} before, then ${i}`);
    }
  }
});

test("wrong two-factor codes are remembered", () => {
  const unseal = (): string => "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const seen = new Set<boolean>();
  goesOn(
    (kept?: KeptValue) => totpCheck({ unseal }, kept),
    (check, dice, nowMs) => {
      // The right code of the first step of RFC 6238, or a wrong one, at its own time of day.
      const isRight = check(
        dice.below(3),
        "",
        dice.oneIn(2) ? "287082" : "000000",
        dice.oneIn(3) ? 59_000 : nowMs,
        dice.pick(["", "a key"]),
      );
      seen.add(isRight !== null);
      return isRight;
    },
    60_000,
    4,
  );
  assert.equal(seen.size, 2);
});

test("a gateway made from what another kept counts on", async () => {
  const limits = { ...DEFAULT_LIMITS, enabled: true };
  const venue = new TestVenue({ limits });
  const asked = { method: "GET", path: "/api/v3/ping", query: "", headers: {}, body: "", ip: "10.1.1.1" };
  for (let i = 0; i < 5; i++) await venue.gateway.handle(asked);
  const other = new TestVenue({ limits, kept: asInFile(venue.gateway.kept()) });
  const weightOf = async (of: TestVenue): Promise<string | undefined> => {
    const { headers } = await of.gateway.handle(asked);
    return headers[headers.findIndex((name) => /^x-mbx-used-weight$/i.test(name)) + 1];
  };
  assert.equal(await weightOf(venue), "6");
  assert.equal(await weightOf(other), "6");
  assert.throws(() => new TestVenue({ kept: { addresses: null } }), KeptUnreadable);
});
