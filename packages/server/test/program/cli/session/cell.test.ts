import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "../../../../src/program/cli/session/terminal.ts";

test("client-supplied text stays in its cell: no line breaks, colours or direction changes", () => {
  const address = "me\u001b[8m\u009b8m\n42  approved  dora\u202e";
  const shown = table(
    [{ withdrawalId: "41", address, details: { label: address } }],
    ["withdrawalId", "address", "details"],
  );
  assert.equal(shown.split("\n").length, 2);
  assert.doesNotMatch(shown.replaceAll("\n", ""), /[\p{Cc}\u202e]/u);
  assert.match(shown, /me\\u001b\[8m\\u009b8m\\u000a42 {2}approved {2}dora\\u202e/);
});
