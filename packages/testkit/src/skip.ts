/**
 * Tests that need a program which not every machine has. They are skipped and say so, or fail where TEST_MISSING is `fail`:
 * `.ci/run` sets it where it installs such programs itself, so that no run passes without them unseen.
 */

/** The `skip` of `test(name, { skip })`: false where `isThere`. Throws `why` where nothing may be missing. */
export function skipUnless(isThere: boolean, why: string): string | false {
  if (isThere) return false;
  if (process.env["TEST_MISSING"] === "fail")
    throw new Error(`${why} (TEST_MISSING=fail: nothing is skipped for that)`);
  return why;
}
