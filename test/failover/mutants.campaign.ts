/**
 * Each bug is planted in the program, by altering its text as it is loaded, and each test that hunts it fails then; with
 * nothing planted it passes. A whole campaign finds most of them too: `npm run cluster:mutants`.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { noEtcd } from "@pricetime/testkit/etcd";
import type { TestHunt } from "../../failover/mutations/bug.ts";
import { BUGS } from "../../failover/mutations/bugs.ts";
import { failingTest } from "../../failover/mutations/failing-test.ts";

const planted = BUGS.flatMap(({ name, foundBy }) =>
  foundBy.flatMap((hunt) => ("test" in hunt ? [{ name, hunt }] : [])),
);
const hunts = new Map<string, TestHunt>(planted.map(({ hunt }) => [hunt.test, hunt]));

suite("planted bugs that tests find", { skip: noEtcd }, () => {
  for (const { name, hunt } of planted) {
    test(`${name}: '${hunt.test}' fails`, (t) => {
      const said = failingTest(hunt, name);
      assert.notEqual(said, undefined, "it passes all the same");
      t.diagnostic(said as string);
    });
  }

  for (const hunt of hunts.values()) {
    test(`nothing planted: '${hunt.test}' passes`, () => {
      assert.equal(failingTest(hunt), undefined);
    });
  }
});
