/** Differences that prevent nodes from working together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { differingSetting, olderNode } from "../../src/cluster/compare-nodes.ts";
import { loadConfig, settingDigests } from "../../src/platform/config/config.ts";

const KEY = "12".repeat(32);
const told = (environment: Record<string, string>, key = KEY): Record<string, string> =>
  settingDigests(loadConfig({ environment }), key);

test("settings that affect the journal must be equal, and the first difference is named", () => {
  const own = told({});
  const other = (settings?: Record<string, string>) => ({
    node: "n2",
    release: "1.0.0",
    ...(settings && { settings }),
  });
  assert.equal(differingSetting(own, []), undefined);
  assert.equal(differingSetting(own, [other(told({ PRICETIME_PORT: "1", PRICETIME_LOG_LEVEL: "error" }))]), undefined);
  assert.equal(differingSetting(own, [other()]), undefined, "a release that tells none");
  for (const [environment, name] of [
    [{ PRICETIME_TAKER_BPS: "11" }, "fees"],
    [{ PRICETIME_LIMITS: "off" }, "limits.enabled"],
    [{ PRICETIME_DEMO: "off" }, "demo"],
  ] as const) {
    assert.match(
      differingSetting(own, [other(own), other(told(environment))]) ?? "",
      new RegExp(`^${name} differs from the setting of node n2\\.`),
    );
  }
  assert.match(differingSetting(own, [other(told({}, "34".repeat(32)))]) ?? "", /^masterKey differs /);
  assert.ok(!Object.values(own).some((digest) => digest.includes(KEY)));
});

test("releases are compared number by number", () => {
  const found = (release: string, ...others: string[]): string | undefined =>
    olderNode(
      { release, rules: 3 },
      others.map((its) => ({ node: "n", release: its })),
    )?.release;
  assert.equal(found("0.10.0", "0.10.0", "0.9.9"), "0.9.9");
  assert.equal(found("0.9.9", "0.10.0", "1.0.0"), undefined);
  assert.equal(found("1.0.1", "1.0.0-rc.1"), "1.0.0-rc.1");
});

test("with the same release number, the node with the older rules version is the older one", () => {
  const of = (node: string, rules?: number) => ({ node, release: "1.0.0", ...(rules !== undefined && { rules }) });
  const own = { release: "1.0.0", rules: 5 };
  assert.equal(olderNode(own, [of("n2", 5), of("n3", 6)]), undefined);
  assert.equal(olderNode(own, [of("n2", 5), of("n3", 4)])?.node, "n3");
  assert.equal(olderNode(own, [of("n2")])?.node, "n2", "a release from before the rules version was sent");
  assert.equal(olderNode({ release: "1.0.0", rules: 3 }, [of("n2")]), undefined);
});
