/** The saved state of a gateway: one created from it generates the same identifiers and rejections. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { RandomIds } from "../../src/api/ids.ts";
import { SavedParts } from "../../src/platform/world/saved-state.ts";
import { totpCheck } from "../../src/platform/secrets/totp.ts";
import { asInFile, goesOn, restoring } from "../platform/world/goes-on.ts";

const NOW_MS = 1_609_459_230_000;

/** A random source whose state is a number: how many bytes were drawn. */
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

test("identifiers continue, within a block of random bytes and after it", () => {
  for (const before of [0, 1, 7, 360, 400]) {
    const dice = new CountedDice();
    const saved = new SavedParts();
    const ids = new RandomIds({ ...dice, nowMs: () => NOW_MS, steadyMs: () => 0, saved });
    for (let i = 0; i < before; i++) ids.clientOrderId();
    const sameDice = new CountedDice(dice.drawn);
    const same = restoring(asInFile(saved.save()));
    const others = new RandomIds({ ...sameDice, nowMs: () => NOW_MS, steadyMs: () => 0, saved: same });
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
    (saved) => totpCheck({ unseal }, saved),
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
